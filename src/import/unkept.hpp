// What a shell makes of a here-document before it is applied, which no spec can do.
// input.cpp calls it for each document, with the places of the excerpt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "extract/excerpt.hpp"
#include "yaml/node.hpp"

namespace flexslice::imports {

struct Unkept {
  std::string text;
  Span where;  // in the excerpt
};

// `$X` and `$(…)` in commands and other free text which the shell of the script fills in, each
// once. None where the excerpt is no here-document.
std::vector<Unkept> filled_by_shell(const yaml::Node& tree, const extract::Excerpt& excerpt);

}  // namespace flexslice::imports
