// The parts of one object agree with each other: selectors and labels, names and what they name.
#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "rules/object_rules.hpp"
#include "schema/kubernetes_types.hpp"
#include "schema/placeholder.hpp"
#include "spec/derived_keys.hpp"

namespace flexslice::rules {

bool is_literal(const Node* node) {
  return node != nullptr && node->kind == yaml::Kind::scalar && !schema::is_placeholder(node->text);
}

Span place_of(std::initializer_list<const Node*> nodes) {
  for (const Node* node : nodes) {
    if (node != nullptr && node->span != Span{}) return node->span;
  }
  return {};
}

namespace {

// `jobs` are those that may be named.
void judge_job_name(std::span<const Node> jobs, const Node* name, std::string_view field,
                    std::string_view part, Sink& sink) {
  if (!is_literal(name)) return;
  std::vector<std::string_view> names;
  for (const Node& job : jobs) {
    const Node* own = job.find("name");
    if (!is_literal(own)) return;
    names.push_back(own->text);
  }
  if (contains(names, name->text)) return;
  Diagnostic& finding = sink.report<Code::NamesNoPart>(place_of({name}), field, part, name->text);
  if (!names.empty()) finding.note("there are {}", text::quoted_list(names));
  diag::did_you_mean(finding, name->text, names);
}

std::int64_t count_of(const Node* count) {
  return count == nullptr ? 1 : text::whole_number(count->text).value_or(1);
}

constexpr std::size_t longest_label = 63;  // of a DNS label, and of the value of a label

// JobSet writes the address of the coordinator into a label of its pods. Returns whether it is too
// long.
bool judge_coordinator(const Node& job_set, const Node& spec, Sink& sink) {
  const Node *own = job_set.at({"metadata", "name"}),
             *job = spec.at({"coordinator", "replicatedJob"}),
             *domain = spec.at({"network", "subdomain"});
  if (!is_literal(own) || !is_literal(job) || (domain != nullptr && !is_literal(domain)))
    return false;
  const auto index = [&](std::string_view key) {
    const Node* value = spec.at({"coordinator", key});
    return value == nullptr ? 0 : text::whole_number(value->text).value_or(0);
  };
  const std::string address =
      fmt::format("{}-{}-{}-{}.{}", own->text, job->text, index("jobIndex"), index("podIndex"),
                  domain == nullptr ? own->text : domain->text);
  if (address.size() <= longest_label) return false;
  // The name of the JobSet is in it twice.
  const std::size_t excess = address.size() - longest_label,
                    removed = domain == nullptr ? (excess + 1) / 2 : excess;
  sink.report<Code::DerivedNameTooLong>(place_of({own, job}), "coordinator", address,
                                        address.size(), longest_label)
      .note(
          "JobSet writes the address of the coordinator into the label "
          "`jobset.sigs.k8s.io/coordinator`")
      .help("remove {} from `{}`", text::count(static_cast<std::int64_t>(removed), "character"),
            own->text);
  return true;
}

// The last pod of the replicated job has its longest name, to which the Job controller adds five
// letters.
void judge_pod_name(const Node& job_set, const Node& job, Sink& sink) {
  const Node *own = job_set.at({"metadata", "name"}), *name = job.find("name");
  if (!is_literal(own) || !is_literal(name)) return;
  const std::string pod =
      fmt::format("{}-{}-{}-{}-xxxxx", own->text, name->text, count_of(job.find("replicas")) - 1,
                  count_of(job.at({"template", "spec", "completions"})) - 1);
  if (pod.size() > longest_label)
    sink.report<Code::DerivedNameTooLong>(place_of({own, name}), "pod", pod, pod.size(),
                                          longest_label)
        .help("remove {} from `{}` or `{}`",
              text::count(static_cast<std::int64_t>(pod.size() - longest_label), "character"),
              own->text, name->text);
}

// Reports an index that none of so many has.
void judge_index(const Node& spec, std::string_view key, const Node* count, std::string_view noun,
                 std::string_view job, Sink& sink) {
  const Node* index = spec.at({"coordinator", key});
  const auto own = is_literal(index) ? text::whole_number(index->text) : std::nullopt;
  const auto all = count == nullptr    ? std::optional<std::int64_t>(1)
                   : is_literal(count) ? text::whole_number(count->text)
                                       : std::nullopt;
  if (own && all && *own >= *all)
    sink.report<Code::OutOfRange>(place_of({index, spec.find("coordinator")}),
                                  fmt::format("spec.coordinator.{}", key), index->text)
        .note("replicated job `{}` has {}, counted from 0", job, text::count(*all, noun));
}

// The webhook of JobSet looks for the pod.
void judge_coordinator_pod(const Node& spec, Sink& sink) {
  const Node* name = spec.at({"coordinator", "replicatedJob"});
  for (const Node& job : items(spec, "replicatedJobs")) {
    const Node* own = job.find("name");
    if (!is_literal(name) || !is_literal(own) || own->text != name->text) continue;
    judge_index(spec, "jobIndex", job.find("replicas"), "job", name->text, sink);
    const Node *completions = job.at({"template", "spec", "completions"}),
               *mode = job.at({"template", "spec", "completionMode"});
    if (mode != nullptr && mode->text == "NonIndexed")
      sink.report<Code::FieldsContradict>(place_of({mode, name}), "spec",
                                          "`coordinator` and its Job `completionMode: NonIndexed`")
          .help("remove `completionMode`; JobSet makes it Indexed");
    else if (completions != nullptr)
      judge_index(spec, "podIndex", completions, "pod", name->text, sink);
  }
}

void judge_job_set(const Node& job_set, const Node& spec, bool is_made, Sink& sink) {
  judge_coordinator_pod(spec, sink);
  const auto jobs = items(spec, "replicatedJobs");
  // A spec's own name has been judged with its fields.
  if (!is_made && !judge_coordinator(job_set, spec, sink)) {
    for (const Node& job : jobs) judge_pod_name(job_set, job, sink);
  }
  if (jobs.empty()) return;
  const auto judge_targets = [&](const Node& policy, std::string_view field) {
    for (const Node& name : items(policy, "targetReplicatedJobs"))
      judge_job_name(jobs, &name, field, "replicated job", sink);
  };
  if (const Node* policy = spec.find("successPolicy")) judge_targets(*policy, "successPolicy");
  if (const Node* policy = spec.find("failurePolicy")) {
    for (const Node& rule : items(*policy, "rules")) judge_targets(rule, "failurePolicy");
  }
  judge_job_name(jobs, spec.at({"coordinator", "replicatedJob"}), "coordinator", "replicated job",
                 sink);
  // Its webhook refuses an empty list too.
  if (const Node* first = jobs[0].find("dependsOn");
      first != nullptr && first->kind == yaml::Kind::sequence && first->items.empty())
    sink.report<Code::FieldsContradict>(place_of({first, jobs[0].find("name")}),
                                        "spec.replicatedJobs[0]",
                                        "`dependsOn`, and no replicated job is before it")
        .note("the webhook of JobSet rejects an empty list there, too")
        .help("remove `dependsOn`");
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    for (const Node& earlier : items(jobs[i], "dependsOn"))
      judge_job_name(jobs.first(i), earlier.find("name"), "dependsOn", "earlier replicated job",
                     sink);
  }
}

// LeaderWorkerSet gives the leader the exclusive affinity of its group, and its workers the node
// pool in which the leader is.
void judge_exclusive_leader(const Node& object, const Node& group, const Node& leader,
                            const Node& workers, Sink& sink) {
  const Node* annotations = object.at({"metadata", "annotations"});
  if (annotations == nullptr || leader.find("containers") == nullptr) return;
  const bool is_apart = group.text_at({"subGroupPolicy", "subGroupPolicyType"}) == "LeaderExcluded";
  for (const yaml::Member& member : annotations->members) {
    const bool is_of_group = member.key.text == resolve::exclusive_group;
    const bool is_of_subgroup =
        member.key.text == "leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology" && !is_apart;
    if ((!is_of_group && !is_of_subgroup) || member.value.text != resolve::pool_label) continue;
    for (const std::string_view label : {accelerator_label, resolve::pool_label}) {
      const Node *own = leader.at({"nodeSelector", label}),
                 *other = workers.at({"nodeSelector", label});
      if (own != nullptr && other != nullptr) return;
    }
    Diagnostic& finding =
        sink.report<Code::LeaderKeepsWorkersOff>(member.key, object.text_at({"metadata", "name"}));
    finding.note("the workers must be in the node pool of their leader");
    if (is_of_subgroup)
      finding.help("write `subGroupPolicyType: LeaderExcluded`");
    else
      finding.help(
          "remove it, and write `subGroupPolicy` with `subGroupPolicyType: LeaderExcluded` and "
          "`leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology`");
    return;
  }
}

// Subgroups have one size. The leader may be beside them.
void judge_subgroups(const Node& group, Sink& sink) {
  const Node *size = group.find("size"), *own = group.at({"subGroupPolicy", "subGroupSize"});
  if (!is_literal(size) || !is_literal(own)) return;
  const auto pods = text::whole_number(size->text), each = text::whole_number(own->text);
  if (!pods || !each || *each < 1 || *each > *pods) return;
  const bool is_apart = group.text_at({"subGroupPolicy", "subGroupPolicyType"}) == "LeaderExcluded";
  if ((*pods - 1) % *each == 0 || (*pods % *each == 0 && !is_apart)) return;
  sink.report<Code::FieldsContradict>(
          place_of({own, size}), "spec.leaderWorkerTemplate",
          fmt::format("`subGroupSize: {}` and `size: {}`", *each, *pods))
      .note(is_apart ? "size - 1 must be a multiple of it"
                     : "size, or size - 1, must be a multiple of it");
}

// A leader with chips is a host of its group's slice.
void judge_leader(const Node& object, const Node& group, Sink& sink) {
  const Node *leader = group.at({"leaderTemplate", "spec"}),
             *workers = group.at({"workerTemplate", "spec"});
  if (leader == nullptr || workers == nullptr) return;
  const bool has_chips = any_of(items(*leader, "containers"), [](const Node& container) {
    return !spec::requested_chips(container).empty();
  });
  if (!has_chips) judge_exclusive_leader(object, group, *leader, *workers, sink);
  for (const std::string_view label : {accelerator_label, topology_label}) {
    const Node *own = leader->at({"nodeSelector", label}),
               *other = workers->at({"nodeSelector", label});
    if (!has_chips || !is_literal(own) || !is_literal(other) || own->text == other->text) continue;
    sink.report<Code::FieldsContradict>(
            place_of({own, other}), "spec.leaderWorkerTemplate",
            fmt::format("a leader on nodes of {} and workers on nodes of {}", own->text,
                        other->text))
        .note("a leader that requests TPUs is one of the hosts of the slice")
        .help("write the same {} in both", label);
    return;
  }
}

}  // namespace

