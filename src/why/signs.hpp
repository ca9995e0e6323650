// Reads a dump about a set of pods, as signs: only what is still so. An event about a node that was
// missing says nothing about a pod that runs.
#pragma once

#include <functional>
#include <vector>

#include "why/causes.hpp"
#include "why/cluster.hpp"

namespace flexslice::why {

enum class PodState : std::uint8_t { ready, running, starting, without_node, succeeded, failed };

struct PodView {
  const yaml::Node* pod = nullptr;
  PodState state = PodState::without_node;
  bool has_chips = false;
};
PodView pod_view(const yaml::Node& pod);

// Adds the signs of a pod that is not ready.
void add_pod_signs(const ClusterView& cluster, const PodView& pod, std::vector<ClusterSign>& signs);
// Adds the signs of an owner of pods: its conditions, events, its Workload, ProvisioningRequests
// and their checks; where pods are missing also what became of those that it had.
void add_object_signs(const ClusterView& cluster, const ObjectName& object, bool waits_for_nodes,
                      bool lacks_pods, std::vector<ClusterSign>& signs);
// Returns whether pods may be meant for a pool, by its name, what the dump says of it (null:
// nothing), and the end of an operation on it (empty: none is asked about).
using PoolFilter =
    std::function<bool(std::string_view name, const yaml::Node* pool, std::string_view ended)>;
// Adds the signs of those node pools, and of the last operation of gcloud on each.
void add_gcloud_signs(const ClusterView& cluster, const PoolFilter& is_own,
                      std::vector<ClusterSign>& signs);

// The newest Job of a CronJob, which is the one that counts. Null: the dump has none.
const yaml::Node* newest_run(const ClusterView& cluster, const ObjectName& object);

// Returns whether the node has the labels that the pod selects. False where it selects none.
bool has_selected_labels(const yaml::Node& pod, const yaml::Node& node);

// `google.com/tpu` requests of all its containers.
bool requests_chips(const yaml::Node& pod_spec);

}  // namespace flexslice::why
