// Which objects of the input belong to a workload, and to which of the compiled ones each
// corresponds. synthesis.cpp calls it.
#pragma once

#include <utility>
#include <vector>

#include "import/input.hpp"
#include "import/workload.hpp"

namespace flexslice::imports {

// An object of the input and one that was compiled, as indices; -1: there is none.
struct ObjectPair {
  int input = -1, compiled = -1;
};

// Whether the Service is for the pods of the workload.
bool serves(const yaml::Value& service, const Workload& workload);

// Each compiled object with that of the input, and the Services that fit the workload without one.
// `main` is the workload's own object.
std::vector<ObjectPair> pair_objects(const Workload& workload, std::size_t main,
                                     const Material& input,
                                     const std::vector<yaml::Value>& compiled);

}  // namespace flexslice::imports
