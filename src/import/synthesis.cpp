#include "import/synthesis.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/lists.hpp"
#include "import/autoscaler.hpp"
#include "import/claims.hpp"
#include "import/defaults.hpp"
#include "import/fields.hpp"
#include "import/older.hpp"
#include "import/order.hpp"
#include "import/patches.hpp"
#include "resolve/workload_names.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

// Compiles of a draft: what is refused or derived otherwise may show only without another value.
constexpr int most_rounds = 6;

// GKE makes it with a cluster.
constexpr std::string_view default_pool = "default-pool";

// A live Job states none of the defaults of its policy, or all.
void drop_defaults_of_policy(Value& spec) {
  Value* policy = find(spec, path_of("workload.podFailurePolicy"));
  if (policy == nullptr) return;
  Value job = Value::mapping();
  job["apiVersion"] = Value::string("batch/v1");
  job["kind"] = Value::string("Job");
  job["spec"]["podFailurePolicy"] = std::move(*policy);
  job = normalized(std::move(job));
  const Value* normal = job.at({"spec", "podFailurePolicy"});
  *policy = normal == nullptr ? Value() : *normal;
}

class Synthesizer {
 public:
  Synthesizer(const FoundWorkload& workload, Parts parts, const Material& input,
              const catalog::Catalog& catalog, const Compiler& compiler)
      : workload_(workload), input_(input), catalog_(catalog), compiler_(compiler) {
    result_.parts = std::move(parts);
  }

  Synthesis run() {
    Draft first = draft(workload_, result_.parts, input_, catalog_);
    result_.todo = std::move(first.todo);
    said_ = std::move(first.spec);
    leave_out_derived();
    if (result_.trial.ok) {
      const Synthesis unpatched = result_;
      compare(Defaults::ignored);
      add_patches();
      keep_stated_defaults(unpatched);
    }
    put_in_order(result_.spec);
    mark_open();
    return std::move(result_);
  }

 private:
  void compile() {
    put_in_order(result_.spec);
    result_.trial = compiler_.compile(result_.spec, result_.names);
  }

  // A placeholder that check refuses is for the reader of the spec to fill in.
  void mark_open() {
    if (result_.names.all().empty()) return;
    const Trial trial = compiler_.judge(result_.spec);
    for (const diag::Diagnostic& finding : trial.diagnostics) {
      if (finding.code == diag::Code::Placeholder)
        annotate(result_.spec, path_at(trial.tree, finding.where.begin),
                 "TODO: " + finding.message);
    }
  }

  // Takes out of the spec what a rule refuses and the spec can do without. Whether there was
  // anything.
  bool take_out_refused(Value& spec) {
    std::vector<Refusal> refused;
    for (const diag::Diagnostic& finding : result_.trial.diagnostics) {
      if (finding.level > diag::Level::soft || may_be_newer(finding)) continue;
      Path path = removable(path_at(result_.trial.tree, finding.where.begin));
      const Value* value = path.empty() ? nullptr : find(spec, path);
      const auto is_known = [&](const Refusal& each) { return each.path == path; };
      if (value != nullptr && !any_of(refused, is_known))
        refused.push_back({std::move(path), *value, finding.code, finding.message});
    }
    // From the end, so that what is removed moves no other.
    std::ranges::sort(refused, std::ranges::greater{}, &Refusal::path);
    for (const Refusal& each : refused) remove(spec, each.path);
    std::ranges::move(refused, std::back_inserter(result_.refusals));
    return !refused.empty();
  }

  // Leaves out fields that the compiler derives again, so that the result is the same without them.
  void leave_out_derived() {
    leave_out_decided(said_, catalog_, result_.names);
    std::vector<Path> left_out = derivable(said_);
    for (int round = 0; round < most_rounds; ++round) {
      result_.spec = said_;
      for (const Path& path : left_out) remove(result_.spec, path);
      // The derived fields of a record appear only where the record is there.
      for (const Path& path : derivable_records(said_)) {
        if (!contains(left_out, path) && find(result_.spec, path) == nullptr)
          (*find(result_.spec, PathView(path).first(path.size() - 1)))[path.back()] =
              Value::mapping();
      }
      compile();
      if (keep_serving_ports(left_out) || keep_classes(left_out) || keep_needed(left_out) ||
          leave_refused_claims(result_.trial, said_))
        continue;
      if (take_out_refused(said_)) {
        leave_out_decided(said_, catalog_, result_.names);
        left_out = derivable(said_);
      } else if (!result_.trial.ok) {
        if (left_out.empty()) return;
        left_out.clear();
      } else {
        const bool is_same = is_same_without(left_out);
        if (!add_missing_fields() && is_same && !leave_other_claims()) return;
      }
    }
  }

