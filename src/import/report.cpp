#include "import/report.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/terraform.hpp"
#include "import/autoscaler.hpp"
#include "import/match.hpp"
#include "import/nodes.hpp"
#include "import/order.hpp"
#include "import/wording.hpp"
#include "spec/kinds.hpp"
#include "yaml/emit.hpp"

namespace flexslice::imports {

using diag::Code;
using yaml::Value;

namespace {

// Nothing outside refers to the names of the jobs of a JobSet and the groups of a Ray cluster.
bool is_name_of_part(const Difference& difference) {
  const auto& path = difference.path;
  if (path.size() < 3) return false;
  const std::string& list = path[path.size() - 3].key;
  return (list == "replicatedJobs" || list == "workerGroupSpecs") &&
         (path.back().key == "name" || path.back().key == "groupName");
}

// The object has the value of the spec there; empty: nowhere.
Span span_in_object(const Value& value, const Value& object) {
  if (value.origin != Span{}) return value.origin;
  const Value* part =
      yaml::find_in_tree(value, [](const Value& each) { return each.origin != Span{}; });
  if (part == nullptr && !value.text.empty())
    part = yaml::find_in_tree(object, [&](const Value& each) { return each.text == value.text; });
  return part == nullptr ? Span{} : part->origin;
}

// No program resolves what annotations say.
const Value* string_with(const Value& value, std::string_view part) {
  if (value.is_string() && value.text.find(part) != std::string::npos) return &value;
  const Value* found = nullptr;
  for (const Value& item : value.items) {
    if (found == nullptr) found = string_with(item, part);
  }
  for (const Value::Member& member : value.members) {
    if (found == nullptr && member.key != "annotations") found = string_with(member.value, part);
  }
  return found;
}

// Launchers make a pool for the head, and a new cluster of compile has room for it in the default
// one.
bool is_pool_of_head(const Difference& difference) {
  return difference.is_lost() && difference.input.find(pool_label) != nullptr;
}

// The entrypoint of a RayJob, which is the script now.
bool runs_script(const Difference& difference) {
  return difference.path.size() == 2 && difference.path[1].key == "entrypoint" &&
         difference.compiled.text.find("/etc/flexslice/script.sh") != std::string::npos;
}

std::string flag_text(const Flag& flag) {
  if (!flag.by_shell.empty())
    return fmt::format("{}={}", flag.name, imports::value_text(Value::string(flag.by_shell)));
  return flag.value.empty() ? flag.name : fmt::format("{}={}", flag.name, flag.value);
}

std::string title_of(const NodeCommand& command) {
  if (command.launch != nullptr)
    return fmt::format("`{}` ({} {})", command.launch->title, command.name, command.operand);
  return extract::in_terraform(fmt::format("`{} {}`", command.name, command.operand),
                               command.block);
}

constexpr std::string_view label_flags[] = {"--node-labels", "--labels"};

// Splits a flag that sets several labels, so that each can be compared.
std::vector<Flag> with_single_labels(const std::vector<Flag>& flags) {
  std::vector<Flag> single;
  for (const Flag& flag : flags) {
    if (!contains(label_flags, flag.name)) {
      single.push_back(flag);
      continue;
    }
    for (std::string_view label : text::split(flag.value, ',')) {
      single.push_back(flag);
      single.back().value = label;
    }
  }
  return single;
}

std::string_view key_of_label(std::string_view label) { return label.substr(0, label.find('=')); }

// By its labels, cleanup.sh knows what provision.sh created.
bool is_of_owner(const Flag& flag) {
  return flag.value.starts_with("flexslice=") || flag.value.starts_with("flexslice-namespace=");
}

// The region or the zone is the location of clusters and pools.
bool is_same_flag(const Flag& input, const Flag& compiled) {
  if (input.name == compiled.name && contains(label_flags, input.name))
    return key_of_label(input.value) == key_of_label(compiled.value);
  return input.name == compiled.name ||
         (compiled.name == "--location" && (input.name == "--region" || input.name == "--zone"));
}

// A scope of Google Cloud may be its whole address.
std::string_view scope_of(std::string_view text) {
  constexpr std::string_view address = "https://www.googleapis.com/auth/";
  return text.starts_with(address) ? text.substr(address.size()) : text;
}

// A size without a unit is in GB, a time without one in seconds.
bool is_same_value(const Flag& input, const Flag& compiled) {
  if (input.name == "--scopes" && scope_of(input.value) == scope_of(compiled.value)) return true;
  if (input.name == "--max-run-duration") {
    const auto seconds = seconds_in(input.value);
    if (seconds && seconds == seconds_in(compiled.value)) return true;
  }
  return input.value == compiled.value ||
         (input.name == "--disk-size" && text::whole_number(input.value) &&
          input.value + "GB" == compiled.value);
}

// gcloud switches off what its list of addons does not name; a block of Terraform leaves it as it
// is.
void drop_default_addons(std::vector<Flag>& flags) {
  constexpr std::string_view defaults = "HttpLoadBalancing,HorizontalPodAutoscaling,";
  for (Flag& flag : flags) {
    if (flag.name == "--addons" && flag.value.starts_with(defaults))
      flag.value.erase(0, defaults.size());
  }
}

// The autoscaler raises a pool without nodes to its least number.
bool is_raised(const Flag& input, const NodeCommand& compiled) {
  const Flag *count = compiled.find(input.name), *least = compiled.find("--min-nodes");
  return input.name == "--num-nodes" && input.value == "0" && count != nullptr &&
         least != nullptr && count->value == least->value;
}

}  // namespace

void Report::spec(Synthesis& synthesis, Material& input) {
  FoundObject& object = input.objects[synthesis.parts.object];
  compare_objects(synthesis, input);
  compare_commands(synthesis, input);
  if (object.launch != nullptr) launch(*object.launch);
  for (const std::size_t cluster : synthesis.parts.commands.clusters) {
    if (const auto& launched = input.commands[cluster].launch) launch(*launched);
  }
  if (!synthesis.trial.ok) {
    for (const std::size_t service : synthesis.parts.services) input.objects[service].used = true;
    const Value* provisioning = synthesis.spec.find("provisioning");
    const bool queued = provisioning != nullptr && provisioning->find("queue") != nullptr;
    for (FoundObject& each : input.objects)
      each.used |= queued && (each.kind == "LocalQueue" || is_behind_queue(each.kind));
  }
  for (const std::string& missing : synthesis.todo) {
    lose<Code::ImportIncomplete>(name_span(object), missing, object_title(object.value));
  }
  refusals(synthesis, input);
  faults(synthesis, object);
  if (!synthesis.trial.ok)
    sink_.report<Code::ImportNotCompared>(name_span(object), object_title(object.value))
        .help("correct the input and import it again");
  variables(synthesis, object);
  unkept(object);
  for (const std::size_t pool : synthesis.parts.commands.ambiguous) {
    equal_ = false;
    used_commands_.push_back(pool);
    sink_.report<Code::ImportAmbiguousPool>(
        input.commands[pool].where, input.commands[pool].operand, object_title(object.value));
  }
}

bool Report::refuse(const FoundWorkload& workload, const Parts& parts, Material& input) {
  const FoundObject& object = input.objects[parts.object];
  const std::string reason =
      reason_against(workload, own_cluster_queue(workload, input) != nullptr);
  if (!stands_alone(object.completeness) || (object.launch == nullptr && is_part(workload))) {
    refuse_part(object);
  } else if (!reason.empty()) {
    sink_.report<Code::ImportCannotDescribe>(name_span(object), object_title(object.value))
        .note(reason)
        .help("keep its own manifest");
  } else {
    return false;
  }
  equal_ = false;
  for (const std::size_t service : parts.services) input.objects[service].used = true;
  for (const auto* indices : {&parts.commands.pools, &parts.commands.ambiguous})
    used_commands_.insert(used_commands_.end(), indices->begin(), indices->end());
  return true;
}

namespace {

bool claims_chips(const Value& pod_spec, const Material& input) {
  const Value* claims = pod_spec.find("resourceClaims");
  return claims != nullptr && any_of(claims->items, [&](const Value& claim) {
           const std::string_view name = claim.text_at({"resourceClaimTemplateName"});
           const std::string_view own = claim.text_at({"resourceClaimName"});
           return any_of(input.objects, [&](const FoundObject& each) {
             return ((each.kind == "ResourceClaimTemplate" && each.name == name) ||
                     (each.kind == "ResourceClaim" && each.name == own)) &&
                    yaml::find_in_tree(each.value, [](const Value& value) {
                      return value.text_at({"deviceClassName"}).find("tpu") != std::string::npos;
                    }) != nullptr;
           });
         });
}

}  // namespace

void Report::refuse_claims(const FoundObject& object) {
  equal_ = false;
  sink_.report<Code::ImportCannotDescribe>(name_span(object), object_title(object.value))
      .note("it gets its chips by a ResourceClaim; a spec requests google.com/tpu")
      .help("keep its own manifest");
}

void Report::refuse_part(const FoundObject& object) {
  lose<Code::ImportPatch>(name_span(object), object_title(object.value))
      .help("`kubectl kustomize DIR > manifests.yaml`, and import the output");
}

void Report::compare_objects(Synthesis& synthesis, Material& input) {
  FoundObject& main = input.objects[synthesis.parts.object];
  if (!main.owner.empty())
    sink_.report<Code::ImportOwned>(name_span(main), object_title(main.value), main.owner);
  for (const Compared& compared : synthesis.compared) {
    const auto [in, out] = compared.pair;
    const Launch* launched = main.launch.get();
    if (in < 0 && launched != nullptr) continue;
    if (in < 0) {
      const Value& added = synthesis.trial.objects[static_cast<std::size_t>(out)];
      sink_.report<Code::ImportAdds>(name_span(main), synthesis.names.restored(object_title(added)),
                                     object_title(main.value));
      continue;
    }
    FoundObject& object = input.objects[static_cast<std::size_t>(in)];
    object.used = true;
    if (out < 0) {
      lose<Code::ImportLoses>(name_span(object), object_title(object.value),
                              object_title(main.value));
      continue;
    }
    for (const auto& [place, old, name, at] : compared.renamed) {
      const std::string text = synthesis.names.restored(place);
      const Span where = at == Span{} ? name_span(object) : at;
      if (launched != nullptr) continue;
      if (name.empty()) {
        diag::Diagnostic& report =
            lose<Code::ImportMakesSidecar>(where, text, object_title(object.value));
        const auto* kind = spec::find_object(object.kind);
        if (kind != nullptr && kind->ends)
          report.note("it is ended when the other containers have ended, and so need not finish");
      } else {
        sink_.report<Code::ImportRenames>(where, text, object_title(object.value),
                                          synthesis.names.restored(name));
      }
    }
    if (compared.scaled_count && !object.is_live)
      sink_.report<Code::ImportLeavesCount>(
          *compared.scaled_count == Span{} ? name_span(object) : *compared.scaled_count,
          object_title(object.value));
    count_of_replicas(object, synthesis.trial.objects[static_cast<std::size_t>(out)], input);
    for (const Difference& each : compared.differences) {
      if (launched != nullptr &&
          (each.is_added() || is_name_of_part(each) || is_pool_of_head(each)))
        continue;
      // A number of slices that is open was reported as missing.
      if (launched != nullptr && each.path.back().key == "replicas" &&
          Placeholders::is_in(synthesis.names.restored(each.input.text)))
        continue;
      const Span where = each.where == Span{} && launched != nullptr ? launched->where : each.where;
      equal_ = equal_ && each.is_added();
      if (each.is_lost() && is_refused(synthesis, each)) continue;
      if (each.is_added()) {
        sink_.report<Code::ImportAdds>(
            where,
            synthesis.names.restored(
                fmt::format("`{}: {}`", each.place(), value_text(each.compiled, whole))),
            object_title(object.value));
      } else if (each.is_lost()) {
        sink_.report<Code::ImportLoses>(
            where,
            synthesis.names.restored(
                fmt::format("`{}: {}`", each.place(), value_text(each.input, whole))),
            object_title(object.value));
      } else {
        diag::Diagnostic& report = sink_.report<Code::ImportChanges>(
            where, synthesis.names.restored(each.place()), object_title(object.value),
            synthesis.names.restored(value_text(each.input)),
            synthesis.names.restored(value_text(each.compiled)));
        if (const auto text = consequence(object.kind, each); !text.empty())
          report.note(std::string(text));
        // Pods of a JobSet are called by the name of their job, and their domain by that of a
        // Service.
        const bool is_domain =
            each.path.back().key == "subdomain" || each.place() == "metadata.name";
        const std::string host = is_name_of_part(each)
                                     ? fmt::format("{}-{}-", object.name, each.input.text)
                                     : "." + each.input.text;
        const Value* use =
            is_domain || is_name_of_part(each) ? string_with(main.value, host) : nullptr;
        if (use != nullptr) {
          report.level = diag::Level::error;
          report.note("`{}` names hosts by the old name", value_text(*use));
        } else if (is_name_of_part(each) || runs_script(each)) {
          report.level = diag::Level::note;
        }
      }
    }
  }
}

// One is Kubernetes' default too, but a number that is written is set again whenever it is applied.
void Report::count_of_replicas(const FoundObject& object, const Value& compiled,
                               const Material& input) {
  const Value* count = compiled.at({"spec", "replicas"});
  if (object.is_live || object.launch != nullptr || count == nullptr ||
      object.value.at({"spec", "replicas"}) != nullptr)
    return;
  diag::Diagnostic& report = sink_.report<Code::ImportAdds>(
      name_span(object), fmt::format("`spec.replicas: {}`", count->text),
      object_title(object.value));
  const FoundObject* scaler = find_where(input.objects, [&](const FoundObject& each) {
    return each.value.text_at({"spec", "scaleTargetRef", "kind"}) == object.kind &&
           each.value.text_at({"spec", "scaleTargetRef", "name"}) == object.name;
  });
  const spec::WorkloadKind* kind = spec::find_object(object.kind);
  if (scaler == nullptr && kind != nullptr && kind->has_clients)
    report.help("where an autoscaler decides it, write `workload.autoscaling`");
  if (scaler != nullptr)
    report.note(fmt::format("each apply sets it again, whatever {} has made of it",
                            object_title(scaler->value)));
}

bool Report::is_found_by_lint(std::string_view message) const {
  return any_of(sink_.found().first(found_by_lint_),
                [&](const diag::Diagnostic& finding) { return finding.message == message; });
}

void Report::refusals(const Synthesis& synthesis, const Material& input) {
  const FoundObject& object = input.objects[synthesis.parts.object];
  for (const Refusal& refusal : synthesis.refusals) {
    const std::string message = synthesis.names.restored(refusal.message);
    if (is_limit_of_spec(refusal)) continue;
    equal_ = false;
    Span where = span_in_object(refusal.value, object.value);
    for (const std::size_t pool : synthesis.parts.commands.pools) {
      for (const Flag& flag : input.commands[pool].flags) {
        if (where == Span{} && !flag.value.empty() && flag.value == refusal.value.text)
          where = flag.where;
      }
    }
    sink_
        .report<Code::ImportRefuses>(
            where == Span{} ? name_span(object) : where,
            fmt::format("{}: {}", path_text(refusal.path), value_text(refusal.value)),
            object_title(object.value))
        .note(fmt::format("{}: {}", diag::code_text(refusal.code), message));
  }
}

void Report::faults(Synthesis& synthesis, const FoundObject& object) {
  const Trial& trial = synthesis.trial;
  for (const diag::Diagnostic& finding : trial.diagnostics) {
    if (finding.level > diag::Level::soft || may_be_newer(finding)) continue;
    equal_ = false;
    if (finding.code == Code::Placeholder && !synthesis.todo.empty()) continue;  // was reported
    const std::string message = synthesis.names.restored(finding.message),
                      code = diag::code_text(finding.code);
    const std::string& advice = finding.helps.empty() ? finding.message : finding.helps.front();
    annotate(synthesis.spec, path_at(trial.tree, finding.where.begin),
             fmt::format("{}: {}", code, yaml::one_line(synthesis.names.restored(advice))));
    diag::Diagnostic& report = sink_.report<Code::ImportDoesNotCompile>(
        name_span(object), object_title(object.value), code, message);
    if (is_found_by_lint(message)) continue;
    for (const std::string& note : finding.notes) report.note(synthesis.names.restored(note));
    for (const std::string& help : finding.helps) report.help(synthesis.names.restored(help));
  }
}

void Report::variables(const Synthesis& synthesis, const FoundObject& object) {
  const Value* workload = synthesis.spec.find("workload");
  if (workload == nullptr) return;
  const Value* env = workload->find("env");
  std::string commands;
  for (std::string_view field : {"script", "command", "args"}) {
    const Value* value = workload->find(field);
    if (value == nullptr) continue;
    commands += value->text;
    for (const Value& word : value->items) commands += "\n" + word.text;
  }
  for (const std::string_view placeholder : synthesis.names.all()) {
    if (!placeholder.starts_with('$') || commands.find(placeholder) == std::string::npos) continue;
    std::string name(placeholder.substr(placeholder.starts_with("${") ? 2 : 1));
    if (name.ends_with('}')) name.pop_back();
    if ((env != nullptr && env->find(name) != nullptr) ||
        commands.find(name + "=") != std::string::npos ||
        find_where(object.filled_by_shell, [&](const extract::Unfilled& each) {
          return each.text == placeholder;
        }) != nullptr)
      continue;
    sink_.report<Code::ImportVariable>(name_span(object), placeholder, object_title(object.value))
        .help("write its value in the script, or set it in `workload.env`");
  }
}

// Each once for a file.
void Report::unkept(const FoundObject& object) {
  for (const auto& [text, where] : object.filled_by_shell) {
    if (!unkept_.emplace(where.source, text).second) continue;
    lose<Code::ImportShellFills>(where, text, object_title(object.value));
  }
}

void Report::compare_flags(const NodeCommand& input, const NodeCommand& compiled,
                           const Synthesis& synthesis) {
  const Placeholders& names = synthesis.names;
  const std::string title = title_of(input);
  const auto in_own_words = [&](const std::string& text) {
    return extract::in_terraform(text, input.block);
  };
  const std::vector<Flag> input_flags = with_single_labels(input.flags);
  std::vector<Flag> compiled_flags = with_single_labels(compiled.flags);
  if (!input.block.type.empty()) drop_default_addons(compiled_flags);
  for (const Flag& flag : input_flags) {
    const auto same =
        find_where(compiled_flags, [&](const Flag& each) { return is_same_flag(flag, each); });
    // `provisioning.owner` says it.
    if (flag.value.starts_with("flexslice-owner=") || (is_of_owner(flag) && same == nullptr))
      continue;
    // compile names the policy after the workload.
    if (input.launch != nullptr && flag.name == "--placement-policy") continue;
    // Single hosts need no flag for it.
    const bool in_spec =
        flag.name == "--tpu-topology" && flag.value == synthesis.spec.text_at({"tpu", "topology"});
    if (same == nullptr && !in_spec) {
      equal_ = false;
      diag::Diagnostic& report = sink_.report<Code::ImportLoses>(
          flag.where, fmt::format("`{}`", in_own_words(flag_text(flag))), title);
      if (input.find(flag.name)->where != flag.where)
        report.note("gcloud takes the last `{}`, and ignores this one", flag.name);
    } else if (same != nullptr && !is_same_value(flag, *same) && !is_raised(flag, compiled) &&
               !Placeholders::is_in(flag.value) && !flag.has_empty_variable &&
               !names.stands_in(same->value) && names.restored(same->value) != flag.value) {
      lose<Code::ImportChanges>(flag.where, in_own_words(flag.name), title, flag.value,
                                same->value);
    }
  }
  if (input.launch != nullptr) return;
  for (const Flag& flag : compiled_flags) {
    if (is_of_owner(flag)) continue;
    // A placeholder of the spec was reported as missing.
    if (names.stands_in(flag.value) || Placeholders::is_in(names.restored(flag.value))) continue;
    if (any_of(input_flags, [&](const Flag& each) { return is_same_flag(each, flag); })) continue;
    sink_.report<Code::ImportAdds>(input.where, fmt::format("`{}`", in_own_words(flag_text(flag))),
                                   title);
  }
}

void Report::compare_commands(const Synthesis& synthesis, const Material& input) {
  const NodeCommands& chosen = synthesis.parts.commands;
  std::vector<bool> taken(synthesis.trial.commands.size());
  for (const auto* indices : {&chosen.clusters, &chosen.policies, &chosen.pools}) {
    for (const std::size_t index : *indices) {
      const NodeCommand& command = input.commands[index];
      used_commands_.push_back(index);
      const auto find = [&](bool by_name) -> const NodeCommand* {
        for (std::size_t i = 0; i < taken.size(); ++i) {
          const NodeCommand& each = synthesis.trial.commands[i];
          if (taken[i] || each.name != command.name || (by_name && each.operand != command.operand))
            continue;
          taken[i] = true;
          return &each;
        }
        return nullptr;
      };
      const NodeCommand* compiled = find(true);
      if (compiled == nullptr) compiled = find(false);
      if (compiled == nullptr) {
        // A cluster without a pool here, in which the pools of others are.
        if (indices == &chosen.clusters && chosen.creates_cluster && synthesis.trial.ok &&
            command.launch == nullptr)
          lose<Code::ImportLoses>(command.where, title_of(command),
                                  object_title(input.objects[synthesis.parts.object].value))
              .note(
                  "nothing here creates a node pool, so the spec takes cluster and pool as given");
        continue;
      }
      const bool is_derived = command.launch != nullptr && command.name == create_policy;
      if (compiled->operand != command.operand && !is_derived &&
          !Placeholders::is_in(command.operand)) {
        diag::Diagnostic& report = lose<Code::ImportChanges>(
            command.where, command.block.type.empty() ? "NAME" : "name",
            extract::in_terraform(fmt::format("`{}`", command.name), command.block),
            command.operand, compiled->operand);
        if (chosen.pools.size() > 1)
          report.help(
              "to keep the names of pools that exist, write `create: false` and the names "
              "as a list in `nodePool`");
      }
      compare_flags(command, *compiled, synthesis);
    }
  }
}

void Report::name(const Value& spec, Span where) {
  const std::string_view name = spec.text_at({"name"});
  if (Placeholders::is_in(name)) return;
  const std::string key =
      fmt::format("{}/{}/{}/{}/{}/{}", spec.text_at({"workload", "kind"}), name,
                  spec.text_at({"namespace"}), spec.text_at({"cluster", "project"}),
                  spec.text_at({"cluster", "name"}), spec.text_at({"cluster", "location"}));
  const auto [earlier, is_new] = named_.emplace(key, where);
  if (is_new) return;
  sink_.report<Code::DuplicateObject>(where, "workload", name)
      .note("compile refuses two specs of the same name in one run")
      .help("import them one at a time, or change one `name`")
      .also(earlier->second, "the first one is here");
}

// Why the pool is of none of the first workloads.
void Report::misfits(diag::Diagnostic& report, const NodeCommand& pool,
                     const Material& input) const {
  constexpr std::size_t most = 3;
  for (const FoundObject& object : input.objects) {
    const auto workload = workload_in(object.value);
    if (!workload || workload->pod == nullptr || report.notes.size() == most) continue;
    if (const std::string reason = misfit(pool, *workload, catalog_); !reason.empty())
      report.note(fmt::format("not of {}: {}", object_title(object.value), reason));
  }
}

// A launcher makes a pool for each slice of the cluster, of which the workload may need some.
bool Report::is_for_more_slices(const NodeCommand& pool, const Material& input) const {
  return pool.launch != nullptr && !pool.launch->slices.flag.empty() &&
         any_of(input.objects, [&](const FoundObject& object) {
           const auto workload = workload_in(object.value);
           const bool is_elsewhere =
               object.launch != nullptr && object.launch->cluster != pool.launch->cluster;
           return !is_elsewhere && workload && workload->pod != nullptr &&
                  misfit(pool, *workload, catalog_).empty();
         });
}

void Report::refuse_launch(const Launch& launched) {
  const std::string title = fmt::format("`{}`", launched.title);
  if (launched.refused == Launch::Refused::other_device) {
    sink_.report<Code::ImportWithoutTpus>(launched.where, title);
  }
}

// Reports flags that the spec does not keep, and what is different on purpose; once for a command.
void Report::launch(const Launch& launched) {
  if (!launches_.insert(&launched).second) return;
  const std::string title = fmt::format("`{}`", launched.title);
  for (const auto& [flag, why, where] : launched.lost)
    lose<Code::LaunchFlagLost>(where, yaml::one_line(flag), title, why);
  const std::vector<std::string_view> unused(launched.unused.begin(), launched.unused.end());
  if (!unused.empty())
    sink_.report<Code::LaunchFlagsUnused>(launched.where, title, text::quoted_list(unused));
  if (!launched.own.empty()) sink_.report<Code::LaunchOwn>(launched.where, title, launched.own);
}

namespace {

// Says whether a spec was made of what it scales.
bool scales_used(const FoundObject& autoscaler, const Material& input) {
  return any_of(input.objects, [&](const FoundObject& each) {
    return each.used && workload_in(each.value) && scales(autoscaler.value, each.value);
  });
}

// Without its ClusterQueue, the queue is one that the cluster has.
bool is_queue_of_used(const FoundObject& queue, const Material& input) {
  return queue.kind == "LocalQueue" && any_of(input.objects, [&](const FoundObject& each) {
           const auto workload = workload_in(each.value);
           return each.used && workload && workload->queue() == queue.name &&
                  is_same_namespace(queue.value, each.value);
         });
}

}  // namespace

void Report::rest(const Material& input, std::size_t workloads) {
  for (const FoundObject& object : input.objects) {
    if (object.used) continue;
    const auto workload = workload_in(object.value);
    const auto is_its_whole = [&](const FoundObject& each) {
      return &each != &object && each.used && each.kind == object.kind && each.name == object.name;
    };
    const bool has_claims = workload && yaml::find_in_tree(object.value, [&](const Value& each) {
                                          return claims_chips(each, input);
                                        }) != nullptr;
    if (object.value.text_at({"apiVersion"}).starts_with("kustomize.config.k8s.io/") ||
        object.kind == "Kustomization" || !stands_alone(object.completeness) ||
        (workload && any_of(input.objects, is_its_whole))) {
      refuse_part(object);
    } else if (has_claims) {
      refuse_claims(object);
    } else if (workload) {
      sink_.report<Code::ImportWithoutTpus>(name_span(object), object_title(object.value));
    } else if (object.kind == "PathwaysJob") {
      lose<Code::ImportOtherKind>(name_span(object), object_title(object.value))
          .note("its controller makes a JobSet of a head and workers, as `kind: pathways` does")
          .help("write a spec of that kind, or import the JobSet: `kubectl get jobset {} -o yaml`",
                object.name);
    } else if (object.kind == "HorizontalPodAutoscaler" && scales_used(object, input)) {
      const std::string reason = reason_against_autoscaler(object.value);
      lose<Code::ImportScaler>(name_span(object), object_title(object.value),
                               reason.empty() ? "another one of the input scales it" : reason)
          .note("what compile makes has `replicas`, which each apply sets again")
          .help("write `workload.autoscaling` with a metric of the pods");
    } else if (uses_tpus(object.value)) {
      lose<Code::ImportOtherKind>(name_span(object), object_title(object.value));
    } else {
      constexpr std::string_view parts[] = {"Service",        "LocalQueue", "ClusterQueue",
                                            "ResourceFlavor", "Topology",   "PodDisruptionBudget"};
      if (contains(parts, object.kind) && !is_queue_of_used(object, input)) {
        lose<Code::ImportFitsNone>(name_span(object), object_title(object.value));
      } else {
        sink_.report<Code::ImportLeavesOut>(name_span(object), object_title(object.value));
      }
    }
  }
  for (const auto& launched : input.launches) refuse_launch(*launched);
  std::set<const Launch*> more;  // of which some pools are not needed
  for (std::size_t i = 0; i < input.commands.size(); ++i) {
    const NodeCommand& command = input.commands[i];
    const bool is_check = command.name == describe_pool || command.name == list_pools;
    for (const auto& [text, where] : is_check ? std::vector<extract::Unfilled>() : command.unread) {
      lose<Code::ImportUnreadOptions>(where,
                                      text == extract::by_module
                                          ? "its module"
                                          : fmt::format("`{}`", value_text(Value::string(text))),
                                      title_of(command));
    }
    if (contains(used_commands_, i) || command.name != create_pool) continue;
    equal_ = false;
    if (is_for_more_slices(command, input)) {
      if (more.insert(command.launch.get()).second)
        lose<Code::LaunchFlagLost>(command.launch->slices.where, command.launch->slices.flag,
                                   fmt::format("`{}`", command.launch->title),
                                   "the workload has fewer slices, and a spec makes their pools");
      continue;
    }
    misfits(sink_.report<Code::ImportFitsNone>(command.where,
                                               fmt::format("node pool `{}`", command.operand)),
            command, input);
  }
  const bool is_explained = any_of(sink_.found(), [](const diag::Diagnostic& finding) {
    return finding.code == Code::ImportTemplate || finding.code == Code::ImportOtherKind ||
           finding.code == Code::ImportCannotDescribe || finding.code == Code::ImportPatch;
  });
  if (workloads == 0 && !is_explained)
    sink_.report<Code::ImportNothing>(input.objects.empty() ? Span{}
                                                            : name_span(input.objects.front()));
}

}  // namespace flexslice::imports
