// Makefiles as scripts: variables and recipes.
#pragma once

#include "extract/excerpt.hpp"

namespace flexslice::extract {

// Variables are assignments of a shell's, `$(X)` is `${X}`, and `$$X` is `$X`.
Excerpt recipes(const Excerpt& makefile);

}  // namespace flexslice::extract
