// A pod template as fields of a spec's workload.
#pragma once

#include <string_view>

#include "catalog/catalog.hpp"
#include "import/workload.hpp"
#include "yaml/value.hpp"

namespace flexslice::imports {

// Says whether the spec has the field for that kind.
bool has_field(std::string_view key, std::string_view kind);

// Sets what the spec has fields for; labels, tolerations and node selectors are left to
// `add_unmatched`, since most of them are derived.
void add_pod(const FoundWorkload& workload, const catalog::Catalog& catalog, yaml::Value& fields);

// Returns the fields in which the leader differs, or null where it runs the same.
yaml::Value leader_fields(const FoundWorkload& workload);

// The tolerations and node labels of `pod` that `compiled`, a pod template of the compiled spec,
// lacks.
void add_unmatched(const yaml::Value& pod, const yaml::Value& compiled, yaml::Value& fields);

}  // namespace flexslice::imports
