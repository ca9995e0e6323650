#include "extract/page.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

// The text of a line begins after quotes and list items.
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

class PageReader {
 public:
  explicit PageReader(const Excerpt& page) : page_(page), text_(page.text) {}

  std::vector<Block> read() {
    bool may_begin = true;  // no: what is indented goes on with a paragraph
    for (at_ = text::mark_length(text_); at_ < text_.size();) {
      const std::string_view line = line_at(at_);
      const std::string_view content = line.substr(content_begin(line));
      note_tabs(content);
      const bool is_indented = line.starts_with("    ") || line.starts_with('\t');
      if (content.starts_with("<!--")) {
        comment(offset(content));
      } else if (is_fence(content)) {
        fenced(line, content);
      } else if (is_indented && may_begin && !content.empty()) {
        indented(line);
      } else {
        may_begin = content.empty();
        at_ = text::next_line(text_, at_);
        continue;
      }
      may_begin = true;
    }
    return std::move(found_);
  }

 private:
  size_t offset(std::string_view part) const {
    return static_cast<size_t>(part.data() - text_.data());
  }
  std::string_view line_at(size_t at) const {
    return text_.substr(at, text::line_end(text_, at) - at);
  }
  void take_line(std::string_view code, Excerpt& lines) {
    at_ = text::next_line(text_, at_);
    append_bytes(lines, page_, offset(code), at_);
  }
  static std::string_view without_indentation(std::string_view line, size_t most) {
    const size_t blanks = line.find_first_not_of(" \t");
    return line.substr(std::min({blanks, most, line.size()}));
  }

  // The text of a line behind its quotes; nothing where the line has fewer, so that the block ends.
  static std::optional<std::string_view> without_quotes(std::string_view line,
                                                        std::ptrdiff_t depth) {
    for (; depth > 0; --depth) {
      line = without_indentation(line, line.size());
      if (!text::take_one_of(line, ">")) return {};
      text::take_one_of(line, " ");
    }
    return line;
  }

  void fenced(std::string_view line, std::string_view content) {
    const std::string_view before = line.substr(0, line.size() - content.size());
    const auto quotes = std::ranges::count(before, '>');
    const size_t inner = before.rfind('>') + 1;
    const size_t indentation =
        before.size() - inner - (quotes > 0 && inner < before.size() ? 1 : 0);
    const std::string_view fence = content.substr(0, content.find_first_not_of(content[0]));
    Block block;
    block.language = text::lower(text::trim(content.substr(fence.size())));
    for (at_ = text::next_line(text_, at_); at_ < text_.size();) {
      const auto code = without_quotes(line_at(at_), quotes);
      if (!code) break;
      const std::string_view bare = text::trim(*code);
      if (bare.starts_with(fence) && bare.find_first_not_of(fence[0]) == bare.npos) {
        at_ = text::next_line(text_, at_);
        break;
      }
      take_line(without_indentation(*code, indentation), block.lines);
    }
    block.comment = std::exchange(comment_, {});
    add(std::move(block));
  }

  void indented(std::string_view first) {
    const size_t indentation = first.find_first_not_of(" \t");
    Block block;
    for (; at_ < text_.size();) {
      const std::string_view line = line_at(at_);
      const size_t blanks = line.find_first_not_of(" \t");
      if (blanks != line.npos && (blanks == 0 || is_fence(line.substr(content_begin(line))))) break;
      take_line(without_indentation(line, indentation), block.lines);
    }
    add(std::move(block));
  }

  void add(Block block) {
    block.is_in_tab = in_tabs_;
    if (!block.lines.text.empty()) found_.push_back(std::move(block));
  }

  // Tabs end at the next heading, for want of a better sign.
  void note_tabs(std::string_view content) {
    constexpr std::string_view signs[] = {"=== \"",  "<Tab",    "{% tab", "{{% tab",
                                          "{{< tab", ":::{tab", ".. tab"};
    if (any_of(signs, [&](std::string_view sign) { return content.starts_with(sign); }))
      in_tabs_ = true;
    else if (content.starts_with('#'))
      in_tabs_ = false;
  }

  // A comment that suppresses findings is kept for the next block.
  void comment(size_t begin) {
    const size_t end = std::min(text_.find("-->", begin), text_.size());
    const std::string_view inner =
        text::trim(text_.substr(begin + 4, end - std::min(end, begin + 4)));
    const std::string_view first = inner.substr(0, inner.find_first_of("\r\n"));
    if (end < text_.size() && first.starts_with("flexslice:")) {
      append_bytes(comment_, "# ", page_.host(begin));
      append_bytes(comment_, page_, offset(first), offset(first) + first.size());
      append_bytes(comment_, "\n", page_.host(offset(first) + first.size()));
    }
    at_ = text::next_line(text_, end);
  }

  const Excerpt& page_;
  std::string_view text_;
  size_t at_ = 0;
  bool in_tabs_ = false;
  Excerpt comment_;
  std::vector<Block> found_;
};

}  // namespace

std::vector<Block> code_blocks(const Excerpt& page) { return PageReader(page).read(); }

}  // namespace flexslice::extract
