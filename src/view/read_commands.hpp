// gcloud commands as claims: node pools, clusters and workload policies that a script creates.
#pragma once

#include <string_view>

#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "extract/shell.hpp"
#include "view/view.hpp"

namespace flexslice::view {

// Flags of gcloud that say how nodes are provisioned.
struct ModelFlag {
  std::string_view flag;
  bool catalog::Model::*means;
};
inline constexpr ModelFlag model_flags[] = {
    {"--enable-queued-provisioning", &catalog::Model::needs_queue},
    {"--flex-start", &catalog::Model::flex_start},
    {"--spot", &catalog::Model::spot},
    {"--reservation", &catalog::Model::takes_reservation}};

// Adds the command, if it is one that creates what TPUs run on, or that the catalog says does not
// exist. `source` is that of the words.
void read_command(const extract::Command& command, const catalog::Catalog& catalog, Found& found);

// Lets a finding about a resource of Terraform name arguments, not flags of gcloud.
void name_arguments(const extract::ResourceBlock& block, diag::Diagnostic& finding);

}  // namespace flexslice::view
