// Marks of templates: Helm and Go, Jinja, Terraform, and placeholders that YAML reads as
// collections.
#pragma once

#include "read/excerpt.hpp"

namespace flexslice::read {

// Puts as many bytes in place of each mark: blanks for those that write nothing or are alone on
// their lines, for others what reads as a placeholder (schema/placeholder.hpp). `${X}` stays as it
// is, unless YAML reads something else.
void blank_marks(Excerpt& excerpt);

}  // namespace flexslice::read
