// Spelling in Terraform, by the words of terraform_names.yaml.
#pragma once

#include "diag/diag.hpp"
#include "yaml/node.hpp"

namespace flexslice::rules {

// Reports blocks, arguments and words of Terraform which are one slip away from those that there
// are. `module`: a file of it.
void judge_terraform_names(const yaml::Node& module, diag::Sink& sink);

}  // namespace flexslice::rules
