// Marks of templates: Helm and Go, Jinja, Terraform, and placeholders that YAML reads as
// collections.
#pragma once

#include <string_view>

#include "extract/excerpt.hpp"

namespace flexslice::extract {

// Puts as many bytes in place of each mark: blanks for those that write nothing or are alone on
// their lines, for others what reads as a placeholder (schema/placeholder.hpp). `${X}` stays as it
// is, unless YAML reads something else.
void blank_marks(Excerpt& excerpt);
// Whether blanks stand for marks, such as `{{- if x }}`, in or behind the tree that is at `tree` in
// the excerpt: they may leave out members or put others in. `file` is what the excerpt is of.
bool has_blanked_marks(const Excerpt& excerpt, Span tree, std::string_view file);

}  // namespace flexslice::extract
