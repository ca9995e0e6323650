// The parts of one object agree with each other: selectors and labels, names and what they name.
#include <fmt/core.h>

#include "base/text.hpp"
#include "rules/object_rules.hpp"
#include "view/is_placeholder.hpp"

namespace flexslice::rules {

bool is_literal(const Node* node) {
  return node != nullptr && node->kind == yaml::Kind::scalar && !view::is_placeholder(node->text);
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
}

void judge_job_set(const Node& spec, Sink& sink) {
  const auto jobs = items(spec, "replicatedJobs");
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
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    for (const Node& earlier : items(jobs[i], "dependsOn"))
      judge_job_name(jobs.first(i), earlier.find("name"), "dependsOn", "earlier replicated job",
                     sink);
  }
}

}  // namespace

void judge_selector(const Node& object, std::string_view kind, Sink& sink) {
  constexpr std::string_view kinds[] = {"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"};
  const Node* wanted = object.at({"spec", "selector", "matchLabels"});
  const Node *pod = object.at({"spec", "template", "spec", "containers"}),
             *labels = object.at({"spec", "template", "metadata", "labels"}),
             *name = object.at({"metadata", "name"});
  if (!contains(kinds, kind) || wanted == nullptr || pod == nullptr || name == nullptr) return;
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

void judge_relations(const Node& object, std::string_view kind, Sink& sink) {
  const Node* spec = object.find("spec");
  if (spec == nullptr) return;
  if (kind == "JobSet") judge_job_set(*spec, sink);
}

}  // namespace flexslice::rules
