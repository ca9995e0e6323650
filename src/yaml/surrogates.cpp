#include "yaml/surrogates.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cstdint>

namespace flexslice::yaml {

namespace {

using std::size_t;

constexpr std::uint32_t first_high = 0xD800, first_low = 0xDC00, after_low = 0xE000;

// Calls `visit(offset, code unit)` for each escape of a surrogate; offsets ascend. It returns how
// many bytes it has dealt with.
template <class Visit>
void for_each_surrogate(std::string_view text, const Visit& visit) {
  for (size_t at = 0; (at = text.find('\\', at)) != std::string_view::npos;) {
    std::uint32_t unit = 0;
    const std::string_view digits = text.substr(at).substr(0, surrogate_escape_length);
    const bool escape = digits.size() == surrogate_escape_length && digits[1] == 'u';
    const char* const end = digits.data() + digits.size();
    const bool number = escape && std::from_chars(digits.data() + 2, end, unit, 16).ptr == end;
    at += number && unit >= first_high && unit < after_low ? visit(at, unit) : 2;
  }
}

}  // namespace

std::optional<std::string> without_surrogates(std::string_view text) {
  std::optional<std::string> neutral;
  for_each_surrogate(text, [&](size_t at, std::uint32_t) {
    if (!neutral) neutral = text;
    (*neutral)[at + 2] = 'e';  // of the private use area
    return surrogate_escape_length;
  });
  return neutral;
}

std::string with_surrogates(std::string value, std::string_view raw) {
  constexpr std::string_view escape = "\\u";
  size_t from = 0;
  for (size_t at = 0; (at = value.find(escape, at)) != std::string::npos; ++at) {
    from = raw.find(escape, from);
    if (from == std::string_view::npos) break;
    value.replace(at, surrogate_escape_length, raw.substr(from, surrogate_escape_length));
    ++from;
  }
  return value;
}

std::string joined_surrogates(std::string_view quoted, std::optional<size_t>& lone) {
  std::string joined;
  size_t copied = 0, high_at = std::string_view::npos;
  std::uint32_t high = 0;
  for_each_surrogate(quoted, [&](size_t at, std::uint32_t unit) {
    const bool follows = high != 0 && high_at + surrogate_escape_length == at;
    if (high != 0 && (!follows || unit < first_low)) lone = lone.value_or(high_at);
    if (unit >= first_low && !follows) lone = lone.value_or(at);
    if (unit >= first_low && follows) {
      joined += quoted.substr(copied, high_at - copied);
      joined +=
          fmt::format("\\U{:08X}", 0x10000 + ((high - first_high) << 10) + (unit - first_low));
      copied = at + surrogate_escape_length;
    }
    high = unit < first_low ? unit : 0;
    high_at = at;
    return surrogate_escape_length;
  });
  if (high != 0) lone = lone.value_or(high_at);
  return joined += quoted.substr(copied);
}

}  // namespace flexslice::yaml
