// The workload kinds, one row each: what `workload.kind` may be, and what a kind means to
// everything that is derived. Each has a template templates/kubernetes/WORD.yaml.
#pragma once

#include <string_view>

namespace flexslice::claims {

struct WorkloadKind {
  std::string_view word;    // in the spec
  std::string_view object;  // the Kubernetes kind
  // Set on the pods by the controller, with the workload's name as value.
  std::string_view pod_label;
  bool several_slices;      // runs several slices, and restarts all of them after a failure
  bool own_service;         // its controller creates the headless Service
  bool exclusive_topology;  // its controller can give each slice its own node pool
  // Of a pod's host name, between the workload's name and the host: `-slice-` and the slice; empty:
  // none.
  std::string_view slice_part;
};

inline constexpr WorkloadKind kinds[] = {
    {"job", "Job", "job-name", false, false, false, {}},
    {"jobset", "JobSet", "jobset.sigs.k8s.io/jobset-name", true, true, true, "-slice-"},
};

constexpr const WorkloadKind* find_kind(std::string_view word) {
  for (const WorkloadKind& kind : kinds) {
    if (kind.word == word) return &kind;
  }
  return nullptr;
}

// The kind of a workload that names none.
constexpr const WorkloadKind& default_kind(bool several_slices) {
  for (const WorkloadKind& kind : kinds) {
    if (kind.several_slices == several_slices) return kind;
  }
  return kinds[0];
}

}  // namespace flexslice::claims
