#include "base/lines.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/utf8.hpp"

namespace flexslice::text {

namespace {

bool begins_with_word(std::string_view line, std::string_view word) {
  return line.starts_with(word) &&
         (line.size() == word.size() || ascii::is_space(line[word.size()]));
}

}  // namespace

std::size_t line_begin(std::string_view text, std::size_t offset) {
  return text.substr(0, offset).rfind('\n') + 1;
}

std::size_t line_end(std::string_view text, std::size_t offset) {
  const std::size_t end = std::min(text.find('\n', offset), text.size());
  return end > offset && text[end - 1] == '\r' ? end - 1 : end;
}

std::size_t next_line(std::string_view text, std::size_t offset) {
  const std::size_t line_break = text.find('\n', offset);
  return line_break == std::string_view::npos ? text.size() : line_break + 1;
}

int line_breaks(std::string_view text) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string_view::npos; ++at) ++count;
  return count;
}

std::size_t mark_length(std::string_view text) {
  return text.starts_with(utf8::byte_order_mark) ? utf8::byte_order_mark.size() : 0;
}

bool is_marker(std::string_view line) { return begins_with_word(line, "---"); }

bool is_idle(std::string_view line) {
  line.remove_prefix(mark_length(line));
  if (line.starts_with("%YAML ") || line.starts_with("%TAG ")) return true;
  if (is_marker(line) || begins_with_word(line, "...")) line.remove_prefix(3);
  const auto content = std::find_if_not(line.begin(), line.end(), ascii::is_space);
  return content == line.end() || *content == '#';
}

}  // namespace flexslice::text
