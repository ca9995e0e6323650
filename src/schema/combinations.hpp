// Fields of an object that Kubernetes does not accept together, and those of which it needs one.
// patch.cpp judges patched objects by it, lint those of manifests; import makes patches that remove
// what is in the way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/table.hpp"
#include "yaml/node.hpp"
#include "yaml/value.hpp"

namespace flexslice::schema {

// A part of an object that has too many of the fields, or none where it must have one.
struct Combination {
  std::vector<std::string> path;  // of the part; the items of a list are counted from 0
  const Table* type;
  std::vector<std::string_view> given;  // of the fields that exclude each other
};

// A part of an object whose type has `rules`.
struct RuledPart {
  std::vector<std::string> path;
  const yaml::Node* part;
  const Table* type;
};

std::vector<Combination> wrong_combinations(const yaml::Value& value, const Table& type);
std::vector<Combination> wrong_combinations(const yaml::Node& node, const Table& type);
std::vector<RuledPart> ruled_parts(const yaml::Node& node, const Table& type);
// An empty value of a variable is as if there were none, and so is an empty list of conditions.
bool is_set(const yaml::Value* value);
bool is_set(const yaml::Node* node);

}  // namespace flexslice::schema
