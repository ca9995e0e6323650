// Marks of templates: Helm and Go, Jinja, Terraform, and placeholders that YAML reads as
// collections.
#pragma once

#include <string_view>

#include "diag/diag.hpp"
#include "extract/excerpt.hpp"
#include "yaml/node.hpp"

namespace flexslice::extract {

// Puts as many bytes, which read as a placeholder (schema/placeholder.hpp), in place of each mark.
// `${X}` stays as it is, unless YAML reads something else. Sets `mark` and `has_template_lines`.
void blank_marks(Excerpt& excerpt);

// Put the marks back, as they are in the file: in a tree that was read from the excerpt, and in
// what a finding says. Places stay those in the excerpt.
void restore_marks(yaml::Node& tree, const Excerpt& from, std::string_view file);
void restore_marks(diag::Diagnostic& finding, const Excerpt& from, std::string_view file);

}  // namespace flexslice::extract
