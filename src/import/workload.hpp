// Finds the parts of an object of each workload kind: its pod templates, and the counts around
// them. Everything else of import is the same for all kinds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resolve/labels.hpp"
#include "yaml/value.hpp"

namespace flexslice::imports {

// Points into an object; null where it has none.
struct FoundWorkload {
  std::string_view word;  // of `workload.kind`
  const yaml::Value* object = nullptr;
  const yaml::Value* pod = nullptr;       // the template of the pods with chips
  const yaml::Value* leader = nullptr;    // of a leader, or of the head of Ray or of Pathways
  const yaml::Value* job = nullptr;       // what holds completions and backoffLimit
  const yaml::Value* schedule = nullptr;  // what holds the Job's template, and when it starts
  const yaml::Value* cluster = nullptr;   // what holds rayVersion
  const yaml::Value* head_job = nullptr;  // of Pathways: the Job of the head
  std::optional<std::int64_t> slices;     // as the object counts them
  std::string open_slices = {};           // a placeholder in its place
  bool may_be_hosts = false;              // replicas of one pod, which may share a slice

  // The Kueue queue that it waits in; empty: none.
  std::string_view queue() const;
  const yaml::Value* pod_spec() const { return pod == nullptr ? nullptr : pod->find("spec"); }
  // The container with chips, or null.
  const yaml::Value* main() const;
  // Counts the pods of a Job that run at once and are all that it runs; 0: others.
  std::int64_t parallel_pods() const;
  std::int64_t chips() const;  // of a pod; 0: none, or not a number
  std::vector<std::string> node_labels(std::string_view key) const;  // any of which the pods select
  std::string node_label(std::string_view key) const;                // the only one; empty: none
  std::string topology() const { return node_label(resolve::topology_label); }
  // The pods ask for this where their slice is formed when they start.
  std::string slice_topology() const;
  // Says whether compile made it for a queue of its own, whose flavor the pods tolerate.
  std::string_view own_flavor() const;  // of a queue that compile made; empty: of none
  bool is_of_own_queue() const;
  // By its name, which has the model and then the reservation: nothing, if it has another model,
  // and no name, if the nodes exist and the spec names none.
  std::optional<std::string> reservation_of_flavor(std::string_view model) const;
  bool is_apart_by_webhook() const;
  // Says whether Kueue is to place the pods.
  bool requests_topology() const;
  std::vector<std::string> node_pools() const { return node_labels(resolve::pool_label); }
};

// Nothing where the object is of no workload kind. `pod` is null where none of its pods requests
// chips or selects their nodes.
std::optional<FoundWorkload> workload_in(const yaml::Value& object);

// Why no spec can describe the workload, which has a pod; empty: one can.
std::string reason_against(const FoundWorkload& workload, bool has_queue);

// Says whether the object is a part of one, as kustomize patches are: containers without images, a
// Deployment that selects no pods, a directive.
bool is_part(const FoundWorkload& workload);

// The item of `replicatedJobs` or `workerGroupSpecs` that compile makes: the first whose pods
// request chips.
const yaml::Value* compiled_item(const yaml::Value& list);

// The replicated Job of a JobSet whose pod runs the resource manager of Pathways, or null; and that
// container, or the proxy, in a pod spec.
const yaml::Value* pathways_head(const yaml::Value& object);
const yaml::Value* pathways_manager(const yaml::Value& pod_spec);
const yaml::Value* pathways_proxy(const yaml::Value& pod_spec);

// Says whether some pod template in the object, whatever its kind, requests TPUs or selects their
// nodes.
bool uses_tpus(const yaml::Value& object);

// The container of a pod spec that requests chips, or null.
const yaml::Value* container_with_chips(const yaml::Value& pod_spec);
// The container of the leader of a LeaderWorkerSet that a spec describes: others become sidecars,
// which start before it, or containers of a patch where they have a startup probe as well. Not for
// a spec without containers.
const yaml::Value& leading_container(const yaml::Value& pod_spec);

using resolve::accelerator_label, resolve::machine_label, resolve::pool_label, resolve::queue_label,
    resolve::topology_label;
inline constexpr std::string_view lifetime_label = "cloud.google.com/gke-max-run-duration-seconds",
                                  slice_annotation = "cloud.google.com/gke-tpu-slice-topology",
                                  lifetime_annotation =
                                      "provreq.kueue.x-k8s.io/maxRunDurationSeconds";

}  // namespace flexslice::imports
