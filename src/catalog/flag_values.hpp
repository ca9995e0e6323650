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

// Returns nothing if gcloud takes the value, or the type is not described.
std::optional<ValueProblem> value_problem(std::string_view type, std::string_view value);

// The items of a list or mapping; gcloud takes another separator in `^:^a,b:c`. Nothing: it is not
// well formed.
std::optional<std::vector<std::string_view>> list_items(std::string_view value);

// Reads a value of a type that is a size; returns nothing if gcloud refuses the value.
std::optional<double> size_in_gigabytes(std::string_view type, std::string_view value);

// The value as most people write it: `16` for `1_6` of a number, and `a,b` for `^:^a:b` of a list,
// unless an item has a comma.
std::string plain_value(std::string_view type, std::string_view value);

}  // namespace flexslice::catalog
