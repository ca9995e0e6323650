// Small helpers for text that several passes need. No locale, no regular expressions.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flexslice::text {

std::vector<std::string_view> split(std::string_view text, char separator);
// The parts of a temporary text would not outlive it.
template <std::same_as<std::string> Temporary>
std::vector<std::string_view> split(Temporary&& text, char separator) = delete;
std::string_view trim(std::string_view text);  // spaces, tabs and line ends
std::string lower(std::string_view text);      // ASCII letters only

std::string join(const auto& parts, std::string_view separator) {
  std::string joined;
  for (const auto& part : parts) {
    if (&part != &parts.front()) joined += separator;
    joined += part;
  }
  return joined;
}
// Each between backquotes, with commas.
std::string quoted_list(std::span<const std::string_view> words);

// Adds a key to a path: `.key`, or `[key/with.dots]`; one in brackets as it is.
void add_to_path(std::string& path, std::string_view key);

// `1 host`, `4 hosts`.
std::string count(std::int64_t number, std::string_view noun);

// Removes as many characters from the beginning of a text as pass the test and returns their
// number, or removes the first if it is one of `characters`.
std::size_t take(std::string_view& text, auto test) {
  const auto end = std::ranges::find_if_not(text, test);
  const auto count = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(count);
  return count;
}
inline bool take_one_of(std::string_view& text, std::string_view characters) {
  if (text.empty() || characters.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

// Says whether a text has another. In searches of whole files: std::string_view::find stops at each
// place of the first letter.
bool includes(std::string_view text, std::string_view part);

// The first character from there on that passes the test, or npos. In loops over whole files:
// find_first_of calls a function for every character.
std::size_t find_if(std::string_view text, std::size_t from, auto test) {
  for (; from < text.size(); ++from) {
    if (test(text[from])) return from;
  }
  return std::string_view::npos;
}

// A whole decimal number without sign, or nothing: no spaces, no overflow, no leading `+`.
std::optional<std::int64_t> whole_number(std::string_view text);

// Keys of paths are texts; a key of digits is the index of an item in a list.
bool is_index(std::string_view key);

// Eight hexadecimal digits that depend on every byte (FNV-1a).
std::string fingerprint(std::string_view text);

// How many letters are added, missing, replaced or swapped with the next one. Of ASCII.
std::size_t distance(std::string_view a, std::string_view b);

// The candidate that is most likely meant, or nothing when none is near.
std::optional<std::string_view> nearest(std::string_view seen,
                                        std::span<const std::string_view> candidates);

}  // namespace flexslice::text
