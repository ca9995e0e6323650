#include "import/synthesis.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "import/defaults.hpp"
#include "import/patches.hpp"
#include "import/write.hpp"

namespace flexslice::imports {

using yaml::Node;
using yaml::Value;

namespace {

constexpr int most_refusals = 40;

// `workload.volumes.2.name`: what is at the place of a spec that was compiled.
std::string path_at(const Node& node, std::size_t offset) {
  const auto holds = [&](const Node& each) {
    return each.span.begin <= offset && offset <= each.span.end;
  };
  for (const yaml::Member& member : node.members) {
    if (!holds(member.key) && !holds(member.value)) continue;
    const std::string rest = holds(member.key) ? "" : path_at(member.value, offset);
    return member.key.text + (rest.empty() ? "" : "." + rest);
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (!holds(node.items[i])) continue;
    const std::string rest = path_at(node.items[i], offset);
    return std::to_string(i) + (rest.empty() ? "" : "." + rest);
  }
  return {};
}

// The part of the path that can be left out of a spec; empty: nothing.
std::string removable(const std::string& path) {
  const auto parts = text::split(path, '.');
  if (parts.size() < 2) return {};
  const std::string_view top = parts[0];
  const auto first = [&](std::size_t count) {
    return text::join(std::span(parts).first(std::min(count, parts.size())), ".");
  };
  constexpr std::string_view lists[] = {
      "env",      "volumes", "tolerations",    "ports",   "nodeSelector",
      "sidecars", "leader",  "initContainers", "envFrom", "imagePullSecrets"};
  if (top == "patches" || top == "labels" || top == "annotations") return first(2);
  if (top == "provisioning" && (parts[1] == "maxNodes" || parts[1] == "queue" ||
                                parts[1] == "nodePool" || parts[1] == "diskSize"))
    return first(2);
  if (top == "tpu" && parts[1] == "machineType") return first(2);
  if (top != "workload" || parts[1] == "image" || parts[1] == "ray" || parts[1] == "kind")
    return {};
  return first(contains(lists, parts[1]) ? 3 : 2);
}

std::size_t leaves(const Value& value) {
  std::size_t sum = value.items.empty() && value.members.empty() ? 1 : 0;
  for (const Value& item : value.items) sum += leaves(item);
  for (const Value::Member& member : value.members) sum += leaves(member.value);
  return sum;
}

struct Score {
  std::size_t lost = 0, added = 0;
  auto operator<=>(const Score&) const = default;
};

class Synthesizer {
 public:
  Synthesizer(const Workload& workload, std::size_t object, const Material& input,
              const catalog::Catalog& catalog, const Compiler& compiler, Placeholders& names)
      : workload_(workload), input_(input), catalog_(catalog), compiler_(compiler), names_(names) {
    result_.object = object;
  }

  Synthesis run() {
    Draft first = draft(workload_, input_, catalog_);
    result_.commands = std::move(first.commands);
    result_.todo = std::move(first.todo);
    result_.spec = std::move(first.spec);
    compile_and_repair();
    if (!result_.trial.ok) return finish();
    if (complete()) compile_and_repair();
    if (!result_.trial.ok) return finish();
    leave_out_derived();
    compare();
    add_patches();
    keep_stated_defaults();
    return finish();
  }

 private:
  Synthesis finish() {
    put_in_order(result_.spec);
    return std::move(result_);
  }

  void compile() {
    put_in_order(result_.spec);
    result_.trial = compiler_.compile(result_.spec);
  }

  // Leaves out what the compiler refuses, one after the other.
  void compile_and_repair() {
    compile();
    for (int i = 0; i < most_refusals; ++i) {
      const diag::Diagnostic* refusal =
          find_where(result_.trial.diagnostics, [&](const diag::Diagnostic& finding) {
            return finding.level <= diag::Level::soft &&
                   !removable(path_at(result_.trial.tree, finding.where.begin)).empty();
          });
      if (refusal == nullptr) return;
      const std::string path = removable(path_at(result_.trial.tree, refusal->where.begin));
      result_.refusals.push_back({path, refusal->message});
      remove(result_.spec, path);
      compile();
    }
  }

  // Whether there was anything to add.
  bool complete() {
    const Value before = result_.spec;
    const Value* object = compiled_workload(result_.trial);
    const auto compiled = object == nullptr ? std::nullopt : workload_in(*object);
    if (compiled) add_missing(workload_, *compiled, result_.spec);
    for (const Refusal& refusal : result_.refusals) remove(result_.spec, refusal.path);
    return !(before == result_.spec);
  }

  const Value* compiled_workload(const Trial& trial) const {
    return find_where(trial.objects, [&](const Value& object) {
      return object.text_at({"kind"}) == workload_.object->text_at({"kind"});
    });
  }
  bool has_workload(const Trial& trial) const { return compiled_workload(trial) != nullptr; }

