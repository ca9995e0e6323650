#include "extract/page.hpp"

#include <cmark.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

constexpr int deepest_page = 3;  // pages in indented code

struct Line {
  size_t begin = 0;
  size_t end = 0;   // before its line break
  size_t next = 0;  // after it
};

// As libcmark counts them.
std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    size_t next = std::min(end + 1, text.size());
    if (text.substr(end, 2) == "\r\n") next = end + 2;
    lines.push_back({at, end, next});
    at = next;
  }
  return lines;
}

// Where the text of a line begins, after quotes and list items.
size_t content_begin(std::string_view line) {
  size_t at = 0;
  while (at < line.size()) {
    size_t end = at;
    if (contains(std::string_view(" \t>"), line[at])) {
      ++at;
      continue;
    }
    while (end < line.size() && ascii::is_digit(line[end])) ++end;
    const std::string_view ends = end > at ? ".)" : "-+*";
    if (end == line.size() || !contains(ends, line[end])) break;
    ++end;
    if (end < line.size() && !ascii::is_blank(line[end])) break;
    at = end;
  }
  return at;
}

bool is_fence(std::string_view content) {
  return content.starts_with("~~~") ||
         (content.starts_with("```") &&
          content.find('`', content.find_first_not_of('`')) == content.npos);
}

// A fence of a list item that is open. A line left of the item would end both, but where the line
// before it ends with a backslash, it is the rest of a command.
class ListFence {
 public:
  // Reads the next line; how many blanks it lacks to be in the item.
  size_t missing_indentation(std::string_view line) {
    const std::string_view bare = text::trim(line);
    const size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    const bool is_left = !bare.empty() && blanks < column_ && line[blanks] != '\t';
    const bool continues = std::exchange(continues_, bare.ends_with('\\'));
    if (!fence_.empty()) {
      if (bare.starts_with(fence_) && bare.find_first_not_of(fence_[0]) == bare.npos) fence_ = {};
      return continues && is_left && !fence_.empty() ? column_ - blanks : 0;
    }
    const size_t begin = content_begin(line);
    const std::string_view content = line.substr(begin);
    if (!is_fence(content) || begin > widest || contains(line.substr(0, begin), '>')) return 0;
    column_ = begin;
    fence_ = content.substr(0, content.find_first_not_of(content[0]));
    continues_ = false;
    return 0;
  }

 private:
  static constexpr size_t widest = 64;  // keeps time linear

  std::string_view fence_;  // empty: none is open
  size_t column_ = 0;
  bool continues_ = false;
};

// The page with letters for what only matters inside of lines: libcmark's time would not be linear
// in it, and only blocks are wanted.
std::string letters(std::string_view text, const std::vector<Line>& lines) {
  std::string plain(text);
  for (const Line& line : lines) {
    const std::string_view whole = text.substr(line.begin, line.end - line.begin);
    const size_t begin = content_begin(whole);
    const std::string_view content = whole.substr(begin);
    if (content.empty() || is_fence(content)) continue;
    if (contains(std::string_view("-*_"), content[0]) &&
        content.find_first_not_of(std::string{' ', '\t', content[0]}) == content.npos)
      continue;
    const bool is_html = content[0] == '<';
    for (size_t at = line.begin + begin; at < line.end; ++at) {
      if (contains(std::string_view("[]*_&\\"), plain[at]) ||
          (!is_html && contains(std::string_view("<!"), plain[at]) && text[at + 1] != '/'))
        plain[at] = 'x';
    }
  }
  return plain;
}

// The same with the lines of commands in their list items. It has as many lines.
std::string outline(std::string_view text, const std::vector<Line>& lines) {
  const std::string plain = letters(text, lines);
  std::string outline;
  ListFence fence;
  size_t done = 0;
  for (const Line& line : lines) {
    const size_t missing =
        fence.missing_indentation(text.substr(line.begin, line.end - line.begin));
    if (missing == 0) continue;
    outline += std::string_view(plain).substr(done, line.begin - done);
    outline += std::string(missing, ' ');
    done = line.begin;
  }
  return done == 0 ? plain : outline + plain.substr(done);
}

// The lines of a block that begins at `first`, of which libcmark tells the text; nothing when they
// are not there. `plain_lines` are those of the outline.
std::optional<Excerpt> find_lines(const Excerpt& page, std::string_view plain,
                                  const std::vector<Line>& plain_lines,
                                  const std::vector<Line>& lines, size_t first,
                                  std::string_view literal) {
  Excerpt found;
  for (const Line& wanted : lines_of(literal)) {
    if (first >= lines.size()) return {};
    const Line &line = lines[first], &outlined = plain_lines[first];
    ++first;
    const std::string_view whole = plain.substr(outlined.begin, outlined.end - outlined.begin);
    std::string_view content = literal.substr(wanted.begin, wanted.end - wanted.begin);
    // A part of a tab is as many spaces.
    size_t spaces = 0;
    while (!whole.ends_with(content) && content.starts_with(' ')) {
      content.remove_prefix(1);
      ++spaces;
    }
    if (!whole.ends_with(content)) return {};
    const size_t begin = line.end - std::min(content.size(), line.end - line.begin);
    append(found, std::string(spaces, ' '), page.host(begin - std::min(spaces, begin)));
    append(found, page, begin, line.next);
  }
  return found;
}

