// The files of this folder that are compiled in: commands.yaml, and texts with placeholders.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "yaml/frozen.hpp"

namespace flexslice::cli {

// `commands.yaml` is a tree; every other file is one scalar.
yaml::View embedded_text(std::string_view file);

// A text such as `flexslice.1` with the values in place of its @NAMES@.
struct Substitute {
  std::string_view name;
  std::string value;
};
std::string filled_text(std::string_view file, const std::vector<Substitute>& substitutes);

}  // namespace flexslice::cli
