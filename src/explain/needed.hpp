// What a workload refers to and nothing here makes: it has to be in the cluster or the project
// before the manifests are applied. `flexslice explain SPEC` prints it.
#pragma once

#include "explain/explain.hpp"
#include "explain/layout.hpp"

namespace flexslice::explain {

// A section of the sheet, or nothing where nothing is needed.
void add_needed(const plan::Plan& plan, const catalog::Catalog& catalog, const Made& made,
                Sheet& sheet);

}  // namespace flexslice::explain
