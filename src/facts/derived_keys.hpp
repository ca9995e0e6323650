// Keys of Kubernetes objects that carry what the plan derives. The guard of patches refuses a patch
// that changes one; import makes no such patch.
#pragma once

#include <string_view>

namespace flexslice::facts {

// Wherever they are in an object.
inline constexpr std::string_view derived_keys[] = {
    "apiVersion", "kind",      "completions",    "parallelism", "completionMode", "replicas",
    "subdomain",  "clusterIP", "google.com/tpu", "job-name",    "nodeSelector",   "selector",
};

}  // namespace flexslice::facts