  // Takes the ports of clients off the list, where something needs one. Whether there were any.
  bool keep_serving_ports(std::vector<Path>& left_out) const {
    const auto is_missing = [](const diag::Diagnostic& finding) {
      return finding.code == diag::Code::ServingPortMissing;
    };
    if (!any_of(result_.trial.diagnostics, is_missing)) return false;
    const Path of_leader{"workload", "leader", "ports"};
    const auto is_of_clients = [&](const Path& path) {
      if (find(said_, of_leader) != nullptr &&
          (path == of_leader || path == path_of("workload.leader")))
        return true;
      const Value* port = contains(path, std::string("ports")) ? find(said_, path) : nullptr;
      return port != nullptr && port->is_scalar() &&
             !any_of(catalog_.ports, [&](const catalog::Port& each) {
               return std::to_string(each.number) == port->text;
             });
    };
    return std::erase_if(left_out, is_of_clients) > 0;
  }

  // Takes values off the list for want of which a rule refuses another one. Whether there were any.
  bool keep_needed(std::vector<Path>& left_out) {
    if (result_.trial.ok || left_out.empty()) return false;
    const Synthesis before = result_;
    const auto is_fine_without = [&](const std::vector<Path>& paths) {
      result_.spec = said_;
      for (const Path& path : paths) remove(result_.spec, path);
      compile();
      return result_.trial.ok;
    };
    std::vector<Path> others = left_out;
    if (is_fine_without({})) {
      const auto needed = std::ranges::find_if(left_out, [&](const Path& path) {
        others = left_out;
        std::erase(others, path);
        return is_fine_without(others);
      });
      // No value alone is enough.
      if (needed == left_out.end()) {
        others.clear();
        for (const Path& path : left_out) {
          others.push_back(path);
          if (!is_fine_without(others)) others.pop_back();
        }
      }
    }
    result_ = before;
    const bool any = others.size() < left_out.size();
    left_out = std::move(others);
    return any;
  }

  // Takes the classes of claims that are refused without them off the list. Whether there were any.
  bool keep_classes(std::vector<Path>& left_out) const {
    const std::vector<Path> refused = refused_claims(result_.trial);
    return std::erase_if(left_out, [&](const Path& path) {
             return path.back() == "class" && contains(refused, Path(path.begin(), path.end() - 1));
           }) > 0;
  }

  // Leaves the claims that compile would make otherwise. Whether there were any.
  bool leave_other_claims() {
    bool any = false;
    for (const ObjectPair& pair :
         pair_objects(workload_, result_.parts, input_, result_.trial.objects)) {
      if (pair.compiled < 0) continue;
      const Value& claim = result_.trial.objects[static_cast<std::size_t>(pair.compiled)];
      if (claim.text_at({"kind"}) != "PersistentVolumeClaim") continue;
      if (pair.input < 0 || !is_same_claim(differences(
                                normalized(prepared(pair.input, claim).object), normalized(claim))))
        any |= leave_claim(result_.names.restored(std::string(claim.text_at({"metadata", "name"}))),
                           said_);
    }
    return any;
  }

  // Takes the paths off the list that the compiler says otherwise, or not, without them.
  bool is_same_without(std::vector<Path>& left_out) {
    const std::optional<Value> again = draft_again();
    if (!again) return true;
    Value said = said_, compiled = *again;
    result_.names.fill_spec(said);
    for (Value* spec : {&said, &compiled}) drop_defaults_of_policy(*spec);
    const std::vector<Path> before = left_out;
    return std::erase_if(left_out, [&](const Path& path) {
             return !has_same(said, compiled, path) &&
                    !contains(before, Path(path.begin(), path.end() - 1));
           }) == 0;
  }

  // Adds what the input has and the compiled workload lacks. Returns true if there was any.
  bool add_missing_fields() {
    const Value before = said_;
    const Value* object = compiled_workload();
    const auto compiled = object == nullptr ? std::nullopt : workload_in(*object);
    if (compiled) add_missing(workload_, *compiled, said_);
    // In a list whose refused item is out already, another has its place.
    for (const Refusal& refusal : result_.refusals) {
      const Value* value = find(said_, refusal.path);
      if (value != nullptr && *value == refusal.value) remove(said_, refusal.path);
    }
    return !(before == said_);
  }

  const Value* compiled_workload() const {
    return find_where(result_.trial.objects, [&](const Value& object) {
      return object.text_at({"kind"}) == workload_.object->text_at({"kind"});
    });
  }

