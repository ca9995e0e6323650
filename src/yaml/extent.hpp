// Finds the ends of the parts of a YAML text: yaml-cpp reports only where they begin. Offsets are
// in bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace flexslice::yaml {

// Behind blanks, line breaks and comments.
std::size_t skip_space(std::string_view text, std::size_t at);
// Behind the anchor and the tag at `at`, and the space after them.
std::size_t skip_properties(std::string_view text, std::size_t at);
// Behind the anchor, alias or tag at `at`.
std::size_t property_end(std::string_view text, std::size_t at);

// Behind the scalar that begins at `begin` and that the reader understood as `value`.
std::size_t scalar_end(std::string_view text, std::size_t begin, std::string_view value);
bool is_quote(char c);
// Behind the closing quote, or npos when there is none.
std::size_t quoted_end(std::string_view text, std::size_t begin);
// The length of an explicit `null` or `~` at `at`, or 0.
std::size_t null_length(std::string_view text, std::size_t at);

// The first tab among the blanks at the beginning of `at`'s line and before `at`, or npos.
std::size_t tab_in_indentation(std::string_view text, std::size_t at);

}  // namespace flexslice::yaml
