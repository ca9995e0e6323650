// Names that derive from the workload's. Rules judge their lengths; the plan has them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "resolve/facts.hpp"

namespace flexslice::resolve {

// The first two follow the workload's name in that of its node pool and its policy, the third the
// queue's in that of its admission check, and the last the workload's in that of its script.
inline constexpr std::string_view pool_suffix = "-pool", policy_suffix = "-policy",
                                  check_suffix = "-nodes", script_suffix = "-script";

// A CronJob adds the minutes from 1970 to the start to its name, for that of a Job.
inline constexpr std::string_view start_suffix = "-NNNNNNNN";

// Pools and policies are named after the workload, or after the name that points of a sweep share.
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
// Some pools take their shape from a workload policy, some from `--tpu-topology`.
bool shaped_by_policy(const Facts& facts);
bool shaped_by_topology(const Facts& facts);
// The name of the Jobs of a schedule, whose last part is that of the start.
std::string job_name(std::string_view workload, const spec::WorkloadKind& kind);
// Host names of a pod. Empty where its controller gives it a random one.
std::string host_name(std::string_view workload, const spec::WorkloadKind& kind, std::int64_t slice,
                      std::int64_t host);
// A Service's port needs a name if there are several; this is for one that has none.
std::string port_name(std::int64_t number);
// Returns whether there is a Service with the workload's name.
bool has_service(const Facts& facts);
// The containers that share the chips of a host are numbered from 0: the workload's name, then
// `train-1`.
std::string container_name(std::string_view workload, std::int64_t index);
// Google Cloud takes only such labels for a resource: lower-case letters, digits, `-` and `_`, at
// most 63, keys starting with a letter.
bool is_resource_label(std::string_view key, std::string_view value);

// Returns whether a node label is of a domain of Kubernetes or Google, which node pools cannot be
// given.
bool is_set_by_gke(std::string_view label);

// The claim of a bucket by a profile of Cloud Storage FUSE.
std::string profile_claim(std::string_view workload, std::string_view volume);

}  // namespace flexslice::resolve
