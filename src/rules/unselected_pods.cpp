// Pods that request TPUs and do not select their nodes by both labels, which GKE's webhook refuses.
#include <fmt/core.h>

#include "resolve/labels.hpp"
#include "rules/file_judge.hpp"
#include "rules/pod_rules.hpp"

namespace flexslice::rules {

namespace {

// With its annotation on the pods, the webhook lets them pass: their labels come later.
constexpr std::string_view skips_webhook = "cloud.google.com/skip-tpu-webhook-check";

bool is_annotated(const view::PodClaims& pod, std::string_view key) {
  return pod.metadata != nullptr && pod.metadata->at({"annotations", key}) != nullptr;
}

// A controller makes it of a template, or a cluster that has admitted it prints it.
bool is_live(const view::PodClaims& pod) {
  return pod.role == view::PodRole::pod &&
         (pod.object->find("status") != nullptr ||
          pod.object->at({"metadata", "ownerReferences"}) != nullptr);
}

// Any of several terms may hold, so it is not known what the pods select.
bool has_several_terms(const view::PodClaims& pod) {
  const yaml::Node* terms =
      pod.spec->at({"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution",
                    "nodeSelectorTerms"});
  return terms != nullptr && (terms->items.size() > 1 || !terms->text.empty());
}

// Kueue holds these back and gives them the labels of its flavor before there are pods.
bool gets_labels_of_flavor(const view::PodClaims& pod) {
  return pod.queue.where.given &&
         (pod.role == view::PodRole::job || pod.role == view::PodRole::ray_worker);
}

// The shapes that one host with these chips has.
std::string shapes_of_host(const Facts& facts, std::int64_t chips) {
  std::vector<std::string> shapes;
  for (const catalog::Topology& shape : catalog::topologies(*facts.generation, chips)) {
    if (shape.chips() == chips) shapes.push_back(shape.text());
  }
  return text::join(shapes, " or ");
}

std::string help_for(const view::PodClaims& pod, const Facts& facts,
                     const std::vector<std::string_view>& labels) {
  std::string help = fmt::format("add `{}` to `nodeSelector`", text::join(labels, "` and `"));
  if (labels.size() != 1) return help;
  if (labels[0] == resolve::topology_label && facts.generation != nullptr) {
    const std::string shapes = shapes_of_host(facts, pod.chips.value);
    if (!shapes.empty())
      help +=
          fmt::format(": {} for one host with {}", shapes, text::count(pod.chips.value, "chip"));
  }
  return help;
}

}  // namespace

void FileJudge::judge_selectors(const view::PodClaims& pod, const Facts& facts) {
  if (!says_all(pod.completeness) || made_of_ != nullptr || pod.role == view::PodRole::other ||
      pod.role == view::PodRole::trainer || !pod.requests_chips())
    return;
  if (pod.slice_topology.where.given || gets_labels_of_flavor(pod) || is_live(pod) ||
      has_several_terms(pod) || selects(pod, resolve::class_label) ||
      is_annotated(pod, skips_webhook))
    return;
  // A label that was reported is meant to be one of them.
  for (const auto& [key, value] : pod.claims.workload.node_selector.entries) {
    if (sink_.find(Code::SelectorWithoutNodes, key.where.span) != nullptr ||
        sink_.find(Code::SelectorWithoutNodes, value.where.span) != nullptr)
      return;
  }
  std::vector<std::string_view> missing;
  for (const std::string_view label : {resolve::accelerator_label, resolve::topology_label}) {
    if (!selects(pod, label)) missing.push_back(label);
  }
  if (missing.empty()) return;
  std::string object = pod.claims.name.usable()
                           ? fmt::format("{} `{}`", pod.kind.value, pod.claims.name.value)
                           : fmt::format("this {}", pod.kind.value);
  summary_.unselected.push_back(
      {std::move(object), missing, help_for(pod, facts, missing), pod.chips.where.span});
}

Diagnostic& report_unselected(const UnselectedPods& pods, Sink& sink) {
  return sink
      .report<Code::TpuSelectorsMissing>(pods.where, pods.object, text::join(pods.labels, " and "))
      .note("GKE refuses its pods, which is seen in its events alone")
      .help(pods.help);
}

}  // namespace flexslice::rules
