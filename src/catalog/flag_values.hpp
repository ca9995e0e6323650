// The values that gcloud takes for a flag or a positional, by the types of the command table.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flexslice::catalog {

struct ValueProblem {
  std::string_view item;                // that gcloud refuses, a part of the value
  std::vector<std::string_view> words;  // where only these are taken
  std::string why = {};                 // where the item is no word: `must be at least 1`
};

// Nothing where gcloud takes the value, or the type is not described.
std::optional<ValueProblem> value_problem(std::string_view type, std::string_view value);

}  // namespace flexslice::catalog
