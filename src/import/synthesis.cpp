#include "import/synthesis.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "import/defaults.hpp"
#include "import/fields.hpp"
#include "import/patches.hpp"
#include "import/shapes.hpp"
#include "import/write.hpp"
#include "yaml/emit.hpp"

namespace flexslice::imports {

using yaml::Node;
using yaml::Value;

namespace {

constexpr int most_refusals = 40;
constexpr std::size_t most_tried = 20;

class Synthesizer {
 public:
  Synthesizer(const Workload& workload, Parts parts, const Material& input,
              const catalog::Catalog& catalog, const Compiler& compiler)
      : workload_(workload), input_(input), catalog_(catalog), compiler_(compiler) {
    result_.parts = std::move(parts);
  }

  Synthesis run() {
    Draft first = draft(workload_, result_.parts, input_, catalog_);
    result_.todo = std::move(first.todo);
    said_ = std::move(first.spec);
    leave_out_derived();
    if (!result_.trial.ok || first_refusal()) {
      repair();
      if (!result_.trial.ok && !stand_in()) return finish();
      leave_out_derived();
    }
    compare();
    add_patches();
    keep_stated_defaults();
    leave_out_patched();
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
      if (finding.level > diag::Level::soft || may_be_newer(finding)) continue;
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
      // A list with many of them goes as a whole.
      const bool is_item = refusal->path.front() == "patches" && refusal->path.size() > 2;
      if (i >= most_refusals / 2 && is_item && text::is_index(refusal->path.back()))
        refusal->path.pop_back();
      remove(result_.spec, refusal->path);
      result_.refusals.push_back(std::move(*refusal));
      compile();
    }
  }

  // The same of all that is said.
  void repair() {
    result_.spec = said_;
    compile_and_repair();
    remove_refused();
  }

  // Takes what the compiler refused out of what is said; the first are taken out already.
  void remove_refused(std::size_t removed = 0) {
    for (std::size_t i = removed; i < result_.refusals.size(); ++i)
      remove(said_, result_.refusals[i].path);
  }

  // Compiles with stand-ins for what is not filled in, or not valid in the cluster's fields: what
  // the rest of the spec lacks shows only then. False: it does not compile with them either.
  bool stand_in() {
    bool open = false;
    Placeholders& names = result_.names;
    const Synthesis before = result_;
    for (const diag::Diagnostic& finding : before.trial.diagnostics) {
      const Path path = path_at(before.trial.tree, finding.where.begin);
      const Value* value = find(said_, path);
      if (finding.level > diag::Level::soft || value == nullptr || !value->is_string()) continue;
      open = open || path.front() == "tpu";
      if (path.front() == "cluster") names.stand_in(path, names.name_for(value->text));
    }
    const Synthesis named = result_;
    for (const Shape& shape :
         open ? likely_shapes(*said_.find("tpu"), workload_, catalog_) : std::vector<Shape>(1)) {
      result_ = named;
      use(shape);
      compile_and_repair();
      const bool breaks_pools = any_of(result_.refusals, [](const Refusal& refusal) {
        return refusal.path.front() == "provisioning";
      });
      if (!result_.trial.ok || (open && breaks_pools)) continue;
      remove_refused(before.refusals.size());
      result_.refused = before.trial;
      result_.shape_is_open = open;
      return true;
    }
    result_ = before;
    return false;
  }

  void use(const Shape& shape) {
    const auto set = [&](const char* key, const std::string& text) {
      const Value* value = said_.at({"tpu", key});
      if (value != nullptr && !text.empty() && Placeholders::is_in(value->text))
        result_.names.stand_in({"tpu", key}, text);
    };
    set("type", shape.type);
    set("topology", shape.topology);
    set("machineType", shape.machine_type);
  }

  // What the input has and the compiled workload lacks. Whether there was anything to add.
  bool add_missing_fields() {
    const Value before = said_;
    const Value* object = compiled_workload(result_.trial);
    const auto compiled = object == nullptr ? std::nullopt : workload_in(*object);
    if (compiled) add_missing(workload_, *compiled, said_);
    remove_refused();
    return !(before == said_);
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
    std::optional<Value> normalized;  // once it is needed
  };
  Prepared& prepared(int index, const Value& compiled) {
    const auto [place, is_new] = prepared_.try_emplace(index);
    if (is_new) {
      Value object = input_.objects[static_cast<std::size_t>(index)].value;
      const Value* name = result_.spec.find("name");
      result_.names.fill(object);
      ObjectView& view = place->second.view;
      const Value* jobs = compiled.at({"spec", "replicatedJobs"});
      view = view_of(std::move(object), result_.names.filled(name == nullptr ? "" : name->text),
                     jobs == nullptr ? "" : jobs->items.front().text_at({"name"}));
    }
    return place->second;
  }

