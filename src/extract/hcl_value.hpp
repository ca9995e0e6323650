// Expressions of Terraform, as far as they can be calculated from the values that they name.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "yaml/node.hpp"

namespace flexslice::extract {

// The value of `var.NAME`, `local.NAME` and other names with dots; null: it is not known. It may
// be an expression itself.
using HclNames = std::function<const yaml::Node*(std::string_view name)>;

// `said` is a string as read_hcl makes it: `${expression}`, or text with such in it. Nothing where
// a part is not known, or is of a form or function that is not read here. Places are that of
// `said`, but those within lists and mappings, which are where these were written.
std::optional<yaml::Node> calculate_hcl(const yaml::Node& said, const HclNames& names);

}  // namespace flexslice::extract
