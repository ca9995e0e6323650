// Justfiles as scripts: the lines of their recipes, with the values of their variables.
#pragma once

#include "extract/excerpt.hpp"
#include "extract/given_names.hpp"

namespace flexslice::extract {

// `{{x}}` is the value of `x := "…"`, or a placeholder where the file does not say it, or a call is
// `given` another. Each line of
// a recipe is a shell of its own, unless the recipe begins with `#!`.
Excerpt just_recipes(const Excerpt& justfile, const GivenNames& given = {});

}  // namespace flexslice::extract
