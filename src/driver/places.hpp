// The places of a spec: each through the passes as a spec of its own, and what they share.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "driver/passes.hpp"

namespace flexslice {

// Gives the findings to a spec, without those that a comment suppresses.
using FinishSpec = std::function<void(Compiled&, std::vector<diag::Diagnostic>)>;

// `spec` has places. `source` and `file` are those of the spec.
std::vector<Compiled> compile_places(yaml::Node spec, std::uint32_t source, std::string_view file,
                                     const catalog::Catalog& catalog,
                                     const templates::Set& templates, const CompileOptions& options,
                                     const FinishSpec& finish);

}  // namespace flexslice
