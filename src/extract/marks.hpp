// Marks of templates: Helm and Go, Jinja, Terraform, and placeholders that YAML reads as
// collections.
#pragma once

#include <optional>
#include <string_view>

#include "diag/diag.hpp"
#include "extract/excerpt.hpp"
#include "yaml/node.hpp"

namespace flexslice::extract {

// Puts as many bytes in place of each mark: blanks for those that write nothing or are alone on
// their lines, for others what reads as a placeholder (schema/placeholder.hpp). `${X}` stays as it
// is, unless YAML reads something else.
void blank_marks(Excerpt& excerpt);
// Whether blanks stand for marks, such as `{{- if x }}`, in or behind the tree that is at `tree` in
// the excerpt: they may leave out members or put others in. `file` is what the excerpt is of.
bool has_blanked_marks(const Excerpt& excerpt, Span tree, std::string_view file);

// The first mark that a program fills in, `{{ x }}` or `{% if x %}`, in the excerpt.
std::optional<Span> template_mark(const Excerpt& excerpt, std::string_view file);

// Put the marks back, as they are in the file: in a tree that was read from the excerpt, and in
// what a finding says. Places stay those in the excerpt.
void restore_marks(yaml::Node& tree, const Excerpt& from, std::string_view file);
void restore_marks(diag::Diagnostic& finding, const Excerpt& from, std::string_view file);

}  // namespace flexslice::extract
