// Objects of the input that set up or keep nodes, as fields of a spec: a CheckpointConfiguration,
// and a CapacityBuffer with the PodTemplate of its units.
#pragma once

#include <string_view>
#include <vector>

#include "import/input.hpp"
#include "import/workload.hpp"
#include "yaml/value.hpp"

namespace flexslice::imports {

// Says whether the object sets up or keeps nodes of the workload.
bool is_for_nodes_of(const FoundWorkload& workload, const FoundObject& object,
                     const std::vector<FoundObject>& objects);

// `workload.checkpoints`, by the volume of the pods.
void add_checkpoints(const FoundWorkload& workload, const std::vector<FoundObject>& objects,
                     yaml::Value& fields);
// `provisioning.warm`, by a buffer of single hosts.
void add_warm(const FoundWorkload& workload, const std::vector<FoundObject>& objects,
              yaml::Value& spec);

}  // namespace flexslice::imports
