// Labels and annotations that several readers and rules look for: of nodes as GKE names them, of
// workloads as their controllers do.
#pragma once

#include <string_view>

namespace flexslice::resolve {

inline constexpr std::string_view accelerator_label = "cloud.google.com/gke-tpu-accelerator",
                                  topology_label = "cloud.google.com/gke-tpu-topology",
                                  pool_label = "cloud.google.com/gke-nodepool",
                                  machine_label = "node.kubernetes.io/instance-type",
                                  class_label = "cloud.google.com/compute-class";
// The annotations by which each replica of a JobSet's job, or each group, gets a node pool for
// itself.
inline constexpr std::string_view exclusive_topology =
                                      "alpha.jobset.sigs.k8s.io/exclusive-topology",
                                  exclusive_group =
                                      "leaderworkerset.sigs.k8s.io/exclusive-topology";
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
