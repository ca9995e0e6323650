// How findings of import name objects and values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "import/compare.hpp"
#include "yaml/value.hpp"

namespace flexslice::imports {

// On one line; cut where it is longer than so many bytes.
std::string value_text(const yaml::Value& value, std::size_t longest = 160);
// For what is lost or added: the message has all of it.
inline constexpr std::size_t whole = std::string::npos;

// Job `train`.
std::string object_title(const yaml::Value& object);

// Explains the change to those whose workload runs already; mostly empty.
std::string_view consequence(std::string_view kind, const Difference& difference);

}  // namespace flexslice::imports
