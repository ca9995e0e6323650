// gcloud commands as claims: node pools, clusters and workload policies that a script creates.
#pragma once

#include "catalog/catalog.hpp"
#include "extract/shell.hpp"
#include "view/view.hpp"

namespace flexslice::view {

// Adds the command, if it is one that creates what TPUs run on, or that the catalog says does not
// exist. `source` is that of the words.
void read_command(const extract::Command& command, const catalog::Catalog& catalog, Found& found);

}  // namespace flexslice::view
