// Escapes of JSON for characters above U+FFFF, `\ud83d\ude80`, which yaml-cpp refuses.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace flexslice::yaml {

// The text with escapes of the same length that yaml-cpp accepts; nothing where none is a
// surrogate. What is an escape depends on the quotes around it, which only a parser knows, so this
// replaces those in other scalars as well.
std::optional<std::string> without_surrogates(std::string_view text);

// Takes the replacement back in the value of a scalar that has no escapes; `raw` is the scalar as
// written, and may go on after it.
std::string with_surrogates(std::string value, std::string_view raw);

// The double-quoted scalar with one escape for each pair. `lone` becomes the offset of the first
// surrogate that is not part of a pair.
std::string joined_surrogates(std::string_view quoted, std::optional<std::size_t>& lone);

inline constexpr std::size_t surrogate_escape_length = 6;

}  // namespace flexslice::yaml
