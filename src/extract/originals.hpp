// What the placeholders that blank_marks has written are in the file. lint and import print and
// keep the text of the file.
#pragma once

#include <string>
#include <string_view>

#include "diag/diag.hpp"
#include "extract/excerpt.hpp"
#include "extract/shell.hpp"
#include "yaml/node.hpp"

namespace flexslice::extract {

// The text of the excerpt with its marks as they are in the file: as many bytes, at the same
// offsets.
std::string with_marks(const Excerpt& excerpt, std::string_view file);

// `marked` is with_marks of the excerpt in all of these.

// The excerpt's text, but with marks in square brackets, which are lists as often as placeholders.
std::string with_bracketed_marks(const Excerpt& excerpt, std::string_view marked);

// Puts the marks back that are at `where`, in a text that was read there.
void restore_marks(std::string& text, Span where, const Excerpt& excerpt, std::string_view marked);
// In all scalars of a tree.
void restore_marks(yaml::Node& tree, const Excerpt& excerpt, std::string_view marked);
// In a word of a script.
void restore_marks(Word& word, const Excerpt& excerpt, std::string_view marked);
// In what a finding says. Its places are still those in the excerpt.
void restore_marks(diag::Diagnostic& finding, const Excerpt& excerpt, std::string_view file);

// Whether the text may have one of those placeholders.
bool may_have_blanked(std::string_view text);

}  // namespace flexslice::extract
