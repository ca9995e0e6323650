#include "base/stream.hpp"

namespace flexslice::text {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool begins_with_word(std::string_view line, std::string_view word) {
  return line.starts_with(word) && (line.size() == word.size() || is_blank(line[word.size()]));
}

}  // namespace

bool is_marker(std::string_view line) { return begins_with_word(line, "---"); }

bool is_idle(std::string_view line) {
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  if (line.starts_with("%YAML ") || line.starts_with("%TAG ")) return true;
  if (is_marker(line) || begins_with_word(line, "...")) line.remove_prefix(3);
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  return line.empty() || line.front() == '#';
}

}  // namespace flexslice::text
