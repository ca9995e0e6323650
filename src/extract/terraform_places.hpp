// Arguments of Terraform's node pools that are in a block which does not have them.
#pragma once

#include <string>
#include <vector>

#include "base/source.hpp"
#include "yaml/node.hpp"

namespace flexslice::extract {

struct MisplacedArgument {
  Span where;
  std::string name, block;  // the block that has it
};
std::vector<MisplacedArgument> misplaced_arguments(const yaml::Node& document);

}  // namespace flexslice::extract
