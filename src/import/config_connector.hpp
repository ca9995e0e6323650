// Node pools and clusters as objects of Config Connector. Their fields are the arguments of
// Terraform's resources in camel case, so they are read as these.
#pragma once

#include <span>

#include "catalog/catalog.hpp"
#include "extract/terraform.hpp"
#include "yaml/node.hpp"

namespace flexslice::imports {

// The type that commands from a node pool of Config Connector have in their `block`.
inline constexpr std::string_view connector_pool = "ContainerNodePool";

// Says whether the object makes nodes or a cluster.
bool is_of_connector(const yaml::Node& object);
// The commands that create the same as the objects of the document, which may be a list of objects.
// `flags`: those whose fields may have names of their own.
extract::TerraformResources connector_resources(const yaml::Node& document,
                                                std::span<const catalog::PoolFlag> flags);

}  // namespace flexslice::imports
