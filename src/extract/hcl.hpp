// Terraform's own syntax as the tree that the same file in JSON syntax has, so that one reader of
// resources serves both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "yaml/node.hpp"

namespace flexslice::extract {

// The text cannot be read from this place on.
struct HclProblem {
  std::size_t at = 0;
  std::string_view why;
};

// Reads resources, modules, variables and locals, and arguments outside of blocks, as `.tfvars`
// have them; other blocks are skipped. An expression that is no literal is the string
// `${expression}`, as in JSON. Places are those in source `index`.
std::variant<yaml::Node, HclProblem> read_hcl(std::string_view text, std::uint32_t index);

}  // namespace flexslice::extract
