// Autoscalers in files, and the number that a manifest sets in their place.
#include <fmt/core.h>

#include <algorithm>

#include "rules/file_judge.hpp"

namespace flexslice::rules {

namespace {

bool is_same_object(const view::AutoscalerClaims& scaler, const Text& kind, const Text& name,
                    const Text& name_space) {
  return scaler.target_kind.usable() && scaler.target_name.usable() && name.usable() &&
         scaler.target_kind.value == kind.value && scaler.target_name.value == name.value &&
         scaler.name_space.value == name_space.value;
}

}  // namespace

void FileJudge::keep_counted(const view::PodClaims& pod) {
  const bool is_counted =
      pod.role == view::PodRole::replicas || pod.role == view::PodRole::lws_worker;
  if (!is_counted || !stands_alone(pod.completeness) || pod.object == nullptr ||
      !pod.chips.where.given)
    return;
  CountedPods& counted = summary_.world.counted.emplace_back(
      CountedPods{pod.kind, pod.claims.name, pod.name_space, {}});
  const yaml::Node* replicas = pod.object->at({"spec", "replicas"});
  const auto number = replicas == nullptr ? std::nullopt : text::whole_number(replicas->text);
  if (!number) return;
  counted.replicas.value = *number;
  counted.replicas.where.span = replicas->span;
  counted.replicas.where.given = true;
}

namespace {

// Lists the pods that the autoscaler counts: those of its own file, or the only ones of the others.
std::vector<const CountedPods*> counted_by(const Autoscaler& scaler, const World& world) {
  std::vector<const CountedPods*> own, others;
  for (const CountedPods& pods : world.counted) {
    if (is_same_object(scaler.claims, pods.kind, pods.name, pods.name_space))
      (pods.file == scaler.file ? own : others).push_back(&pods);
  }
  if (!own.empty()) return {own.front()};
  return others.size() == 1 ? others : std::vector<const CountedPods*>();
}

}  // namespace

void judge_autoscalers(const World& world, Between between, Sink& sink) {
  const bool in_one = between == Between::parts;
  for (const Autoscaler& scaler : world.autoscalers) {
    const std::string title = fmt::format("HorizontalPodAutoscaler `{}`", scaler.claims.name.value);
    for (const Autoscaler& other : world.autoscalers) {
      // Two files may be alternatives.
      if (!in_one || &other == &scaler) break;
      if (other.claims.name.value != scaler.claims.name.value &&
          is_same_object(other.claims, scaler.claims.target_kind, scaler.claims.target_name,
                         scaler.claims.name_space))
        sink.report<Code::TwoAutoscalers>(scaler.claims.target_name, title, other.claims.name.value,
                                          fmt::format("{} `{}`", scaler.claims.target_kind.value,
                                                      scaler.claims.target_name.value))
            .also(other.claims.target_name.where.span, "the other is here")
            .help("write the metrics of both into one: it takes the highest number");
    }
    for (const CountedPods* pods : counted_by(scaler, world)) {
      const bool is_beside = pods->file == scaler.file;
      if (is_beside == in_one && pods->replicas.where.given && pods->replicas.where.span != Span{})
        sink.report<Code::ReplicasBesideAutoscaler>(pods->replicas, pods->replicas.value, title)
            .help("remove `replicas`");
    }
  }
}

}  // namespace flexslice::rules
