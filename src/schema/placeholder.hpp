// Placeholders in values: what documentation and templates write where the reader's own value goes.
// decode calls it.
#pragma once

#include <string_view>

namespace flexslice::schema {

// The first `$X`, `${X}`, `<x>`, `YOUR_X` or `{{ x }}` of the text; empty when it has none.
std::string_view placeholder_in(std::string_view text);

}  // namespace flexslice::schema
