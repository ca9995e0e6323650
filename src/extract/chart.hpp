// Templates of Helm's charts, as far as values.yaml says what they print.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "extract/excerpt.hpp"
#include "yaml/node.hpp"

namespace flexslice::extract {

// A whole number of values.yaml is a floating-point number for Helm.
struct PrintedNumber {
  std::size_t begin = 0, end = 0;  // of the mark, in the excerpt
  std::string name;                // `.Values.steps`
  std::string text;                // `1.048576e+06`
};

// The marks of a template that print such a number within a string. `file`: with its marks.
std::vector<PrintedNumber> printed_numbers(const Excerpt& excerpt, std::string_view file,
                                           const yaml::Node& values);

}  // namespace flexslice::extract
