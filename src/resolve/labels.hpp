// Labels and annotations that several readers and rules look for: of nodes as GKE names them, of
// workloads as their controllers do.
#pragma once

#include <string_view>

namespace flexslice::resolve {

inline constexpr std::string_view accelerator_label = "cloud.google.com/gke-tpu-accelerator",
                                  topology_label = "cloud.google.com/gke-tpu-topology",
                                  pool_label = "cloud.google.com/gke-nodepool",
                                  machine_label = "node.kubernetes.io/instance-type",
                                  class_label = "cloud.google.com/compute-class",
                                  host_label = "kubernetes.io/hostname",
                                  region_label = "topology.kubernetes.io/region",
                                  family_label = "cloud.google.com/machine-family";
// The annotations by which each replica of a JobSet's job, or each group, gets a node pool for
// itself.
inline constexpr std::string_view exclusive_topology =
                                      "alpha.jobset.sigs.k8s.io/exclusive-topology",
                                  exclusive_group =
                                      "leaderworkerset.sigs.k8s.io/exclusive-topology";
// Returns whether node pools may differ in the label, so that exclusive topology by it can keep the
// pods of a slice in one pool. A pool of several hosts has several values of the host's name; of
// the others, all pools of a shape have the same.
constexpr bool separates_pools(std::string_view label) {
  return !label.starts_with("cloud.google.com/gke-tpu-") && label != machine_label &&
         label != host_label && label != region_label && label != family_label;
}
// The annotation of pods of a dynamic slice, which says its shape.
inline constexpr std::string_view slice_annotation = "cloud.google.com/gke-tpu-slice-topology";
// The label by which a workload waits in a LocalQueue of Kueue.
inline constexpr std::string_view queue_label = "kueue.x-k8s.io/queue-name";

// The label that names the WorkloadPriorityClass of a workload in a queue.
inline constexpr std::string_view priority_label = "kueue.x-k8s.io/priority-class";
// Returns whether the annotation requests a topology of Kueue for the pods.
constexpr bool requests_topology(std::string_view annotation, std::string_view value) {
  return annotation.starts_with("kueue.x-k8s.io/podset-") && annotation.ends_with("-topology") &&
         value != "false";
}

}  // namespace flexslice::resolve
