// Keys of Kubernetes objects that patches may not claim, since the plan derives what they carry.
// backend/kubernetes/ refuses a patch that changes one; import/ makes no such patch.
#pragma once

#include <string_view>

namespace flexslice::spec {

// The resource of chips, which is also the key of the taint of their nodes.
inline constexpr std::string_view tpu_resource = "google.com/tpu";

// The driver of GKE that keeps checkpoints in the memory of nodes, and the volume that it makes.
inline constexpr std::string_view checkpoint_driver = "multitier-checkpoint.csi.storage.gke.io",
                                  checkpoint_volume = "checkpoints";
template <class Tree>
bool keeps_checkpoints(const Tree& volume) {
  return volume.text_at({"csi", "driver"}) == checkpoint_driver;
}

// The amount of chips of a container, as it is written; empty: it requests none.
template <class Tree>
std::string_view requested_chips(const Tree& container) {
  for (std::string_view of : {"limits", "requests"}) {
    const std::string_view text = container.text_at({"resources", of, tpu_resource});
    if (!text.empty() && text != "0") return text;
  }
  return {};
}

// Wherever they are in an object.
inline constexpr std::string_view derived_keys[] = {
    "apiVersion", "kind",      "completions", "parallelism", "completionMode", "replicas",
    "subdomain",  "clusterIP", tpu_resource,  "job-name",    "nodeSelector",   "selector",
};

}  // namespace flexslice::spec
