#include "base/source.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace flexslice {

namespace {

int columns(std::string_view text) {
  int count = 0;
  for (std::size_t i = 0; i < text.size();) {
    i += std::max<std::size_t>(1, text::utf8_length(text, i));
    ++count;
  }
  return count;
}

Position position_of(const Source& source, std::size_t offset) {
  const std::string_view text = source.text;
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_break = before.rfind('\n');
  const std::size_t line_begin = line_break == std::string_view::npos ? 0 : line_break + 1;
  std::size_t line_end = text.find('\n', offset);
  if (line_end == std::string_view::npos) line_end = text.size();
  if (line_end > line_begin && text[line_end - 1] == '\r') --line_end;

  Position position;
  position.line = source.first_line + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  position.offset_in_line = offset - line_begin;
  position.column = 1 + columns(before.substr(line_begin));
  if (line_end >= line_begin) position.line_text = text.substr(line_begin, line_end - line_begin);
  return position;
}

}  // namespace

std::uint32_t Sources::add(Source source) {
  sources_.push_back(std::move(source));
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

std::string_view Sources::text(Span span) const {
  const std::string_view whole = sources_[span.source].text;
  const std::size_t begin = std::min<std::size_t>(span.begin, whole.size());
  const std::size_t end = std::clamp<std::size_t>(span.end, begin, whole.size());
  return whole.substr(begin, end - begin);
}

Position Sources::position(Span span) const { return position_of(sources_[span.source], span.begin); }

Position Sources::end_position(Span span) const { return position_of(sources_[span.source], span.end); }

}  // namespace flexslice
