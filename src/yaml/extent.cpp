#include "yaml/extent.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "yaml/node.hpp"

namespace flexslice::yaml {

namespace {

bool ends_token(char c) {
  return ascii::is_space(c) || std::string_view(",[]{}").find(c) != std::string_view::npos;
}

// Behind the last character of `value` that is no space. Folding and chomping change spaces and
// line breaks only, so the other characters are in the text in the same order.
std::size_t match(std::string_view text, std::size_t begin, std::string_view value) {
  std::size_t at = begin;
  std::size_t end = begin;
  for (const char c : value) {
    if (ascii::is_space(c)) continue;
    while (at < text.size() && text[at] != c && ascii::is_space(text[at])) ++at;
    if (at == text.size() || text[at] != c) break;
    end = ++at;
  }
  return end;
}

}  // namespace

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == '#' || ascii::is_space(text[at])))
    at = text[at] == '#' ? text::line_end(text, at) : at + 1;
  return at;
}

std::size_t property_end(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) == "!<") {
    const std::size_t close = text.find_first_of(">\n", at);
    return close == std::string_view::npos ? text.size() : close + (text[close] == '>' ? 1 : 0);
  }
  while (at < text.size() && !ends_token(text[at])) ++at;
  return at;
}

std::size_t skip_properties(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == '!' || text[at] == '&'))
    at = skip_space(text, property_end(text, at));
  return at;
}

bool is_quote(char c) { return c == '"' || c == '\''; }

std::size_t quoted_end(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  for (std::size_t at = begin + 1; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      const bool doubled = quote == '\'' && at + 1 < text.size() && text[at + 1] == quote;
      if (!doubled) return at + 1;
      ++at;
    }
  }
  return std::string_view::npos;
}

std::size_t scalar_end(std::string_view text, std::size_t begin, std::string_view value) {
  if (begin >= text.size()) return text.size();
  const char first = text[begin];
  if (is_quote(first)) return std::min(quoted_end(text, begin), text.size());
  if (first != '|' && first != '>') {
    if (text.substr(begin, value.size()) == value) return begin + value.size();
    return match(text, begin, value);
  }
  const std::size_t header = text::line_end(text, begin);
  const std::size_t content = match(text, header, value);
  return content == header ? header : text::line_end(text, content);
}

std::size_t null_length(std::string_view text, std::size_t at) {
  text.remove_prefix(std::min(at, text.size()));
  const std::string_view word = text.substr(0, property_end(text, 0));
  return std::ranges::find(null_words, word) == std::end(null_words) ? 0 : word.size();
}

std::size_t tab_in_indentation(std::string_view text, std::size_t at) {
  const std::size_t tab = text.find_first_not_of(' ', text::line_begin(text, at));
  return tab < at && text[tab] == '\t' ? tab : std::string_view::npos;
}

}  // namespace flexslice::yaml
