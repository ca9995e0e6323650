#include "base/source.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace flexslice {

namespace {

constexpr std::size_t mark_distance = 4096;

}  // namespace

LineIndex::LineIndex(const Source& source)
    : text_(source.text), marks_{{0, {source.first_line, 1}}} {
  for (Mark mark = marks_[0]; mark.offset < text_.size(); marks_.push_back(mark))
    advance(mark, mark.offset + mark_distance);
}

void LineIndex::advance(Mark& mark, std::size_t offset) const {
  while (mark.offset < std::min(offset, text_.size())) {
    mark.position = text_[mark.offset] == '\n'
                        ? Position{mark.position.line + 1, 1}
                        : Position{mark.position.line, mark.position.column + 1};
    mark.offset += utf8::point_at(text_, mark.offset).bytes.size();
  }
}

Position LineIndex::position(std::size_t offset) const {
  const auto after =
      std::upper_bound(marks_.begin(), marks_.end(), offset,
                       [](std::size_t at, const Mark& mark) { return at < mark.offset; });
  Mark mark = *(after - 1);
  advance(mark, offset);
  return mark.position;
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

Position Sources::position(Span span) const {
  return LineIndex(sources_[span.source]).position(span.begin);
}

}  // namespace flexslice