  // The object of the input, with what stands for its placeholders.
  ObjectView view(const ObjectPair& pair) const {
    Value object = input_.objects[static_cast<std::size_t>(pair.input)].value;
    const Value* name = result_.spec.find("name");
    names_.fill(object);
    return view_of(std::move(object), names_.filled(name == nullptr ? "" : name->text));
  }

  // How far the objects are from the input, defaulted fields included: what is lost first, then
  // what is added.
  Score score(const Trial& trial) const {
    Score sum;
    for (const ObjectPair& pair : pair_objects(workload_, result_.object, input_, trial.objects)) {
      if (pair.input < 0) {
        sum.added += leaves(trial.objects[static_cast<std::size_t>(pair.compiled)]);
        continue;
      }
      const Value object = view(pair).object;
      if (pair.compiled < 0) {
        sum.lost += leaves(object);
        continue;
      }
      for (const Difference& each :
           differences(object, trial.objects[static_cast<std::size_t>(pair.compiled)]))
        (each.is_added() ? sum.added : sum.lost) +=
            leaves(each.is_added() ? each.compiled : each.input);
    }
    return sum;
  }

  // Keeps what is left when the fields are removed, if it comes as near to the input.
  bool try_without(std::span<const std::string> paths) {
    Value without = result_.spec;
    for (const std::string& path : paths) remove(without, path);
    put_in_order(without);
    Trial trial = compiler_.compile(without);
    if (!trial.ok || trial.script != result_.trial.script || !has_workload(trial)) return false;
    const Score now = score(trial);
    if (now > score_) return false;
    score_ = now;
    result_.spec = std::move(without);
    result_.trial = std::move(trial);
    return true;
  }

  // Halves what cannot be left out together.
  void leave_out(std::span<const std::string> paths) {
    if (paths.empty() || try_without(paths) || paths.size() == 1) return;
    leave_out(paths.first(paths.size() / 2));
    leave_out(paths.subspan(paths.size() / 2));
  }

  void leave_out_derived() {
    score_ = score(result_.trial);
    leave_out(derivable(result_.spec));
  }

  enum class Defaults { ignored, compared };

  void compare(Defaults defaults = Defaults::ignored) {
    const auto prepared = [&](const Value& object) {
      return defaults == Defaults::ignored ? normalized(object) : object;
    };
    result_.compared.clear();
    for (const ObjectPair& pair :
         pair_objects(workload_, result_.object, input_, result_.trial.objects)) {
      Compared& compared = result_.compared.emplace_back(Compared{pair, {}, {}});
      if (pair.input < 0 || pair.compiled < 0) continue;
      ObjectView object = view(pair);
      compared.renamed = std::move(object.renamed);
      compared.differences =
          differences(prepared(object.object),
                      prepared(result_.trial.objects[static_cast<std::size_t>(pair.compiled)]));
    }
  }

  bool is_equal() const {
    return std::ranges::all_of(result_.compared, [](const Compared& compared) {
      return compared.pair.input >= 0 && compared.pair.compiled >= 0 &&
             compared.differences.empty();
    });
  }

  // What compile made itself keeps the defaults that it states.
  void keep_stated_defaults() {
    if (!is_equal()) return;
    compare(Defaults::compared);
    const bool all = is_equal();
    if (!all && result_.spec.find("patches") != nullptr) {
      result_.spec.erase("patches");
      compile();
      compare(Defaults::compared);
    }
    if (!all) add_patches();
    compare();
  }

  void add_patches() {
    std::vector<Value> patches;
    for (const Compared& compared : result_.compared) {
      if (compared.pair.input < 0 || compared.pair.compiled < 0) continue;
      std::vector<Difference> wanted;
      std::ranges::copy_if(compared.differences, std::back_inserter(wanted), can_be_patched);
      if (wanted.empty()) continue;
      const Value& object = result_.trial.objects[static_cast<std::size_t>(compared.pair.compiled)];
      const auto of_kind = std::ranges::count_if(result_.trial.objects, [&](const Value& each) {
        return each.text_at({"kind"}) == object.text_at({"kind"});
      });
      for (Value& patch : patches_for(object, wanted, of_kind > 1)) {
        names_.restore(patch);
        patches.push_back(std::move(patch));
      }
    }
    if (patches.empty()) return;
    const Synthesis before = result_;
    result_.spec["patches"] = Value::sequence();
    for (Value& patch : patches) result_.spec["patches"].push(std::move(patch));
    compile_and_repair();
    // A patch may break what the compiler cannot point at.
    if (!result_.trial.ok) result_ = before;
    compare();
  }

  const Workload& workload_;
  const Material& input_;
  const catalog::Catalog& catalog_;
  const Compiler& compiler_;
  Placeholders& names_;
  Score score_;
  Synthesis result_;
};

}  // namespace

Synthesis synthesize(const Workload& workload, std::size_t object, const Material& input,
                     const catalog::Catalog& catalog, const Compiler& compiler,
                     Placeholders& names) {
  return Synthesizer(workload, object, input, catalog, compiler, names).run();
}

}  // namespace flexslice::imports
