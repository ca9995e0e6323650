// gcloud commands as claims: node pools, clusters and workload policies that a script creates.
#pragma once

#include <string_view>
#include <vector>

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

// The names of programs that are read as gcloud: its own, and slips of it, which count only in
// front of one of its commands.
const std::vector<std::string_view>& gcloud_names();

// Adds the command, if the table of gcloud's commands describes it or says that it does not exist.
void read_command(const extract::Command& command, const catalog::Catalog& catalog, Found& found);

// Lets a finding about a resource of Terraform name arguments, not flags of gcloud.
void name_arguments(const extract::ResourceBlock& block, diag::Diagnostic& finding);

}  // namespace flexslice::view
