// Places in a tree: the keys from the top, the items of lists by their index. schema/, import/ and
// backend/kubernetes/ name and find them by these.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/text.hpp"

namespace flexslice::yaml {

// Keys of labels have dots of their own.
using Path = std::vector<std::string>;
using PathView = std::span<const std::string>;

// `workload.nodeSelector[example.com/zone]`.
std::string path_text(PathView path);

// The item or member of that key, or null. Of nodes and of values.
template <class Tree>
Tree* child(Tree& tree, const std::string& key) {
  if (tree.items.empty()) return tree.find(key);
  const auto index = text::whole_number(key);
  return index && static_cast<std::size_t>(*index) < tree.items.size()
             ? &tree.items[static_cast<std::size_t>(*index)]
             : nullptr;
}

// Returns the value at the end of the path, or null.
template <class Tree>
Tree* follow(Tree& tree, PathView path) {
  Tree* at = &tree;
  for (const std::string& key : path) {
    at = child(*at, key);
    if (at == nullptr) return nullptr;
  }
  return at;
}

}  // namespace flexslice::yaml
