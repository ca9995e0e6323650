// What a finding is about, without its wording: whole messages are asserted in tests/ui alone.
#pragma once

#include <string>
#include <string_view>

namespace flexslice::test {

// Of `3:2 FS2002 missing `x` (for example `x: 3`)`: `3:2 FS2002 `x` `x: 3``. Words in backticks,
// and those with a digit.
inline std::string gist(std::string_view text) {
  std::string kept;
  const auto keep = [&](std::string_view word) {
    if (!kept.empty()) kept += ' ';
    kept += word;
  };
  while (!text.empty()) {
    const bool quoted = text.front() == '`';
    std::size_t end = quoted ? text.find('`', 1) : text.find_first_of(" `");
    if (end == text.npos) end = text.size();
    if (quoted && end < text.size()) ++end;
    std::string_view word = text.substr(0, end);
    text.remove_prefix(!quoted && end < text.size() && text[end] == ' ' ? end + 1 : end);
    if (!quoted) {
      while (!word.empty() && std::string_view("[(\"").find(word.front()) != word.npos)
        word.remove_prefix(1);
      while (!word.empty() && std::string_view("])\",;:.").find(word.back()) != word.npos)
        word.remove_suffix(1);
      bool digit = false;
      for (const char c : word) digit |= c >= '0' && c <= '9';
      if (!digit) continue;
    }
    keep(word);
  }
  return kept;
}

}  // namespace flexslice::test
