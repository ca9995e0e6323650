// Pod sets as Kueue counts them: annotations that ask for a topology, and groups of sets.
#include <fmt/core.h>

#include <map>

#include "rules/object_rules.hpp"
#include "rules/pod_rules.hpp"

namespace flexslice::rules {

namespace {

using view::PodClaims;

constexpr std::string_view required_topology = "kueue.x-k8s.io/podset-required-topology",
                           preferred_topology = "kueue.x-k8s.io/podset-preferred-topology",
                           group_name = "kueue.x-k8s.io/podset-group-name";

// Kueue's webhook takes a group of two sets, one of which is one pod, such as a leader.
void judge_group_of_sets(std::span<const PodClaims* const> sets, Sink& sink) {
  const PodClaims& last = *sets.back();
  const yaml::Member& named = *annotation_of(last, group_name);
  const auto report = [&](std::string problem) -> Diagnostic& {
    return sink.report<Code::PodSetRefused>(named.key, std::move(problem));
  };
  const std::string title = fmt::format("group `{}`", named.value.text);
  if (sets.size() != 2) {
    report(fmt::format("{} has {}", title, text::count(std::int64_t(sets.size()), "pod set")))
        .help("a group has two pod sets, one of them with one pod");
    return;
  }
  const std::int64_t pods = pods_in(*sets[0]), others = pods_in(last);
  if (pods != 1 && others != 1) {
    report(fmt::format("{} has pod sets of {} and {} pods", title, pods, others))
        .note("a group is a leader and its workers: one of its two sets has one pod")
        .help("remove `{}`, or make one set a single pod", group_name);
    return;
  }
  const auto topology_of = [](const PodClaims& pod) {
    const yaml::Member* own = annotation_of(pod, required_topology);
    return own == nullptr ? annotation_of(pod, preferred_topology) : own;
  };
  const yaml::Member *first = topology_of(*sets[0]), *second = topology_of(last);
  if (first == nullptr || second == nullptr) {
    report(fmt::format("{} has a pod set without a topology", title))
        .help("add `{}` to both pod templates, with the same level", required_topology);
  } else if (first->key.text != second->key.text || first->value.text != second->value.text) {
    report(fmt::format("the pod sets of {} ask for two topologies", title))
        .help("write the same annotation and level in both");
  }
}

}  // namespace

void judge_pod_sets(std::span<const PodClaims> pods, Sink& sink) {
  std::map<std::pair<const Node*, std::string_view>, std::vector<const PodClaims*>> groups;
  std::map<const Node*, bool> is_whole;
  for (const PodClaims& pod : pods) {
    if (pod.spec == nullptr || pod.object == nullptr || pod.is_made) continue;
    is_whole.try_emplace(pod.object, true).first->second &= says_all(pod.completeness);
    if (const yaml::Member* group = annotation_of(pod, group_name))
      groups[{pod.object, group->value.text}].push_back(&pod);
  }
  for (const auto& [group, sets] : groups) {
    // LeaderWorkerSet and Ray have sets of their own making.
    const bool is_counted = sets.front()->kind.value == "JobSet" && is_whole[group.first];
    if (is_counted) judge_group_of_sets(sets, sink);
  }
}

}  // namespace flexslice::rules
