// A spec as text. import.cpp calls it.
#pragma once

#include <string>

#include "yaml/value.hpp"

namespace flexslice::imports {

// Members in the order of the language's tables, at every level.
void put_in_order(yaml::Value& spec);

// With its comments. Placeholders are quoted.
std::string spec_text(const yaml::Value& spec);

}  // namespace flexslice::imports