  // The draft of what was compiled, if that is a workload of the kind.
  std::optional<Value> draft_again() {
    Trial& trial = result_.trial;
    const Value* object = compiled_workload();
    if (object == nullptr) return std::nullopt;
    const auto main = static_cast<std::size_t>(object - trial.objects.data());
    Material compiled;
    compiled.nodes_by_gke = input_.nodes_by_gke;
    compiled.commands = trial.commands;
    for (Value& each : trial.objects) compiled.objects.push_back({std::move(each)});
    auto workload = workload_in(compiled.objects[main].value);
    if (workload) count_scaled_slices(*workload, compiled.objects);
    std::optional<Value> spec;
    if (workload && workload->pod != nullptr)
      spec = draft(*workload,
                   {main, commands_of(*workload, compiled, catalog_),
                    services_of(*workload, compiled.objects)},
                   compiled, catalog_)
                 .spec;
    for (std::size_t i = 0; i < trial.objects.size(); ++i)
      trial.objects[i] = std::move(compiled.objects[i].value);
    return spec;
  }

  // An object of the input, with a name in place of each placeholder.
  ObjectView prepared(int index, const Value& compiled) {
    Value object = input_.objects[static_cast<std::size_t>(index)].value;
    const Value* name = result_.spec.find("name");
    result_.names.fill(object);
    write_terms_as_compiled(object, compiled);
    const Value* jobs = compiled.at({"spec", "replicatedJobs"});
    return view_of(std::move(object), result_.names.filled(name == nullptr ? "" : name->text),
                   jobs == nullptr ? "" : jobs->items.front().text_at({"name"}));
  }

  enum class Defaults { ignored, compared };

  void compare(Defaults defaults) {
    result_.compared.clear();
    for (const ObjectPair& pair :
         pair_objects(workload_, result_.parts, input_, result_.trial.objects)) {
      Compared& compared = result_.compared.emplace_back(Compared{pair, {}, {}});
      if (pair.input < 0 || pair.compiled < 0) continue;
      const Value& object = result_.trial.objects[static_cast<std::size_t>(pair.compiled)];
      ObjectView view = prepared(pair.input, object);
      compared.renamed = std::move(view.renamed);
      compared.differences = defaults == Defaults::compared
                                 ? differences(view.object, object)
                                 : differences(normalized(view.object), normalized(object));
      drop_scaled_count(compared);
      drop_name_of_policy(compared);
      // A default that is stated is no gap to be filled.
      for (Difference& each : compared.differences) {
        if (!each.is_added()) continue;
        if (const Value* stated = value_at(view.object, each.path)) {
          each.input = *stated;
          each.where = stated->origin;
        }
      }
    }
  }

  // The name of a policy has that of the cluster, which the input may not say.
  void drop_name_of_policy(Compared& compared) const {
    if (!result_.spec.text_at({"cluster", "name"}).empty()) return;
    std::erase_if(compared.differences, [](const Difference& each) {
      if (each.path.back().key != "policyName" || !each.compiled.is_string()) return false;
      std::string_view base = each.compiled.text;
      if (!base.ends_with(resolve::policy_suffix)) return false;
      base.remove_suffix(resolve::policy_suffix.size());
      return each.input.text.starts_with(std::string(base) + '-') &&
             each.input.text.ends_with(resolve::policy_suffix);
    });
  }

  // The autoscaler decides the number, and a patch would set it back.
  void drop_scaled_count(Compared& compared) {
    if (result_.spec.at({"workload", "autoscaling"}) == nullptr) return;
    const auto is_count = [](const Difference& each) {
      return each.is_lost() && each.path.size() == 2 && each.path[0].key == "spec" &&
             each.path[1].key == "replicas";
    };
    if (compared.differences.empty()) return;
    for (const Difference& each : compared.differences) {
      if (is_count(each)) compared.scaled_count = each.where;
    }
    std::erase_if(compared.differences, is_count);
  }

  // Objects that are compiled as well, such as a queue that the input lacks, are no difference.
  bool is_equal() const {
    return std::ranges::all_of(result_.compared, [](const Compared& each) {
      return each.pair.compiled >= 0 && (each.pair.input < 0 || each.differences.empty());
    });
  }

  // Keep defaults that our own output spells out.
  void keep_stated_defaults(const Synthesis& unpatched) {
    if (!is_equal()) return;
    compare(Defaults::compared);
    if (!is_equal()) {
      result_ = unpatched;
      compare(Defaults::compared);
      add_patches();
    }
    compare(Defaults::ignored);
  }

