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

// The pods of a workload, as other objects find them. Keeps references to the workload's object.
class FoundPods {
 public:
  explicit FoundPods(const Workload& workload);
  // No object but a Service serves pods.
  bool are_served_by(const FoundObject& service) const;
  bool are_selected_by(const yaml::Value* selector) const;

 private:
  std::string_view name_, subdomain_;
  const yaml::Value *labels_, *leader_labels_;
};

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

  FoundPods pods_;
  std::size_t main_;
  const Material& input_;
  std::vector<std::size_t> services_;  // that serve the workload
};

}  // namespace flexslice::imports
