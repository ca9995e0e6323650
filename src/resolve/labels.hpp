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
// The label by which a workload waits in a LocalQueue of Kueue.
inline constexpr std::string_view queue_label = "kueue.x-k8s.io/queue-name";

}  // namespace flexslice::resolve