  // No pod starts on a node pool that the new cluster does not have.
  bool selects_missing_pool(const Difference& difference) const {
    if (result_.spec.text_at({"cluster", "create"}) != "true") return false;
    const auto is_missing = [&](std::string_view pool) {
      return pool != default_pool && !any_of(result_.trial.commands, [&](const NodeCommand& each) {
               return each.name == create_pool && each.operand == pool;
             });
    };
    if (difference.path.back().key == pool_label) return is_missing(difference.input.text);
    return yaml::find_in_tree(difference.input, [&](const Value& each) {
             const Value* pool = each.find(pool_label);
             return pool != nullptr && is_missing(pool->text);
           }) != nullptr;
  }

  // Leaves out patches without which the others compile.
  void add_possible_patches(const Synthesis& unpatched, const std::vector<Value>& patches) {
    result_ = unpatched;
    for (const Value& patch : patches) {
      Synthesis before = result_;
      result_.spec["patches"].push(patch);
      compile();
      if (!result_.trial.ok) result_ = std::move(before);
    }
  }

  void add_patches() {
    std::vector<Value> patches;
    for (const Compared& compared : result_.compared) {
      if (compared.pair.input < 0 || compared.pair.compiled < 0) continue;
      std::vector<Difference> wanted = patchable(compared.differences);
      std::erase_if(wanted, [&](const Difference& each) {
        return is_refused(result_, each) || selects_missing_pool(each);
      });
      if (wanted.empty()) continue;
      const Value& object = result_.trial.objects[static_cast<std::size_t>(compared.pair.compiled)];
      if (is_of_volumes(object.text_at({"kind"}))) continue;
      const auto of_kind = std::ranges::count_if(result_.trial.objects, [&](const Value& each) {
        return each.text_at({"kind"}) == object.text_at({"kind"});
      });
      for (Value& patch : patches_for(object, wanted, of_kind > 1)) {
        result_.names.restore(patch);
        patches.push_back(std::move(patch));
      }
    }
    if (patches.empty()) return;
    const Synthesis unpatched = result_;
    result_.spec["patches"] = Value::sequence();
    result_.spec["patches"].items = patches;
    compile();
    for (int round = 0; round < most_rounds && take_out_refused(result_.spec); ++round) compile();
    // A difference that a patch does not keep is reported itself, not the refusal of the patch.
    result_.refusals = unpatched.refusals;
    if (!result_.trial.ok) add_possible_patches(unpatched, patches);
    compare(Defaults::ignored);
    leave_out_patched();
  }

  // A list that a patch replaces is in the patch alone: what a field adds to it has no effect. A
  // strategic one adds to lists, but for tolerations.
  void leave_out_patched() {
    for (const char* key : {"env", "volumes", "tolerations"}) {
      const Path path{"workload", key};
      const Value* patches = result_.spec.find("patches");
      if (patches == nullptr || find(result_.spec, path) == nullptr ||
          yaml::find_in_tree(*patches, [&](const Value& each) {
            const Value* list = each.find(key);
            return list != nullptr && list->is_sequence();
          }) == nullptr)
        continue;
      const Synthesis before = result_;
      remove(result_.spec, path);
      compile();
      const bool is_same = std::ranges::equal(
          result_.trial.objects, before.trial.objects,
          [](const Value& a, const Value& b) { return differences(a, b).empty(); });
      if (!is_same) result_ = before;
    }
  }

  const FoundWorkload& workload_;
  const Material& input_;
  const catalog::Catalog& catalog_;
  const Compiler& compiler_;
  Value said_;  // all that the language has fields for
  Synthesis result_;
};

}  // namespace

bool is_refused(const Synthesis& synthesis, const Difference& difference) {
  const auto is_read_from_it = [&](const Value& part) {
    return yaml::find_in_tree(difference.input, [&](const Value& each) {
             return each.origin != Span{} &&
                    (each.origin == part.origin || each.origin == part.key_origin);
           }) != nullptr;
  };
  return any_of(synthesis.refusals, [&](const Refusal& refusal) {
    return !is_limit_of_spec(refusal) &&
           yaml::find_in_tree(refusal.value, is_read_from_it) != nullptr;
  });
}

Synthesis synthesize(Parts parts, const Material& input, const catalog::Catalog& catalog,
                     const Compiler& compiler) {
  const FoundWorkload workload = *workload_in(input.objects[parts.object].value);
  return Synthesizer(workload, std::move(parts), input, catalog, compiler).run();
}

}  // namespace flexslice::imports
