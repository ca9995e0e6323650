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
  explicit ShellFinder(const Excerpt& excerpt) : excerpt_(excerpt), text_(excerpt.text) {}

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

}  // namespace

std::vector<Unkept> filled_by_shell(const Node& tree, const Excerpt& excerpt) {
  if (!excerpt.is_expanded) return {};
  ShellFinder finder(excerpt);
  finder.visit(tree, false);
  return finder.take();
}

}  // namespace flexslice::imports
