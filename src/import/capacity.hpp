// Queues of teams and the node pools under them, where the input has no workload: the specs of an
// admin.
#pragma once

#include <vector>

#include "import/synthesis.hpp"

namespace flexslice::imports {

// A spec for each flavor with TPUs that a ClusterQueue has chips of.
std::vector<Synthesis> synthesize_capacity(const Material& input, const catalog::Catalog& catalog,
                                           const Compiler& compiler);

}  // namespace flexslice::imports
