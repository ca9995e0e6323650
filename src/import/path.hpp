// Places in a spec, which import adds to and leaves out of.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "yaml/node.hpp"
#include "yaml/path.hpp"
#include "yaml/value.hpp"

namespace flexslice::imports {

using yaml::Path, yaml::PathView, yaml::path_text;

Path path_of(std::string_view dotted);
// Finds the value of a spec at a place of its tree; empty: there is none.
Path path_at(const yaml::Node& tree, std::size_t offset);

const yaml::Value* find(const yaml::Value& spec, PathView path);
yaml::Value* find(yaml::Value& spec, PathView path);
// Writes the comment beside a value that has none and is not a list or mapping.
void annotate(yaml::Value& spec, PathView path, std::string comment);
// Says whether the other spec says the same there; an item may be anywhere in its list.
bool has_same(const yaml::Value& spec, const yaml::Value& other, PathView path);
// With what holds it and is empty then.
void remove(yaml::Value& spec, PathView path);

}  // namespace flexslice::imports
