#include "base/source.hpp"

#include <algorithm>

#include "base/lines.hpp"
#include "base/utf8.hpp"

namespace flexslice {

Position position(const Source& source, std::size_t offset) {
  const std::string_view text = source.text;
  const std::string_view before = text.substr(0, offset);
  Position position{source.first_line, 1};
  position.line += text::line_breaks(before);
  for (std::size_t at = before.rfind('\n') + 1; at < before.size(); ++position.column)
    at += utf8::point_at(text, at).bytes.size();
  return position;
}

LineIndex::LineIndex(const Source& source)
    : text_(source.text), marks_{{0, {source.first_line, 1}}} {
  constexpr std::size_t distance = 4096;
  while (marks_.back().offset < text_.size())
    marks_.push_back(advanced(marks_.back(), marks_.back().offset + distance));
}

LineIndex::Mark LineIndex::advanced(Mark mark, std::size_t offset) const {
  while (mark.offset < std::min(offset, text_.size())) {
    if (text_[mark.offset] == '\n') {
      ++mark.position.line;
      mark.position.column = 0;
    }
    ++mark.position.column;
    mark.offset += utf8::point_at(text_, mark.offset).bytes.size();
  }
  return mark;
}

Position LineIndex::position(std::size_t offset) const {
  const auto after = std::ranges::upper_bound(marks_, offset, {}, &Mark::offset);
  return advanced(*std::prev(after), offset).position;
}

std::uint32_t Sources::add(Source source) {
  sources_.push_back(std::move(source));
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

std::string_view Sources::text(Span span) const {
  const std::string_view whole = sources_[span.source].text;
  const std::size_t begin = std::min<std::size_t>(span.begin, whole.size());
  return whole.substr(begin, std::max(span.begin, span.end) - span.begin);
}

}  // namespace flexslice
