#include "base/slip.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace flexslice::text {

bool same_digits(std::string_view a, std::string_view b) {
  const auto digits_of = [](std::string_view text) {
    std::string digits;
    std::ranges::copy_if(text, std::back_inserter(digits), ascii::is_digit);
    return digits;
  };
  return digits_of(a) == digits_of(b);
}

bool is_slip(std::string_view one, std::string_view other) {
  if (one.size() > other.size() + 1 || other.size() > one.size() + 1) return false;
  const auto [from, to] = std::ranges::mismatch(one, other);
  one.remove_prefix(static_cast<std::size_t>(from - one.begin()));
  other.remove_prefix(static_cast<std::size_t>(to - other.begin()));
  const std::string_view rest = one, meant = other;
  while (!one.empty() && !other.empty() && one.back() == other.back()) {
    one.remove_suffix(1);
    other.remove_suffix(1);
  }
  const bool is_swapped =
      one.size() == 2 && other.size() == 2 && one[0] == other[1] && one[1] == other[0];
  if (std::max(one.size(), other.size()) != 1 && !is_swapped) return false;
  return same_digits(rest, meant);
}

bool is_slip_of_name(std::string_view one, std::string_view other) {
  if (!is_slip(one, other)) return false;
  const auto words_of = [](std::string_view name) {
    std::string text(name);
    std::ranges::replace_if(
        text, [](char c) { return c == '@' || c == '/'; }, '-');
    return text;
  };
  const std::string own = words_of(one), meant = words_of(other);
  const auto words = split(own, '-'), others = split(meant, '-');
  if (words.size() != others.size()) return true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != others[i] && std::min(words[i].size(), others[i].size()) < 4) return false;
  }
  return true;
}

}  // namespace flexslice::text
