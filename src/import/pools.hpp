// Finds the commands of the input that create the nodes of a workload.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "import/input.hpp"
#include "import/workload.hpp"

namespace flexslice::imports {

// The commands of one workload, as indices into Material::commands.
struct NodeCommands {
  std::vector<std::size_t> pools;      // that create its node pools
  std::vector<std::size_t> clusters;   // that create the cluster
  std::vector<std::size_t> policies;   // that create a workload policy of its pools
  std::vector<std::size_t> checks;     // of pools that exist
  std::vector<std::size_t> ambiguous;  // pools that fit as well as others
  bool creates_cluster = false;        // not an earlier spec
};

NodeCommands commands_of(const FoundWorkload& workload, const Material& input,
                         const catalog::Catalog& catalog);

// Why the pool's nodes are none for the pods; empty: they are.
std::string misfit(const NodeCommand& pool, const FoundWorkload& workload,
                   const catalog::Catalog& catalog);

// Null where the catalog has no such machine type.
const catalog::MachineType* machine_of(const catalog::Catalog& catalog, std::string_view name);

}  // namespace flexslice::imports
