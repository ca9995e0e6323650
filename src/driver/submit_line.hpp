// The line of gcluster that makes the workload of a plan, by the table of launchers and
// templates/gcluster.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "diag/diag.hpp"
#include "driver/artifacts.hpp"
#include "yaml/node.hpp"

namespace flexslice {

inline constexpr std::array<std::string_view, 2> submit_templates = {"gcluster/line",
                                                                     "gcluster/notes"};
inline constexpr std::string_view manifests_can = "`--emit manifests` can";

std::string submit_script(const Outputs& outputs);

// Reports fields of the spec that have no flag, and values that their flag does not take.
void check_submit(const Outputs& outputs, const yaml::Node& spec, diag::Sink& sink);

}  // namespace flexslice
