// Classes of ASCII characters, for every reader of text. No locale: other bytes belong to no class.
#pragma once

namespace flexslice::ascii {

// Function objects, which algorithms inline.
inline constexpr auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
inline constexpr auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
inline constexpr auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
inline constexpr auto is_letter_or_digit = [](char c) {
  return is_lower(c) || is_upper(c) || is_digit(c);
};
inline constexpr auto is_word = [](char c) { return is_letter_or_digit(c) || c == '_'; };
inline constexpr auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
inline constexpr auto is_space = [](char c) { return is_blank(c) || c == '\n' || c == '\r'; };
inline constexpr auto to_lower = [](char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
};

}  // namespace flexslice::ascii
