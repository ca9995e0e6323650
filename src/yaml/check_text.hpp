// Bytes are checked before YAML is read: size, UTF-8, no control characters.
#pragma once

#include <cstdint>
#include <string_view>

#include "diag/diag.hpp"

namespace flexslice::yaml {

// Returns whether the text can be read; if not, it reports the first few places with a problem.
bool check_text(std::string_view text, std::uint32_t source, diag::Sink& sink);

}  // namespace flexslice::yaml