  // The draft of what was compiled, if that is a workload of the kind.
  std::optional<Value> draft_again() {
    Trial& trial = result_.trial;
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
      spec = draft(*workload,
                   {main, commands_of(*workload, compiled, catalog_),
                    Services(compiled.objects).serving(*workload)},
                   compiled, catalog_)
                 .spec;
    for (std::size_t i = 0; i < trial.objects.size(); ++i)
      trial.objects[i] = std::move(compiled.objects[i].value);
    return spec;
  }

  void compile_without(const std::vector<Path>& paths) {
    result_.spec = said_;
    for (const Path& path : paths) remove(result_.spec, path);
    compile();
    left_out_ = paths;
  }

  // Paths whose value the compiler does not say without them: `differing` says another, `unknown`
  // has lost the record around it.
  struct NotDerived {
    std::vector<Path> differing, unknown;
  };
  // Nothing: without the paths there is no such workload.
  std::optional<NotDerived> compare_without(const std::vector<Path>& paths) {
    compile_without(paths);
    const std::optional<Value> again = draft_again();
    if (!again) return std::nullopt;
    Value said = said_;
    result_.names.fill_spec(said);
    NotDerived result;
    for (const Path& path : paths) {
      if (has_same(said, *again, path) || contains(paths, Path(path.begin(), path.end() - 1)))
        continue;
      (has_parent(*again, path) ? result.differing : result.unknown).push_back(path);
    }
    return result;
  }

  // What is compiled without a field says the same again if the compiler derives it.
  void leave_out_derived() {
    std::vector<Path> paths = derivable(said_);
    // For another shape than the stand-in, the compiler derives other values.
    if (result_.shape_is_open)
      std::erase_if(paths, [](const Path& path) { return depends_on_shape(path); });
    // The kind and the machine type decide what the other fields mean, and without zones there may
    // be no pool.
    const Path kind{"workload", "kind"}, machine_type{"tpu", "machineType"},
        zones{"provisioning", "zones"};
    std::vector<std::vector<Path>> deciding{{}, {machine_type}, {kind}, {machine_type, kind}};
    if (workload_.word != "job") std::swap(deciding[1], deciding[2]);
    for (const auto& kept : deciding) {
      std::vector<Path> left_out = paths;
      std::erase_if(left_out,
                    [&](const Path& path) { return path == zones || contains(kept, path); });
      std::vector<Path> unknown;
      if (!leave_out_same(left_out, unknown)) continue;
      if (contains(paths, zones)) unknown.push_back(zones);
      if (!unknown.empty()) leave_out(unknown, left_out);
      return;
    }
    std::vector<Path> left_out;
    compile_without(left_out);
    if (!result_.trial.ok) return;
    add_missing_fields();
    leave_out(paths, left_out);
  }

  // Puts back what is not derived, until all is. False: without the paths there is no such
  // workload.
  bool leave_out_same(std::vector<Path>& left_out, std::vector<Path>& unknown) {
    for (;;) {
      const auto back = compare_without(left_out);
      if (!back) return false;
      const bool has_all = !add_missing_fields();
      if (back->differing.empty() && back->unknown.empty() && has_all) return true;
      unknown.insert(unknown.end(), back->unknown.begin(), back->unknown.end());
      std::erase_if(left_out, [&](const Path& path) {
        return contains(back->differing, path) || contains(back->unknown, path);
      });
    }
  }

  // Adds those of the paths that can be left out too; where none can, those of each half.
  void leave_out(std::span<const Path> paths, std::vector<Path>& left_out) {
    std::vector<Path> more = left_out, unknown;
    more.insert(more.end(), paths.begin(), paths.end());
    const bool any = leave_out_same(more, unknown) &&
                     any_of(paths, [&](const Path& path) { return contains(more, path); });
    if (any) left_out = std::move(more);
    if (!any && paths.size() > 1) {
      leave_out(paths.first(paths.size() / 2), left_out);
      leave_out(paths.subspan(paths.size() / 2), left_out);
    }
    if (left_out_ != left_out) compile_without(left_out);
  }

  enum class Defaults { ignored, compared };

