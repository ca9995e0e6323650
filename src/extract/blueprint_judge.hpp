// Judges what gcluster refuses in the modules of a blueprint: settings, references and names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "extract/blueprint.hpp"
#include "extract/cluster_config.hpp"
#include "yaml/node.hpp"

namespace flexslice::extract {

// Judges the modules and groups of a blueprint. `vars` are its variables, with those that others
// set; `given`: what any of its calls may do.
std::vector<RefusedEntry> judge_modules(const yaml::Node& document, const yaml::Node& vars,
                                        const BlueprintCall& given);

// Returns the names behind `begin` in an expression: `nodes` of `vars.nodes * 2`.
std::vector<std::string> names_after(std::string_view text, std::string_view begin);

}  // namespace flexslice::extract
