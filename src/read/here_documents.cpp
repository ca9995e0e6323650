#include "read/here_documents.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/lines.hpp"

namespace flexslice::read {

using std::size_t;

namespace {
constexpr size_t longest_delimiter = 64;
}

std::optional<HereDocument> HereLines::take_delimiter(size_t& at) const {
  const bool strips_tabs = text_.substr(at).starts_with('-');
  if (strips_tabs) ++at;
  while (at < text_.size() && ascii::is_blank(text_[at])) ++at;
  if (text_.substr(at).starts_with('\\')) ++at;
  const size_t begin = at;
  size_t end = begin;
  if (begin < text_.size() && (text_[begin] == '\'' || text_[begin] == '"')) {
    end = text_.substr(0, begin + 1 + longest_delimiter).find(text_[begin], begin + 1);
    if (end == text_.npos) return {};
    at = end + 1;
    return HereDocument{text_.substr(begin + 1, end - begin - 1), strips_tabs};
  }
  end = std::min(text_.find_first_of(" \t\r\n;|&<>()`\"'", begin), text_.size());
  if (end == begin || end - begin > longest_delimiter) return {};
  at = end;
  return HereDocument{text_.substr(begin, end - begin), strips_tabs};
}

std::optional<HereLines::End> HereLines::find(const HereDocument& document, size_t begin) {
  if (!is_indexed_) index_lines();
  const auto lines = lines_.find(document.delimiter);
  if (lines == lines_.end()) return {};
  const auto after = [&](const std::vector<size_t>& places) -> std::optional<size_t> {
    const auto place = std::ranges::lower_bound(places, begin);
    if (place == places.end()) return {};
    return *place;
  };
  auto line = after(document.strips_tabs ? lines->second.tabbed : lines->second.exact);
  if (!line) line = after(lines->second.any);
  if (!line) return {};
  return End{*line, text::next_line(text_, *line)};
}

void HereLines::index_lines() {
  is_indexed_ = true;
  for (size_t at = 0; at < text_.size(); at = text::next_line(text_, at)) {
    const std::string_view line = text_.substr(at, text::line_end(text_, at) - at);
    const size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string_view word = line.substr(first);
    if (word.empty() || word.size() > longest_delimiter) continue;
    Lines& lines = lines_[word];
    lines.any.push_back(at);
    if (first == 0) lines.exact.push_back(at);
    if (line.substr(0, first).find(' ') == line.npos) lines.tabbed.push_back(at);
  }
}

}  // namespace flexslice::read
