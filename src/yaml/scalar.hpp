// How a text can be written as a YAML scalar: the only place that decides about quotes.
#pragma once

#include <cstdint>
#include <string_view>

namespace flexslice::yaml {

enum class Quoting { plain, quoted, literal };

// Literal is answered only for texts with a line break, of which a literal block keeps every byte.
Quoting quoting_of(std::string_view text);
// Returns whether every reader takes the code point as it is inside a scalar.
bool is_safe(std::uint32_t point);

}  // namespace flexslice::yaml
