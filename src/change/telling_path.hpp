// A value by which kubectl tells the object that a change replaces from the one that it makes. The
// script of `diff --emit migrate` asks for it.
#pragma once

#include <string>

#include "yaml/value.hpp"

namespace flexslice::change {

struct TellingPath {
  std::string path;     // JSONPath of kubectl at which the two differ; empty: there is none
  std::string text;     // what one of the two has there
  bool of_new = false;  // the second has it, and the first may have a default there
};
TellingPath telling_path(const yaml::Value& before, const yaml::Value& after);

}  // namespace flexslice::change
