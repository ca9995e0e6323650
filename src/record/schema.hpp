// The JSON Schema and the field reference, made from the field table. `flexslice schema` prints them; schemas/ holds copies that a test
// compares.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "record/record.hpp"
#include "yaml/value.hpp"

namespace flexslice::record {

// The texts that Rule::choices_of stands for.
using Choices = std::function<std::vector<std::string_view>(std::string_view set)>;

// Draft 2020-12. What only resolve can know (which topology exists, what contradicts what) is not in it.
yaml::Value json_schema(const Table& table, const Choices& choices, std::string_view title);

// Every field with type, presence, default and example, as Markdown.
std::string reference(const Table& table, const Choices& choices);

}  // namespace flexslice::record
