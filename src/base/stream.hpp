// Lines of a YAML stream that stand around its documents. split, the reader of files and suppressions call it.
#pragma once

#include <string_view>

namespace flexslice::text {

// `---`, with or without something behind it. A line comes with or without its line break.
bool is_marker(std::string_view line);

// Blank, a comment, a marker without content, or a directive: a line that by itself makes no document.
bool is_idle(std::string_view line);

}  // namespace flexslice::text
