// What must hold of the bytes before YAML is read: size, UTF-8, no control characters.
#pragma once

#include <cstdint>
#include <string_view>

#include "diag/diag.hpp"

namespace flexslice::yaml {

// Whether the text can be read; if not, the first few places where it cannot are reported.
bool check_text(std::string_view text, std::uint32_t source, diag::Sink& sink);

}  // namespace flexslice::yaml
