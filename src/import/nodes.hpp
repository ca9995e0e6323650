// The fields `cluster`, `tpu` and `provisioning` of a spec, from what creates the workload's nodes
// and from what its pods select.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "import/pools.hpp"

namespace flexslice::imports {

// Reads a time as flags have it: `24h`, or `86400`.
std::optional<std::int64_t> seconds_in(std::string_view text);

// Sets `cluster`, `tpu` and `provisioning` of the spec. `todo` gets what is missing, in words.
void add_nodes(const FoundWorkload& workload, const NodeCommands& commands, const Material& input,
               const catalog::Catalog& catalog, yaml::Value& spec, std::vector<std::string>& todo);

}  // namespace flexslice::imports
