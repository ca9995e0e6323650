// How findings of import name objects and values. report.cpp calls it.
#pragma once

#include <string>
#include <string_view>

#include "import/compare.hpp"
#include "yaml/value.hpp"

namespace flexslice::imports {

// On one line, cut where it is long.
std::string text_of(const yaml::Value& value);

// Job `train`.
std::string title(const yaml::Value& object);

// What the change means for what runs already; mostly nothing.
std::string_view consequence(std::string_view kind, const Difference& difference);

}  // namespace flexslice::imports
