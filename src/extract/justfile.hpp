// Justfiles as scripts: the lines of their recipes, with the values of their variables.
#pragma once

#include "extract/excerpt.hpp"

namespace flexslice::extract {

// `{{x}}` is the value of `x := "…"`, or a placeholder where the file does not say it. Each line of
// a recipe is a shell of its own, unless the recipe begins with `#!`.
Excerpt just_recipes(const Excerpt& justfile);

}  // namespace flexslice::extract
