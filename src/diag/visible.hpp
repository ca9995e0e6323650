// How text of users is shown to people: nothing in it may act on a terminal, or look like nothing.
#pragma once

#include <string>
#include <string_view>

#include "base/utf8.hpp"

namespace flexslice::diag {

// A code point as it may be printed.
struct Glyph {
  std::string text;
  int columns = 1;  // that it takes on a terminal; a tab counts 0, the caller knows where it is
};
Glyph glyph(const utf8::Point& point);

// Line breaks and tabs are escaped too; but line breaks stay with `lines`.
std::string visible(std::string_view text, bool lines = false);

}  // namespace flexslice::diag
