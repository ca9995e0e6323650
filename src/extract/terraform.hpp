// Resources of Terraform as the gcloud commands that create the same, so that one
// reader and one set of rules serve both. lint/ and import/ call it.
#pragma once

#include <vector>

#include "extract/shell.hpp"
#include "yaml/node.hpp"

namespace flexslice::extract {

struct TerraformResources {
  std::vector<Command> commands;  // of node pools, workload policies and clusters
  std::vector<Span> unread;       // arguments of them that no command has
};

// Of a document in JSON syntax, or the tree that read_hcl makes. Each value is where the document
// says it. Variables have their defaults; names of locals and of arguments of these resources have
// their values; other expressions are unknown. Empty for a document that is not Terraform's.
TerraformResources read_terraform(const yaml::Node& document);

}  // namespace flexslice::extract
