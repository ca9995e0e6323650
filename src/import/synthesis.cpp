#include "import/synthesis.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/lists.hpp"
#include "import/defaults.hpp"
#include "import/fields.hpp"
#include "import/patches.hpp"
#include "import/write.hpp"
#include "yaml/emit.hpp"

namespace flexslice::imports {

using yaml::Node;
using yaml::Value;

namespace {

constexpr int most_refusals = 40;

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
  Synthesizer(const Workload& workload, std::size_t object, NodeCommands commands,
              const Material& input, const catalog::Catalog& catalog, const Compiler& compiler)
      : workload_(workload),
        input_(input),
        catalog_(catalog),
        compiler_(compiler),
        matcher_(workload, object, input) {
    result_.object = object;
    result_.commands = std::move(commands);
  }

  Synthesis run() {
    Draft first = draft(workload_, result_.commands, input_, catalog_);
    result_.todo = std::move(first.todo);
    result_.spec = std::move(first.spec);
    if (!compile_what_is_said()) {
      compile_and_repair();
      if (!result_.trial.ok) return finish();
      const Value before = result_.spec;
      complete(result_.trial);
      if (!(before == result_.spec)) compile_and_repair();
      if (!result_.trial.ok) return finish();
      leave_out_derived();
    }
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
    result_.trial = compiler_.compile(result_.spec, result_.names);
  }

  // What the compiler refuses and the spec can do without.
  std::optional<Refusal> first_refusal() const {
    for (const diag::Diagnostic& finding : result_.trial.diagnostics) {
      if (finding.level > diag::Level::soft) continue;
      Path path = removable(path_at(result_.trial.tree, finding.where.begin));
      const Value* value = path.empty() ? nullptr : find(result_.spec, path);
      if (value != nullptr) return Refusal{std::move(path), *value, finding.message};
    }
    return std::nullopt;
  }

  // Leaves out what is refused, one after the other: the next may follow from it.
  void compile_and_repair() {
    compile();
    for (int i = 0; i < most_refusals; ++i) {
      std::optional<Refusal> refusal = first_refusal();
      if (!refusal) return;
      remove(result_.spec, refusal->path);
      result_.refusals.push_back(std::move(*refusal));
      compile();
    }
  }

  // What the input has and the compiled workload lacks.
  void complete(const Trial& trial) {
    const Value* object = compiled_workload(trial);
    const auto compiled = object == nullptr ? std::nullopt : workload_in(*object);
    if (compiled) add_missing(workload_, *compiled, result_.spec);
    for (const Refusal& refusal : result_.refusals) remove(result_.spec, refusal.path);
  }

  const Value* compiled_workload(const Trial& trial) const {
    return find_where(trial.objects, [&](const Value& object) {
      return object.text_at({"kind"}) == workload_.object->text_at({"kind"});
    });
  }

  // An object of the input, with a name in place of each placeholder. All trials are compared with
  // it.
  struct Prepared {
    ObjectView view;
    Value normalized;
  };
  const Prepared& prepared(int index) {
    const auto [place, is_new] = prepared_.try_emplace(index);
    if (is_new) {
      Value object = input_.objects[static_cast<std::size_t>(index)].value;
      const Value* name = result_.spec.find("name");
      result_.names.fill(object);
      ObjectView& view = place->second.view;
      view = view_of(std::move(object), result_.names.filled(name == nullptr ? "" : name->text));
      place->second.normalized = normalized(view.object);
    }
    return place->second;
  }

