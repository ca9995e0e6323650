// Makefiles as scripts: variables and recipes.
#pragma once

#include "read/excerpt.hpp"

namespace flexslice::read {

// Variables are assignments of a shell's, `$(X)` is `${X}`, and `$$X` is `$X`.
Excerpt recipes(const Excerpt& makefile);

}  // namespace flexslice::read
