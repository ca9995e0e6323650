// Labels of nodes, as GKE names them, that several readers and rules look for.
#pragma once

#include <string_view>

namespace flexslice::resolve {

inline constexpr std::string_view accelerator_label = "cloud.google.com/gke-tpu-accelerator",
                                  topology_label = "cloud.google.com/gke-tpu-topology",
                                  pool_label = "cloud.google.com/gke-nodepool",
                                  machine_label = "node.kubernetes.io/instance-type";
// The annotation by which each replica of a JobSet's job gets a node pool for itself.
inline constexpr std::string_view exclusive_topology =
    "alpha.jobset.sigs.k8s.io/exclusive-topology";

}  // namespace flexslice::resolve
