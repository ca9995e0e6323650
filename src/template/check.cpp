#include <algorithm>

#include "base/text.hpp"
#include "template/hole.hpp"
#include "template/template.hpp"

namespace flexslice::templates {

using diag::Code;
using yaml::View;

namespace {

// The names that enclosing `$each` bind.
struct Bound {
  std::string_view name;
  const Bound* outer = nullptr;
};

class Checker {
 public:
  Checker(std::span<const std::string_view> known, diag::Sink& sink) : known_(known), sink_(sink) {}

  void node(View tree, const Bound* bound) {
    if (tree.is_scalar()) {
      for (std::string_view rest = tree->text; const auto piece = take_piece(rest);) {
        if (piece->is_hole) path(piece->text, tree->span, bound);
      }
    } else if (tree.is_mapping()) {
      mapping(tree, bound);
    } else if (tree.is_sequence()) {
      for (const View child : tree) node(child, bound);
    }
  }

 private:
  void mapping(View tree, const Bound* bound) {
    Bound here{{}, bound};
    if (const View each = tree.find(each_key)) {
      if (const auto loop = loop_of(each->text)) {
        path(loop->list, each->span, bound);
        here.name = loop->name;
      } else {
        sink_.report<Code::TemplateSyntax>(each->span, "`$each` must be `NAME in PATH`");
      }
    }
    const Bound* inside = here.name.empty() ? bound : &here;
    for (const View child : tree) {
      if (child->key == merge_key && child.is_sequence()) {
        for (const View each : child) path(each->text, each->span, inside);
      } else if (child->key == when_key || child->key == merge_key) {
        path(child->text.starts_with('!') ? child->text.substr(1) : child->text, child->span, inside);
      } else if (child->key.starts_with('$') && child->key != each_key && child->key != value_key && child->key != comment_key) {
        sink_.report<Code::TemplateSyntax>(
            child->span, text::format("there is no `{}`, only `$when`, `$each`, `$merge`, `$value` and `$comment`", child->key));
      } else if (child->key != each_key) {
        node(child, inside);
      }
    }
  }

  void path(std::string_view path, Span where, const Bound* bound) {
    const std::string_view first = path.substr(0, path.find('.'));
    for (; bound != nullptr; bound = bound->outer) {
      if (bound->name == first) return;
    }
    for (std::string_view each : known_) {
      if (each == path) return;
      if (each.ends_with(".*") && path.starts_with(each.substr(0, each.size() - 1))) return;
    }
    diag::did_you_mean(sink_.report<Code::TemplateUnknownPath>(where, path), path, known_);
  }

  std::span<const std::string_view> known_;
  diag::Sink& sink_;
};

}  // namespace

void check(View tree, std::span<const std::string_view> known, diag::Sink& sink) { Checker(known, sink).node(tree, nullptr); }

}  // namespace flexslice::templates
