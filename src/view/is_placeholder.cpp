#include "view/is_placeholder.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "schema/placeholder.hpp"

namespace flexslice::view {

namespace {

constexpr std::string_view hints[] = {"changeme", "change-me", "your-", "your_",       "replace",
                                      "todo",     "example",   "...",   "placeholder", "xxx"};

bool is_capital_word(std::string_view text) {
  const auto is_part = [](char c) {
    return ascii::is_digit(c) || (ascii::is_letter_or_digit(c) && !ascii::is_lower(c)) ||
           c == '_' || c == '-' || c == '.';
  };
  const auto letters = std::ranges::count_if(
      text, [](char c) { return ascii::is_letter_or_digit(c) && !ascii::is_digit(c); });
  return letters > 1 && std::ranges::all_of(text, is_part);
}

}  // namespace

bool is_placeholder(std::string_view text) {
  if (text.empty() || !schema::placeholder_in(text).empty() || is_capital_word(text)) return true;
  if (text.find_first_of("{}[]<>$%|*\n ") != std::string_view::npos) return true;
  const std::string lowered = text::lower(text);
  return std::ranges::any_of(
      hints, [&](std::string_view hint) { return lowered.find(hint) != std::string::npos; });
}

}  // namespace flexslice::view
