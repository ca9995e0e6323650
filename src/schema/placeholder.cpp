#include "schema/placeholder.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace flexslice::schema {

namespace {

bool is_word(char c) { return ascii::is_letter_or_digit(c) || c == '_'; }

// The placeholder that `rest` begins with, or empty.
std::string_view placeholder_at(std::string_view rest) {
  const std::string_view whole = rest;
  const auto taken = [&] { return whole.substr(0, whole.size() - rest.size()); };
  const auto take = [&](std::string_view mark) {
    if (!rest.starts_with(mark)) return false;
    rest.remove_prefix(mark.size());
    return true;
  };
  const auto closed = [&](std::string_view mark, auto inner) {
    return text::take(rest, inner) > 0 && take(mark) ? taken() : std::string_view();
  };
  if (take("{{")) return closed("}}", [](char c) { return c != '}'; });
  if (take("${")) return closed("}", [](char c) { return c != '}'; });
  if (take("$")) {
    const bool name = !rest.empty() && !ascii::is_digit(rest.front());
    return name && text::take(rest, is_word) > 0 ? taken() : std::string_view();
  }
  if (take("<"))
    return closed(">", [](char c) { return is_word(c) || c == '-' || c == ' ' || c == '.'; });
  if (take("YOUR_"))
    return text::take(rest, [](char c) { return is_word(c) && !ascii::is_lower(c); }) > 0
               ? taken()
               : std::string_view();
  return {};
}

}  // namespace

std::string_view placeholder_in(std::string_view text) {
  for (std::size_t at = 0; (at = text.find_first_of("{$<Y", at)) != std::string_view::npos; ++at) {
    const bool within = text[at] == 'Y' && at > 0 && is_word(text[at - 1]);
    if (const auto placeholder = placeholder_at(text.substr(at)); !within && !placeholder.empty())
      return placeholder;
  }
  return {};
}

}  // namespace flexslice::schema
