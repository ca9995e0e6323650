// Finds the objects of the input that belong to a workload, and the compiled one to which each
// corresponds.
#pragma once

#include <string_view>
#include <vector>

#include "import/input.hpp"
#include "import/pools.hpp"
#include "import/workload.hpp"

namespace flexslice::imports {

// These belong to a workload, as indices in Material.
struct Parts {
  std::size_t object = 0;  // the workload's own
  NodeCommands commands;
  std::vector<std::size_t> services;  // that serve its pods, in order
};

bool is_same_namespace(const yaml::Value& a, const yaml::Value& b);

// The ClusterQueue of the workload's queue, where the input has both; else they are somebody
// else's.
const FoundObject* own_cluster_queue(const FoundWorkload& workload, const Material& input);

// Kinds of the objects that a LocalQueue leads to.
bool is_behind_queue(std::string_view kind);

// An object of the input and one that was compiled, as indices; -1: there is none.
struct ObjectPair {
  int input = -1, compiled = -1;
};

// The Services that serve its pods, in order.
std::vector<std::size_t> services_of(const FoundWorkload& workload,
                                     const std::vector<FoundObject>& objects);

// The PodMonitoring of its pods; the number of objects: there is none.
std::size_t monitoring_of(const FoundWorkload& workload, const std::vector<FoundObject>& objects);

// The InferencePool of its pods, or null.
const FoundObject* pool_of(const FoundWorkload& workload, const std::vector<FoundObject>& objects);

// Each compiled object with that of the input, and the Services that fit the workload without one.
std::vector<ObjectPair> pair_objects(const FoundWorkload& workload, const Parts& parts,
                                     const Material& input,
                                     const std::vector<yaml::Value>& compiled);

}  // namespace flexslice::imports
