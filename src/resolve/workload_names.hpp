// Names that derive from the workload's. Rules judge their lengths; the plan has them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "resolve/facts.hpp"

namespace flexslice::resolve {

// What follows the workload's name in that of its node pool and its policy, and the queue's in that
// of its admission check.
inline constexpr std::string_view pool_suffix = "-pool", policy_suffix = "-policy",
                                  check_suffix = "-nodes", script_suffix = "-script";

// What a CronJob adds to its name for that of a Job: the minutes from 1970 to the start.
inline constexpr std::string_view start_suffix = "-NNNNNNNN";

// What pools and policies are named after: the workload, or what points of a sweep share.
std::string_view pool_owner(const spec::Claims& claims);
// `train-pool`, or as claimed, with `-1` for a slice of several. Of pools that exist already: those
// that are claimed, which may be fewer than the slices of a spec with errors.
std::vector<std::string> pool_names(const Facts& facts);
// The workload policy that a pool takes its shape from.
std::string policy_name(const Facts& facts);
// The ComputeClass of a workload: classes have no namespace, and GKE keeps names that begin with
// `gke` or `autopilot` for itself.
std::string class_name(std::string_view workload, std::string_view name_space);
// The name, or as much of it as the value of a label may have, with a fingerprint of the whole.
std::string fit_label(std::string name);
// Whether pools take their shape from a workload policy, and whether from `--tpu-topology`.
bool shaped_by_policy(const Facts& facts);
bool shaped_by_topology(const Facts& facts);
// The name of the Jobs of a schedule, whose last part is that of the start.
std::string job_name(std::string_view workload, const spec::WorkloadKind& kind);
// Host names of a pod. Empty where its controller gives it a random one.
std::string host_name(std::string_view workload, const spec::WorkloadKind& kind, std::int64_t slice,
                      std::int64_t host);
// Of a Service's port that has none of its own, among several.
std::string port_name(std::int64_t number);
// Whether there is a Service with the workload's name.
bool has_service(const Facts& facts);
// Of the containers that share the chips of a host, from 0: the workload's name, then `train-1`.
std::string container_name(std::string_view workload, std::int64_t index);
// Whether Google Cloud takes the label for a resource: lower-case letters, digits, `-` and `_`, at
// most 63, keys starting with a letter.
bool is_resource_label(std::string_view key, std::string_view value);

// Whether a node label is of a domain of Kubernetes or Google, which node pools cannot be given.
bool is_set_by_gke(std::string_view label);

// The claim of a bucket by a profile of Cloud Storage FUSE.
std::string profile_claim(std::string_view workload, std::string_view volume);

}  // namespace flexslice::resolve
