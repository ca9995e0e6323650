// Compares an object of the input with the one that was compiled, after Kubernetes' defaulting.
#pragma once

#include <string>
#include <vector>

#include "yaml/value.hpp"

namespace flexslice::imports {

// On the way to a difference: a key, or the items of a list in both objects.
struct PathStep {
  std::string key;                // empty: items of a list
  int input = -1, compiled = -1;  // -1: the item is in one of them only
  std::string label;              // what the item is called
};

struct Difference {
  std::vector<PathStep> path;
  yaml::Value input, compiled;  // null where one of them has nothing there
  Span where;  // of the scalar in the input, or the begin of what is longer or holds the place

  bool is_added() const { return input.kind == yaml::Value::Kind::null; }
  bool is_lost() const { return compiled.kind == yaml::Value::Kind::null; }
  // `spec.template.spec.containers[train].image`.
  std::string place() const;
};

// Both as defaults.hpp normalizes them.
std::vector<Difference> differences(const yaml::Value& input, const yaml::Value& compiled);

// Returns the input's value at the end of the path, or null.
const yaml::Value* value_at(const yaml::Value& input, const std::vector<PathStep>& path);

}  // namespace flexslice::imports
