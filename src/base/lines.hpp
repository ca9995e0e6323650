// Lines of a text, and those of a YAML stream that are around its documents.
#pragma once

#include <cstddef>
#include <string_view>

namespace flexslice::text {

// Returns the offset at which the line of the byte at `offset` begins; `offset` may be the text's
// size.
std::size_t line_begin(std::string_view text, std::size_t offset);
// Returns the offset at which that line ends, before its line break.
std::size_t line_end(std::string_view text, std::size_t offset);
// Returns the offset at which the next line begins, or the text's size if there is none.
std::size_t next_line(std::string_view text, std::size_t offset);
// How many lines end in the text. Faster than counting byte by byte.
int line_breaks(std::string_view text);

// Bytes of the mark that some editors put at the beginning of UTF-8 files: 3 or 0.
std::size_t mark_length(std::string_view text);

// `---`, with or without something behind it. A line comes with or without its line break.
bool is_marker(std::string_view line);

// Blank, a comment, a marker without content, or a directive: a line that alone makes no document.
bool is_idle(std::string_view line);

}  // namespace flexslice::text
