// The parts of an object whose type says which of its fields go together. The rules judge them for
// objects of every door; import makes patches that remove what is in the way.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/table.hpp"
#include "yaml/node.hpp"

namespace flexslice::schema {

struct JudgedPart {
  std::vector<std::string> path;  // the items of a list are counted from 0
  const yaml::Node* node;
  Span where;  // of its key; what is derived is where the nearest part around it is
  const Table* type;
};

std::vector<JudgedPart> parts_with_combinations(const yaml::Node& object, const Table& type);

// The fields that exclude each other; empty: there is none of those of which it needs one; none:
// the part is good.
std::optional<std::vector<std::string_view>> wrong_fields(const JudgedPart& part);

// An empty value of a variable is as if there were none, and so is an empty list of conditions.
bool is_set(const yaml::Node* node);

}  // namespace flexslice::schema
