#include "import/unkept.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "import/placeholders.hpp"
#include "schema/placeholder.hpp"

namespace flexslice::imports {

using extract::Excerpt;
using std::size_t;
using yaml::Node;

namespace {

// Of `$X`, `${X}` or `$(…)` at the beginning, or 0.
size_t expansion_length(std::string_view text) {
  if (text.starts_with("$(")) {
    int depth = 0;
    for (size_t at = 1; at < text.size() && text[at] != '\n'; ++at) {
      if (text[at] == '(') ++depth;
      if (text[at] == ')' && --depth == 0) return at + 1;
    }
    return 0;
  }
  const std::string_view placeholder = schema::placeholder_in(text);
  return placeholder.data() == text.data() ? placeholder.size() : 0;
}

class ShellFinder {
 public:
  ShellFinder(const Excerpt& excerpt, std::string_view marked) : excerpt_(excerpt), text_(marked) {}

  void visit(const Node& node, bool is_free) {
    if (is_free && node.kind == yaml::Kind::scalar) find(node.span);
    for (const Node& item : node.items) visit(item, is_free);
    for (const auto& [key, value] : node.members)
      visit(value, is_free || Placeholders::is_free(key.text));
  }
  std::vector<Unkept> take() { return std::move(found_); }

 private:
  // What was written `\$` is in a segment of its own.
  bool is_replaced(size_t at) const {
    const Excerpt::Segment* segment = excerpt_.segment_at(at);
    return segment != nullptr && segment->replaced > 0;
  }

  void find(Span scalar) {
    const size_t end = std::min<size_t>(scalar.end, text_.size());
    for (size_t at = scalar.begin; (at = text_.find('$', at)) < end; ++at) {
      const size_t length = expansion_length(text_.substr(at, end - at));
      if (length == 0 || is_replaced(at)) continue;
      const std::string_view whole = text_.substr(at, length);
      if (!any_of(found_, [&](const Unkept& each) { return each.text == whole; }))
        found_.push_back({std::string(whole), {scalar.source, at, at + length}});
      at += length - 1;
    }
  }

  const Excerpt& excerpt_;
  std::string_view text_;
  std::vector<Unkept> found_;
};

std::string_view content_of(std::string_view mark) {
  mark.remove_prefix(2);
  text::take(mark, [](char c) { return c == '-' || c == '~' || ascii::is_blank(c); });
  return mark;
}

// `{{- else }}`: what is below it is there instead of what is above.
bool begins_branch(std::string_view mark) {
  const std::string_view content = content_of(mark);
  return content.starts_with("else") || content.starts_with("elif");
}

// Whether template programs write something for the mark, or something else for what is below it.
bool decides(std::string_view mark) {
  if (mark.starts_with("{#")) return false;
  if (!mark.starts_with("{{") && !mark.starts_with("{%") && !mark.starts_with("%{")) return false;
  const std::string_view inner = content_of(mark);
  constexpr std::string_view others[] = {"/*",       "$", "end", "define", "set ", "raw",
                                         "template", "!", "#",   "import", "from"};
  return !any_of(others, [&](std::string_view other) { return inner.starts_with(other); });
}

}  // namespace

std::vector<Unkept> filled_by_shell(const Node& tree, const Excerpt& excerpt,
                                    std::string_view marked) {
  if (!excerpt.is_expanded) return {};
  ShellFinder finder(excerpt, marked);
  finder.visit(tree, false);
  return finder.take();
}

std::vector<Unkept> lines_of_template(const Excerpt& excerpt, std::string_view file) {
  std::vector<Unkept> lines;
  if (!excerpt.has_marks) return lines;
  const std::string_view text = excerpt.text;
  for (size_t line = 0; line < text.size(); line = text::next_line(text, line)) {
    const size_t end = text::line_end(text, line);
    const size_t host = excerpt.host(line);
    const std::string_view left = text::trim(text.substr(line, end - line));
    if (host + (end - line) > file.size() || !(left.empty() || left.starts_with('#'))) continue;
    const std::string_view original = text::trim(file.substr(host, end - line));
    if (!decides(original) || (!lines.empty() && !begins_branch(original))) continue;
    const size_t close = std::min(original.find('}'), original.size() - 1);
    const bool is_double = original.substr(close).starts_with("}}");
    const std::string_view mark = original.substr(0, close + (is_double ? 2 : 1));
    const size_t begin = line + static_cast<size_t>(mark.data() - (file.data() + host));
    lines.push_back({std::string(mark), {0, begin, begin + mark.size()}});
  }
  return lines;
}

}  // namespace flexslice::imports
