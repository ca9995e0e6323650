// Keys are checked once a tree is read: duplicate keys are reported, and merge keys are resolved.
#pragma once

#include "diag/diag.hpp"
#include "yaml/node.hpp"
#include "yaml/parse.hpp"

namespace flexslice::yaml {

// Returns whether the key of a mapping is `<<`.
bool is_merge_key(const Node& key);

// Reports keys that are given twice, and keeps one value of each: the first, or with
// `leniency.last_wins` the last.
void drop_duplicates(Node& tree, Leniency leniency, diag::Sink& sink);

// Resolves the merge keys of a tree whose keys are all different. What cannot be merged is
// reported, and the tree is of no use then: false.
bool resolve_merge_keys(Node& tree, diag::Sink& sink);

}  // namespace flexslice::yaml