  void compare(Defaults defaults = Defaults::ignored) {
    result_.compared.clear();
    is_same_ = true;
    const Matcher matcher(workload_, result_.parts, input_);
    for (const ObjectPair& pair : matcher.pair(result_.trial.objects)) {
      Compared& compared = result_.compared.emplace_back(Compared{pair, {}, {}});
      if (pair.input < 0 || pair.compiled < 0) continue;
      const Value& object = result_.trial.objects[static_cast<std::size_t>(pair.compiled)];
      auto& [view, normalized_view] = prepared(pair.input, object);
      compared.renamed = view.renamed;
      compared.differences = differences(view.object, object);
      is_same_ = is_same_ && compared.differences.empty();
      if (defaults == Defaults::compared || compared.differences.empty()) continue;
      if (!normalized_view) normalized_view = normalized(view.object);
      compared.differences = differences(*normalized_view, normalized(object));
      if (result_.shape_is_open)
        std::erase_if(compared.differences,
                      [](const Difference& each) { return follows_from_shape(each); });
      // A default that is stated is no gap to be filled.
      for (Difference& each : compared.differences) {
        if (!each.is_added()) continue;
        if (const Value* stated = value_at(view.object, each.path)) each.input = *stated;
      }
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
    if (is_same_ || !is_equal()) return;
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
      const std::vector<Difference> wanted = patchable(compared.differences);
      if (wanted.empty()) continue;
      const Value& object = result_.trial.objects[static_cast<std::size_t>(compared.pair.compiled)];
      const auto of_kind = std::ranges::count_if(result_.trial.objects, [&](const Value& each) {
        return each.text_at({"kind"}) == object.text_at({"kind"});
      });
      for (Value& patch : patches_for(object, wanted, of_kind > 1)) {
        // It would keep the stand-in's where another shape is filled in.
        if (result_.shape_is_open && holds_shape(*patch.find("merge"))) continue;
        result_.names.restore(patch);
        patches.push_back(std::move(patch));
      }
    }
    if (patches.empty()) return;
    unpatched_ = result_;
    if (!compile_with(patches)) add_one_by_one(patches);
    compare();
  }

  bool compile_with(std::span<const Value> patches) {
    Value& list = result_.spec["patches"];
    if (!list.is_sequence()) list = Value::sequence();
    for (const Value& patch : patches) list.push(Value(patch));
    compile_and_repair();
    // The patches were ours: what they do not keep is told by what it is.
    auto& refusals = result_.refusals;
    const auto ours = std::stable_partition(
        refusals.begin(), refusals.end(),
        [](const Refusal& refusal) { return refusal.path.front() != "patches"; });
    const std::vector<Refusal> refused(ours, refusals.end());
    refusals.erase(ours, refusals.end());
    if (!result_.trial.ok) return false;
    // Without the item, a list may be what is compiled anyway.
    for (const Refusal& refusal : refused) {
      const Path holder(refusal.path.begin(), refusal.path.end() - 1);
      const Value* rest = find(result_.spec, holder);
      if (rest != nullptr && rest->is_sequence()) leave_out_without_effect(holder);
    }
    return true;
  }

  // A patch may break what the compiler cannot point at: the others are kept.
  void add_one_by_one(std::span<const Value> patches) {
    result_ = *unpatched_;
    if (patches.size() == 1) return;
    for (const Value& patch : patches.first(std::min(patches.size(), most_tried))) {
      Synthesis before = result_;
      if (!compile_with({&patch, 1})) result_ = std::move(before);
    }
  }

  // A list that a patch replaces is said there alone: what a field adds to it has no effect.
  void leave_out_patched() {
    if (result_.spec.find("patches") == nullptr || !result_.trial.ok) return;
    for (const char* key : {"env", "volumes", "tolerations"}) {
      const Path path{"workload", key};
      if (find(result_.spec, path) == nullptr || !has_list(*result_.spec.find("patches"), key))
        continue;
      leave_out_without_effect(path);
    }
  }

  void leave_out_without_effect(const Path& path) {
    Value spec = result_.spec;
    Trial trial = std::move(result_.trial);
    remove(result_.spec, path);
    compile();
    // A patch may put keys into another order.
    if (result_.trial.ok && std::ranges::equal(result_.trial.objects, trial.objects,
                                               [](const Value& a, const Value& b) {
                                                 return differences(a, b).empty();
                                               }))
      return;
    result_.spec = std::move(spec);
    result_.trial = std::move(trial);
  }

  static bool has_list(const Value& value, std::string_view key) {
    const auto holds_it = [&](const Value& each) {
      const Value* list = each.find(key);
      return list != nullptr && list->is_sequence();
    };
    return yaml::find_in_tree(value, holds_it) != nullptr;
  }

  const Workload& workload_;
  const Material& input_;
  const catalog::Catalog& catalog_;
  const Compiler& compiler_;
  Value said_;                        // all that the language has fields for
  std::vector<Path> left_out_;        // of what is said, in the last trial
  std::map<int, Prepared> prepared_;  // by the index of the object
  bool is_same_ = false;              // what was compared last, before defaulting
  Synthesis result_;
  std::optional<Synthesis> unpatched_;  // if it has patches
};

}  // namespace

Synthesis synthesize(Parts parts, const Material& input, const catalog::Catalog& catalog,
                     const Compiler& compiler) {
  const Workload workload = *workload_in(input.objects[parts.object].value);
  return Synthesizer(workload, std::move(parts), input, catalog, compiler).run();
}

}  // namespace flexslice::imports
