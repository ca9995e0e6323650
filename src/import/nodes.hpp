// The nodes of a workload: which commands create them, and the fields `cluster`, `tpu` and
// `provisioning` that say the same. draft.cpp calls it.
#pragma once

#include <string>
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

NodeCommands commands_of(const Workload& workload, const Material& input,
                         const catalog::Catalog& catalog);

// Why the pool's nodes are none for the pods; empty: they are.
std::string misfit(const Command& pool, const Workload& workload, const catalog::Catalog& catalog);

// The name of the model that the flag means, or of the one that no flag means.
std::string model_with(const catalog::Catalog& catalog, bool catalog::Model::*means);
std::string model_without_flags(const catalog::Catalog& catalog);

// Sets `cluster`, `tpu` and `provisioning` of the spec. `todo` gets what is missing, in words.
void add_nodes(const Workload& workload, const NodeCommands& commands, const Material& input,
               const catalog::Catalog& catalog, yaml::Value& spec, std::vector<std::string>& todo);

}  // namespace flexslice::imports
