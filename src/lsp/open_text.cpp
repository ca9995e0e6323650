#include "lsp/open_text.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace flexslice::lsp {

namespace {

std::size_t units(const utf8::Point& point, Encoding encoding) {
  constexpr std::size_t plane = 0x10000;  // code points from here on are two UTF-16 code units
  if (encoding == Encoding::utf8) return point.bytes.size();
  return point.value < plane ? 1 : 2;
}

}  // namespace

void OpenText::find_lines() {
  last_offset_ = 0;
  last_ = {};
  lines_.assign(1, 0);
  for (std::size_t at = 0; (at = text_.find_first_of("\r\n", at)) != std::string::npos;) {
    at += text_.compare(at, 2, "\r\n") == 0 ? 2 : 1;
    lines_.push_back(at);
  }
}

std::string_view OpenText::line_from(std::size_t index) const {
  const std::size_t begin = lines_[index];
  const std::size_t end = index + 1 < lines_.size() ? lines_[index + 1] : text_.size();
  return std::string_view(text_).substr(begin, end - begin);
}

std::size_t OpenText::offset(ClientPosition position, Encoding encoding) const {
  if (position.line >= lines_.size()) return text_.size();
  const std::string_view line = line_from(position.line);
  std::size_t at = 0, passed = 0;
  while (at < line.size() && line[at] != '\n' && line[at] != '\r') {
    const utf8::Point point = utf8::point_at(line, at);
    passed += units(point, encoding);
    if (passed > position.character) break;
    at += point.bytes.size();
  }
  return lines_[position.line] + at;
}

ClientPosition OpenText::position(std::size_t offset, Encoding encoding) const {
  offset = std::min(offset, text_.size());
  while (offset > 0 && offset < text_.size() && utf8::continues(text_[offset])) --offset;
  const auto after = std::ranges::upper_bound(lines_, offset);
  const auto line = static_cast<std::size_t>(after - lines_.begin()) - 1;
  if (encoding == Encoding::utf8) return {line, offset - lines_[line]};
  if (last_.line != line || last_offset_ > offset) {
    last_ = {line, 0};
    last_offset_ = lines_[line];
  }
  const std::string_view text = text_;
  for (const utf8::Point& point : utf8::Points(text.substr(last_offset_, offset - last_offset_)))
    last_.character += units(point, encoding);
  last_offset_ = offset;
  return last_;
}

void OpenText::replace(std::size_t begin, std::size_t end, std::string_view by) {
  begin = std::min(begin, text_.size());
  end = std::clamp(end, begin, text_.size());
  text_.replace(begin, end - begin, by);
  find_lines();
}

}  // namespace flexslice::lsp
