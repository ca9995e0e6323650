// Kubernetes objects in Terraform: resources that are objects, and texts that hold YAML or
// commands.
#pragma once

#include <vector>

#include "extract/excerpt.hpp"
#include "extract/terraform.hpp"
#include "yaml/node.hpp"

namespace flexslice::extract {

struct TerraformObject {
  yaml::Node tree;       // as a manifest has it, with the places of Terraform's arguments
  bool is_open = false;  // a plan may add what is not known
};

// `document`: the tree of a file, as read_terraform takes it. `module`: that it is in, or null.
std::vector<TerraformObject> terraform_objects(const yaml::Node& document, const Module* module);

// Here-documents of a file, without the indentation that `<<-` takes away. `${var.x}` and
// `${local.x}` are their values, if the module has them as plain words.
std::vector<Excerpt> texts_of_hcl(const Excerpt& file, const Module* module);

}  // namespace flexslice::extract
