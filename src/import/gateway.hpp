// The objects of an Inference Gateway in the input: what `workload.gateway` says of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "import/input.hpp"
#include "import/workload.hpp"
#include "yaml/value.hpp"

namespace flexslice::imports {

// Says whether the HTTPRoute sends requests to the InferencePool of that name.
bool routes_to(const yaml::Value& route, std::string_view pool);

// `workload.gateway`, by the InferencePool and the HTTPRoute that leads to it; nothing: the input
// has none. Without `model` where neither a header nor the server names it.
std::optional<yaml::Value> gateway_field(const FoundWorkload& workload, const yaml::Value& pool,
                                         const std::vector<FoundObject>& objects,
                                         std::string_view name);

}  // namespace flexslice::imports
