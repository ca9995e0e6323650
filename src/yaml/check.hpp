// What must hold of the bytes before YAML is read: size, UTF-8, no control characters. parse calls it first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "diag/diag.hpp"

namespace flexslice::yaml {

// Bytes of the mark that some editors put at the beginning of UTF-8 files: 3 or 0.
std::size_t mark_length(std::string_view text);

// Whether the text can be read; if not, the first few places where it cannot are reported.
bool check_text(std::string_view text, std::uint32_t source, diag::Sink& sink);

}  // namespace flexslice::yaml
