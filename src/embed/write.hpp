// Writes tables of cells as C++ source. Only the build tool uses it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "yaml/frozen.hpp"

namespace flexslice::embed {

struct NamedTable {
  std::string name;
  std::vector<yaml::Cell> cells;
  std::string texts;  // that the cells' places are in
};

// A C++ string literal of these bytes, whatever they are; broken after line ends.
std::string literal(std::string_view bytes);

// A whole C++ file that defines `embedded::SPAN` with one File for each table.
std::string cpp_source(std::string_view span, const std::vector<NamedTable>& tables);

}  // namespace flexslice::embed
