// How often a workload starts: what the end of a node does to it, and how many times the limits
// that it has let it start again. Rules, plan, cost and explain count by these.
#pragma once

#include <cstdint>
#include <optional>

#include "resolve/facts.hpp"
#include "yaml/node.hpp"

namespace flexslice::resolve {

// The effect of a reclaimed node, or of one whose lifetime has ended, on the workload.
enum class NodeLoss : std::uint8_t {
  counted,       // all pods of its slice fail, and count against the limits
  replaces_pod,  // the pod is replaced, and not counted
  restarts_all,  // the JobSet starts again, and does not count it
  ends,          // the Job fails
};
NodeLoss node_loss(const Facts& facts);

// The action of the first rule of a pod failure policy about pods whose node is taken away; empty:
// no rule is.
std::string_view disruption_action(const yaml::Node& policy);

// A Job ends with the node of its only pod if the spec says no more about its failures than how
// long a node lives. It does not if Google may reclaim the node before: nothing tells one end from
// the other, and the workload is wanted on the next model.
bool ends_with_node(const Facts& facts);

// How often the workload starts again by its limits after it has lost the nodes of a slice, whose
// pods fail together; nothing: the kind has no such limits.
std::optional<std::int64_t> restarts(const Facts& facts);

// Nodes that a host of the workload can have one after another, as each ends and its pod is
// replaced; nothing: no known number.
std::optional<std::int64_t> node_lives(const Facts& facts);

}  // namespace flexslice::resolve
