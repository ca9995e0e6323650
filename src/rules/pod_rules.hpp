// The rules for pod templates that people already have, and what these say of their pods.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rules/queue_rules.hpp"
#include "rules/rules.hpp"
#include "view/view.hpp"
#include "yaml/node.hpp"

namespace flexslice::rules {

// Returns whether the pods select nodes by this label, with any value.
bool selects(const view::PodClaims& pod, std::string_view label);
// A variable of a container of the pods, or null.
const yaml::Node* variable_named(const view::PodClaims& pod, std::string_view name);
// An annotation of the pod template, or null.
const yaml::Member* annotation_of(const view::PodClaims& pod, std::string_view key);
// One pod template, with the facts of its claims.
void judge_pod(const view::PodClaims& pod, const Facts& facts, Sink& sink);
// Judges its chips and counts alone.
void judge_counts(const view::PodClaims& pod, const Facts& facts, Sink& sink);
// `unlimited`: requests of chips that are not their own limits.
void judge_limits(std::span<const Span> unlimited, Sink& sink);
// Judges its slice, if that is formed when the workload starts.
void judge_slice(const view::PodClaims& pod, const Facts& facts, Sink& sink);
// The partition that they require, for so many pods.
void judge_partition(const view::PodClaims& pod, std::int64_t pods, Sink& sink);
// Something must keep the slices of each object apart, and their stated number must be right.
void judge_slices_of_objects(std::span<const view::PodClaims> pods, const Catalog& catalog,
                             Sink& sink);
// Annotations of pod templates for Kueue that its webhooks refuse together.
void judge_pod_sets(std::span<const view::PodClaims> pods, Sink& sink);
// Lists the levels of Kueue's topology that annotations of the pods, which have so many chips,
// request.
std::vector<RequestedLevel> requested_levels(const view::PodClaims& pod, std::int64_t chips);
// Says what keeps the pods of a slice in one node pool, or may: empty where it is not known how.
std::optional<std::string_view> kept_by(const view::PodClaims& pod);
// Pods of the template that run together, at least.
std::int64_t pods_in(const view::PodClaims& pod);
// Pods without chips that the workload cannot do without, and that the autoscaler may evict.
void judge_heads(std::span<const view::PodClaims> pods, Sink& sink);
// Labels that the pods of a ComputeClass may not select.
void judge_class(const view::PodClaims& pod, const Catalog& catalog, Sink& sink);
void judge_class_buffers(const yaml::Node& compute_class, Sink& sink);

// The machine types that can be a node of this pod, as far as it says; empty: none, or nothing is
// said. Those of its topology, if it selects one.
struct Candidate {
  const Generation* generation;
  const MachineType* machine;
};
std::vector<Candidate> candidates(const view::PodClaims& pod, const Facts& facts);
// The hosts of the slice that the pods form; 1: it is one, or not known.
std::int64_t hosts_of(const view::PodClaims& pod, const Facts& facts);

}  // namespace flexslice::rules