  // How far the objects are from the input, defaulted fields included: what is lost first, then
  // what is added.
  Score score(const Trial& trial) {
    Score sum;
    for (const ObjectPair& pair : matcher_.pair(trial.objects)) {
      if (pair.input < 0) {
        sum.added += leaves(trial.objects[static_cast<std::size_t>(pair.compiled)]);
        continue;
      }
      const Value& object = prepared(pair.input).view.object;
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

  struct Attempt {
    Value spec;
    Trial trial;
  };

  Attempt without(std::span<const Path> paths) {
    Value spec = result_.spec;
    for (const Path& path : paths) remove(spec, path);
    put_in_order(spec);
    Trial trial = compiler_.compile(spec, result_.names);
    return {std::move(spec), std::move(trial)};
  }

  // Takes the attempt if it comes as near to the input.
  bool take(Attempt& attempt) {
    Trial& trial = attempt.trial;
    if (!trial.ok || trial.script != result_.trial.script || compiled_workload(trial) == nullptr)
      return false;
    const Score now = score(trial);
    if (now > score_) return false;
    score_ = now;
    result_.spec = std::move(attempt.spec);
    result_.trial = std::move(trial);
    return true;
  }

  // The draft of what was compiled, if that is a workload of the kind.
  std::optional<Value> draft_again(Trial& trial) const {
    const Value* object = compiled_workload(trial);
    if (!trial.ok || object == nullptr) return std::nullopt;
    const auto main = static_cast<std::size_t>(object - trial.objects.data());
    Material compiled;
    compiled.nodes_by_gke = input_.nodes_by_gke;
    compiled.commands = trial.commands;
    for (Value& each : trial.objects) compiled.objects.push_back({{}, std::move(each)});
    const auto workload = workload_in(compiled.objects[main].value);
    std::optional<Value> spec;
    if (workload && workload->pod != nullptr)
      spec = draft(*workload, commands_of(*workload, compiled, catalog_), compiled, catalog_).spec;
    for (std::size_t i = 0; i < trial.objects.size(); ++i)
      trial.objects[i] = std::move(compiled.objects[i].value);
    return spec;
  }

  // What may be derived, all together first. The kind and the machine type decide what the other
  // fields mean.
  std::vector<std::vector<Path>> groups() const {
    const std::vector<Path> paths = derivable(result_.spec);
    const Path kind{"workload", "kind"}, machine_type{"tpu", "machineType"};
    std::vector<std::vector<Path>> deciding{{}, {machine_type}, {kind}, {machine_type, kind}};
    if (workload_.word != "job") std::swap(deciding[1], deciding[2]);
    std::vector<std::vector<Path>> groups;
    for (const auto& kept : deciding) {
      std::vector<Path> rest = paths;
      if (std::erase_if(rest, [&](const Path& path) { return contains(kept, path); }) ==
          kept.size())
        groups.push_back(std::move(rest));
    }
    return groups;
  }

  // The short way, for most workloads: what is compiled without the fields tells which of them it
  // derives, and in the end says these again. False: nothing is changed.
  bool compile_what_is_said() {
    const Value all = result_.spec;
    for (const std::vector<Path>& group : groups()) {
      Attempt attempt = without(group);
      const auto again = draft_again(attempt.trial);
      if (!again) continue;
      const auto unknown = [&](const Path& path) { return !has_parent(*again, path); };
      if (std::ranges::any_of(group, unknown)) return false;
      const std::vector<Path> same = same_as(*again, all, group);
      complete(attempt.trial);
      for (const Path& path : same) remove(result_.spec, path);
      put_in_order(result_.spec);
      if (result_.spec == attempt.spec) {
        result_.trial = std::move(attempt.trial);
      } else {
        compile();
      }
      const auto last = draft_again(result_.trial);
      if (last && !first_refusal() && same_as(*last, all, same) == same) return true;
      result_.spec = all;
      return false;
    }
    return false;
  }

  // Those of the paths at which both specs say the same.
  std::vector<Path> same_as(const Value& other, Value spec, std::span<const Path> paths) {
    result_.names.fill_spec(spec);
    std::vector<Path> same;
    for (const Path& path : paths) {
      if (has_same(spec, other, path)) same.push_back(path);
    }
    return same;
  }

  // What is compiled without a field says the same again if the compiler derives it.
  void leave_out_derived() {
    const std::vector<Path> paths = derivable(result_.spec);
    if (paths.empty()) return;
    score_ = score(result_.trial);
    for (const std::vector<Path>& rest : groups()) {
      Attempt attempt = without(rest);
      if (take(attempt)) return;
      if (const auto again = draft_again(attempt.trial)) return leave_out_same(rest, *again);
    }
    leave_out(paths);
  }

  void leave_out_same(std::span<const Path> paths, const Value& again) {
    const std::vector<Path> same = same_as(again, result_.spec, paths);
    std::vector<Path> unknown;
    for (const Path& path : paths) {
      if (!has_parent(again, path)) unknown.push_back(path);
    }
    Attempt attempt = without(same);
    leave_out(same.empty() || take(attempt) ? std::span<const Path>(unknown) : paths);
  }

  // Halves what cannot be left out together.
  void leave_out(std::span<const Path> paths) {
    if (paths.empty()) return;
    Attempt attempt = without(paths);
    if (take(attempt) || paths.size() == 1) return;
    leave_out(paths.first(paths.size() / 2));
    leave_out(paths.subspan(paths.size() / 2));
  }

  enum class Defaults { ignored, compared };

  void compare(Defaults defaults = Defaults::ignored) {
    result_.compared.clear();
    for (const ObjectPair& pair : matcher_.pair(result_.trial.objects)) {
      Compared& compared = result_.compared.emplace_back(Compared{pair, {}, {}});
      if (pair.input < 0 || pair.compiled < 0) continue;
      const auto& [view, normalized_view] = prepared(pair.input);
      const Value& object = result_.trial.objects[static_cast<std::size_t>(pair.compiled)];
      compared.renamed = view.renamed;
      compared.differences = defaults == Defaults::compared
                                 ? differences(view.object, object)
                                 : differences(normalized_view, normalized(object));
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
    std::vector<Compared> equal = std::move(result_.compared);
    compare(Defaults::compared);
    if (is_equal()) {
      result_.compared = std::move(equal);
      return;
    }
    if (unpatched_) {
      result_ = std::move(*unpatched_);
      compare(Defaults::compared);
    }
    add_patches();
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
        result_.names.restore(patch);
        patches.push_back(std::move(patch));
      }
    }
    if (patches.empty()) return;
    unpatched_ = result_;
    result_.spec["patches"] = Value::sequence();
    for (Value& patch : patches) result_.spec["patches"].push(std::move(patch));
    compile_and_repair();
    // The patches were ours: what they do not keep is told by what it is.
    std::erase_if(result_.refusals,
                  [](const Refusal& refusal) { return refusal.path.front() == "patches"; });
    // A patch may break what the compiler cannot point at.
    if (!result_.trial.ok) result_ = *unpatched_;
    compare();
  }

  const Workload& workload_;
  const Material& input_;
  const catalog::Catalog& catalog_;
  const Compiler& compiler_;
  const Matcher matcher_;
  Score score_;
  std::map<int, Prepared> prepared_;  // by the index of the object
  Synthesis result_;
  std::optional<Synthesis> unpatched_;  // if it has patches
};

}  // namespace

Synthesis synthesize(std::size_t object, NodeCommands commands, const Material& input,
                     const catalog::Catalog& catalog, const Compiler& compiler) {
  const Workload workload = *workload_in(input.objects[object].value);
  return Synthesizer(workload, object, std::move(commands), input, catalog, compiler).run();
}

}  // namespace flexslice::imports
