#include "extract/here_documents.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "extract/parameters.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

constexpr size_t longest_delimiter = 64;

class HereExpander {
 public:
  HereExpander(std::string_view text, size_t begin, const Variables& variables, size_t& budget)
      : text_(text), at_(begin), variables_(variables), budget_(budget) {}

  std::vector<Replacement> read() {
    while ((at_ = text_.find_first_of("\\$`", at_)) < text_.size()) {
      if (text_[at_] == '\\') {
        backslash();
      } else if (text_[at_] == '`') {
        skip_to(text_.find('`', at_ + 1));
      } else if (text_.substr(at_).starts_with("$(")) {
        skip_to(closing_parenthesis());
      } else {
        parameter();
      }
    }
    return std::move(result_);
  }

 private:
  void replace(size_t length, std::string text) {
    result_.push_back({at_, at_ + length, std::move(text)});
    at_ += length;
  }

  void backslash() {
    const std::string_view next = text_.substr(at_ + 1, 2);
    if (next.starts_with('\n')) return replace(2, "");
    if (next == "\r\n") return replace(3, "");
    if (!next.empty() && contains(std::string_view("$`\\"), next[0]))
      return replace(2, std::string(1, next[0]));
    ++at_;
  }

  void parameter() {
    const Parameter found = parameter_at(text_, at_);
    auto value = expand(found, variables_, budget_);
    if (!value) {
      at_ += std::max<size_t>(found.length, 1);
      return;
    }
    budget_ -= value->text.size();
    replace(found.length, std::move(value->text));
  }

  // What is never closed is text, and so is all of its sort after it: keeps time linear.
  void skip_to(size_t close) {
    bool& closes = text_[at_] == '`' ? backquotes_close_ : parentheses_close_;
    closes = closes && close != text_.npos;
    at_ = closes ? close + 1 : at_ + 1;
  }

  size_t closing_parenthesis() const {
    if (!parentheses_close_) return text_.npos;
    int depth = 0;
    for (size_t at = at_ + 1; at < text_.size(); ++at) {
      if (text_[at] == '(') ++depth;
      if (text_[at] == ')' && --depth == 0) return at;
    }
    return text_.npos;
  }

  std::string_view text_;
  size_t at_;
  const Variables& variables_;
  size_t& budget_;
  bool backquotes_close_ = true, parentheses_close_ = true;
  std::vector<Replacement> result_;
};

}  // namespace

std::vector<Replacement> expand_here_document(std::string_view text, size_t begin, size_t end,
                                              const Variables& variables, size_t& budget) {
  return HereExpander(text.substr(0, end), begin, variables, budget).read();
}

std::optional<HereDocument> HereLines::take_delimiter(size_t& at) const {
  const bool strips_tabs = text_.substr(at).starts_with('-');
  if (strips_tabs) ++at;
  while (at < text_.size() && ascii::is_blank(text_[at])) ++at;
  const bool has_backslash = text_.substr(at).starts_with('\\');
  if (has_backslash) ++at;
  const size_t begin = at;
  size_t end = begin;
  if (begin < text_.size() && (text_[begin] == '\'' || text_[begin] == '"')) {
    end = text_.substr(0, begin + 1 + longest_delimiter).find(text_[begin], begin + 1);
    if (end == text_.npos) return {};
    at = end + 1;
    return HereDocument{text_.substr(begin + 1, end - begin - 1), strips_tabs, true};
  }
  end = std::min(text_.find_first_of(" \t\r\n;|&<>()`\"'", begin), text_.size());
  if (end == begin || end - begin > longest_delimiter) return {};
  at = end;
  return HereDocument{text_.substr(begin, end - begin), strips_tabs, has_backslash};
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

}  // namespace flexslice::extract
