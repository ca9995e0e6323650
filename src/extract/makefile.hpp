// Makefiles as scripts: variables and recipes.
#pragma once

#include "extract/excerpt.hpp"
#include "extract/given_names.hpp"
#include "extract/shell.hpp"

namespace flexslice::extract {

// Each line of a recipe is run by a shell of its own, with the values that make puts into it: of a
// variable that only make knows, `$(X)` is `${X}`, and `$$X` is `$X`. `beside`: files that it
// includes, or nothing. `given`: variables that its callers set, so that they are not known.
Excerpt recipes(const Excerpt& makefile, const ReadBeside& beside = {},
                const GivenNames& given = {});

}  // namespace flexslice::extract
