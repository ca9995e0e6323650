// Which objects of the input belong to a workload, and to which of the compiled ones each
// corresponds. synthesis.cpp calls it.
#pragma once

#include <string_view>
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

// Pairs the objects of the input with compiled ones, for one workload.
class Matcher {
 public:
  // `main` is the workload's own object. Keeps references to both.
  Matcher(const Workload& workload, std::size_t main, const Material& input);

  // Each compiled object with that of the input, and the Services that fit the workload without
  // one.
  std::vector<ObjectPair> pair(const std::vector<yaml::Value>& compiled) const;

 private:
  bool fits(std::size_t object, std::string_view compiled_kind) const;

  const Workload& workload_;
  std::size_t main_;
  const Material& input_;
  std::vector<std::size_t> services_;  // that serve the workload
};

}  // namespace flexslice::imports
