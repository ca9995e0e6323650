// The workload kinds, one row each: what `workload.kind` may be, and what a kind means to
// everything that is derived. Each has a template templates/kubernetes/WORD.yaml.
#pragma once

#include <string_view>

namespace flexslice::claims {

struct Kind {
  std::string_view word;    // in the spec
  std::string_view object;  // the Kubernetes kind
  std::string_view
      pod_label;        // that the controller puts on the pods, with the workload's name as value
  bool several_slices;  // runs several slices, and starts all of them again after a failure
  bool own_service;     // its controller makes the headless Service
  bool exclusive_topology;      // its controller can give each slice a node pool of its own
  std::string_view slice_part;  // of a pod's host name, between the workload's name and the host:
                                // `-slice-` and the slice; empty: none
};

inline constexpr Kind kinds[] = {
    {"job", "Job", "job-name", false, false, false, {}},
    {"jobset", "JobSet", "jobset.sigs.k8s.io/jobset-name", true, true, true, "-slice-"},
};

constexpr const Kind* find_kind(std::string_view word) {
  for (const Kind& kind : kinds) {
    if (kind.word == word) return &kind;
  }
  return nullptr;
}

// The kind of a workload that names none.
constexpr const Kind& default_kind(bool several_slices) {
  for (const Kind& kind : kinds) {
    if (kind.several_slices == several_slices) return kind;
  }
  return kinds[0];
}

}  // namespace flexslice::claims