void judge_selector(const Node& object, std::string_view kind, Completeness completeness,
                    Sink& sink) {
  constexpr std::string_view kinds[] = {"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"};
  const Node* wanted = object.at({"spec", "selector", "matchLabels"});
  const Node *pod = object.at({"spec", "template", "spec", "containers"}),
             *labels = object.at({"spec", "template", "metadata", "labels"}),
             *name = object.at({"metadata", "name"});
  if (!contains(kinds, kind) || pod == nullptr || name == nullptr) return;
  const Node* selector = object.at({"spec", "selector"});
  const bool selects_none =
      selector == nullptr || (selector->kind != yaml::Kind::scalar && selector->members.empty());
  const Node* version = object.find("apiVersion");
  const bool is_present =
      version != nullptr && version->text == schema::kubernetes::api_version(kind);
  if (is_present && selects_none && labels != nullptr && says_all(completeness)) {
    const Node* template_of_pods = object.at({"spec", "template"});
    sink.report<Code::MissingField>(place_of({selector, template_of_pods, name}), "spec.selector")
        .help("write the labels of the pod template into `matchLabels`");
    return;
  }
  for (const Node& term :
       selector == nullptr ? std::span<const Node>() : items(*selector, "matchExpressions")) {
    const Node *key = term.find("key"), *op = term.find("operator");
    if (!is_literal(key) || !is_literal(op)) continue;
    const Node* own = labels == nullptr ? nullptr : labels->find(key->text);
    if (own != nullptr && !is_literal(own)) continue;
    const bool has_value = own != nullptr && any_of(items(term, "values"), [&](const Node& value) {
                             return !is_literal(&value) || value.text == own->text;
                           });
    const bool is_wanted = op->text == "In"                        ? has_value
                           : op->text == "Exists"                  ? own != nullptr
                           : op->text == "DoesNotExist"            ? own == nullptr
                           : op->text == "NotIn" && own != nullptr ? !has_value
                                                                   : true;
    if (is_wanted) continue;
    sink.report<Code::SelectorMissesPods>(
            place_of({key, &term}), kind, name->text,
            own == nullptr ? fmt::format("they have no label `{}`", key->text)
                           : fmt::format("`{}` is `{}` in the template, and `{} {}` does not fit",
                                         key->text, own->text, key->text, op->text))
        .help("write the labels of the pod template into the selector");
    return;
  }
  if (wanted == nullptr) return;
  for (const auto& [key, value] : wanted->members) {
    const Node* own = labels == nullptr ? nullptr : labels->find(key.text);
    if (!is_literal(&key) || !is_literal(&value) || (own != nullptr && !is_literal(own))) continue;
    if (own != nullptr && own->text == value.text) continue;
    Diagnostic& finding = sink.report<Code::SelectorMissesPods>(
        place_of({&value, own, wanted}), kind, name->text,
        own == nullptr ? fmt::format("they have no label `{}`", key.text)
                       : fmt::format("`{}` is `{}` there, and `{}` in the template", key.text,
                                     value.text, own->text));
    finding.help("write the labels of the pod template into the selector");
    return;
  }
}

void judge_relations(const Node& object, std::string_view kind, bool is_made, Sink& sink) {
  const Node* spec = object.find("spec");
  if (spec == nullptr) return;
  if (!is_made) judge_object_name(object, kind, sink);
  if (kind == "CronJob") judge_cron_job(object, is_made, sink);
  if (kind == "JobSet") judge_job_set(object, *spec, is_made, sink);
  const Node* group = spec->find("leaderWorkerTemplate");
  if (kind == "LeaderWorkerSet" && group != nullptr) {
    judge_leader(object, *group, sink);
    judge_subgroups(*group, sink);
  }
}

}  // namespace flexslice::rules