// Comments of a page that suppress findings.
class Suppressions {
 public:
  explicit Suppressions(const Excerpt& page) : page_(page) {}

  // As a comment of YAML and shell, those above `begin` and below what was asked for before.
  Excerpt above(size_t begin, size_t end) {
    Excerpt comments;
    const std::string_view text = page_.text;
    while (next_ < begin && (next_ = std::min(text.find(opening, next_), text.size())) < begin) {
      const size_t at = next_;
      const size_t inner = text.find_first_not_of(" \t", at + opening.size());
      const size_t close = std::min(text.find("-->", at), text.size());
      if (inner != text.npos && inner < close && text.substr(inner).starts_with("flexslice:")) {
        const size_t line_end = std::min(close, text.find_first_of("\r\n", inner));
        const size_t last = text.find_last_not_of(" \t", line_end - 1) + 1;
        append(comments, "# ", page_.host(at));
        append(comments, page_, inner, last);
        append(comments, "\n", page_.host(last));
      }
      next_ = close;
    }
    next_ = std::max(next_, end);
    return comments;
  }

 private:
  static constexpr std::string_view opening = "<!--";

  const Excerpt& page_;
  size_t next_ = 0;  // where to look from
};

void add_blocks(const Excerpt& page, int depth, std::vector<Block>& found);

class PageReader {
 public:
  PageReader(const Excerpt& page, int depth, std::vector<Block>& found)
      : page_(page),
        depth_(depth),
        found_(found),
        lines_(lines_of(page.text)),
        plain_(outline(page.text, lines_)),
        plain_lines_(plain_.size() == page.text.size() ? lines_ : lines_of(plain_)),
        comments_(page) {}

  void read() {
    const std::unique_ptr<cmark_node, decltype(&cmark_node_free)> root(
        cmark_parse_document(plain_.data(), plain_.size(), CMARK_OPT_DEFAULT), cmark_node_free);
    const std::unique_ptr<cmark_iter, decltype(&cmark_iter_free)> nodes(cmark_iter_new(root.get()),
                                                                        cmark_iter_free);
    while (cmark_iter_next(nodes.get()) != CMARK_EVENT_DONE) {
      cmark_node* node = cmark_iter_get_node(nodes.get());
      if (cmark_node_get_type(node) == CMARK_NODE_CODE_BLOCK) add(node);
    }
  }

 private:
  void add(cmark_node* node) {
    const auto first = static_cast<size_t>(cmark_node_get_start_line(node) - 1);
    const std::string_view literal = cmark_node_get_literal(node);
    if (literal.empty() || first >= lines_.size()) return;
    const std::string_view info = cmark_node_get_fence_info(node);
    const std::string_view opening = std::string_view(plain_).substr(
        plain_lines_[first].begin, plain_lines_[first].end - plain_lines_[first].begin);
    const bool may_be_fenced =
        opening.find("```") != opening.npos || opening.find("~~~") != opening.npos;
    auto lines = may_be_fenced ? find_lines(page_, plain_, plain_lines_, lines_, first + 1, literal)
                               : std::optional<Excerpt>();
    const bool is_fenced = lines.has_value();
    if (!lines) lines = find_lines(page_, plain_, plain_lines_, lines_, first, literal);
    if (!lines) return;
    Excerpt comment = comments_.above(lines_[first].begin, end_of(first, literal));
    const size_t before = found_.size();
    if (!is_fenced && depth_ < deepest_page && has_fence(lines->text))
      add_blocks(*lines, depth_ + 1, found_);
    if (found_.size() == before) found_.push_back({std::move(*lines), text::lower(info), {}});
    if (found_[before].comment.text.empty()) found_[before].comment = std::move(comment);
  }

  size_t end_of(size_t first, std::string_view literal) const {
    const size_t last = first + static_cast<size_t>(std::ranges::count(literal, '\n'));
    return lines_[std::min(last, lines_.size() - 1)].next;
  }

  static bool has_fence(std::string_view text) {
    return text.find("```") != text.npos || text.find("~~~") != text.npos;
  }

  const Excerpt& page_;
  int depth_;
  std::vector<Block>& found_;
  std::vector<Line> lines_;
  std::string plain_;
  std::vector<Line> plain_lines_;
  Suppressions comments_;
};

void add_blocks(const Excerpt& page, int depth, std::vector<Block>& found) {
  PageReader(page, depth, found).read();
}

}  // namespace

std::vector<Block> code_blocks(const Excerpt& page) {
  std::vector<Block> found;
  add_blocks(page, 0, found);
  return found;
}

}  // namespace flexslice::extract
