#include <algorithm>

#include "template/hole.hpp"
#include "template/template.hpp"

namespace flexslice::templates {

using yaml::Value;
using yaml::View;

const Value* find(const Scope& scope, std::string_view path) {
  const std::size_t dot = path.find('.');
  const std::string_view first = path.substr(0, dot);
  const Value* at = nullptr;
  for (const Scope* each = &scope; each != nullptr && at == nullptr; each = each->outer) {
    if (each->name.empty()) {
      at = each->value->find(first);
    } else if (each->name == first) {
      at = each->value;
    }
  }
  if (dot == std::string_view::npos || at == nullptr) return at;
  for (std::string_view rest = path.substr(dot + 1); at != nullptr;) {
    const std::size_t next = rest.find('.');
    at = at->find(rest.substr(0, next));
    if (next == std::string_view::npos) break;
    rest.remove_prefix(next + 1);
  }
  return at;
}

namespace {

class Expander {
 public:
  std::optional<Value> node(View tree, const Scope& scope) {
    switch (tree->kind) {
      case yaml::Kind::null:
        return Value{};
      case yaml::Kind::scalar:
        return scalar(tree, scope);
      case yaml::Kind::sequence:
        return sequence(tree, scope);
      case yaml::Kind::mapping:
        return mapping(tree, scope);
    }
    return std::nullopt;
  }

 private:
  std::optional<Value> scalar(View tree, const Scope& scope) {
    const std::vector<Piece> pieces = pieces_of(tree->text);
    if (pieces.size() == 1 && pieces.front().is_hole) return whole(pieces.front().text, scope);
    if (std::none_of(pieces.begin(), pieces.end(), [](const Piece& each) { return each.is_hole; })) return literal(tree);
    Value text = Value::string({});
    for (const Piece& piece : pieces) {
      if (!piece.is_hole) {
        text.text += piece.text;
        continue;
      }
      const Value* value = find(scope, piece.text);
      if (value == nullptr || value->kind == Value::Kind::null) return std::nullopt;
      text.text += value->text;
      take_comment(text, value->comment);
    }
    return text;
  }

  static Value literal(View tree) {
    yaml::Node node;
    node.kind = yaml::Kind::scalar;
    node.quoted = tree->quoted;
    node.text = tree->text;
    return yaml::to_value(node);
  }

  std::optional<Value> whole(std::string_view path, const Scope& scope) {
    const Value* value = find(scope, path);
    if (value == nullptr || value->kind == Value::Kind::null) return std::nullopt;
    const bool collection = value->is_mapping() || value->is_sequence();
    if (collection && value->is_empty()) return std::nullopt;
    Value copy = *value;
    copy.comment.clear();
    take_comment(copy, value->comment);
    return copy;
  }

  // The same explanation twice in one object would be noise.
  void take_comment(Value& target, const std::string& comment) {
    if (comment.empty() || std::find(used_comments_.begin(), used_comments_.end(), comment) != used_comments_.end()) return;
    used_comments_.push_back(comment);
    target.comment = comment;
  }

  static std::optional<Value> explained(std::optional<Value> value, View tree) {
    const View comment = tree.find(comment_key);
    if (value && comment) value->comment = comment->text;
    return value;
  }

  static bool wanted(View tree, const Scope& scope) {
    const View when = tree.find(when_key);
    if (!when) return true;
    std::string_view path = when->text;
    const bool negated = path.starts_with('!');
    if (negated) path.remove_prefix(1);
    const Value* value = find(scope, path);
    const bool holds = value != nullptr && !value->is_empty();
    return holds != negated;
  }

  std::optional<Value> mapping(View tree, const Scope& scope) {
    if (!wanted(tree, scope)) return std::nullopt;
    if (const View value = tree.find(value_key)) return explained(node(value, scope), tree);
    Value made = Value::mapping();
    for (const View child : tree) {
      if (child->key == merge_key) merge(made, child, scope);
      if (child->key.starts_with('$')) continue;
      if (auto value = node(child, scope)) made[child->key] = std::move(*value);
    }
    if (made.members.empty() && tree->size > 1 && !tree.find(when_key)) return std::nullopt;
    return made;
  }

  static void merge(Value& target, View paths, const Scope& scope) {
    const auto one = [&](View path) {
      const Value* source = find(scope, path->text);
      if (source == nullptr) return;
      for (const auto& [key, value] : source->members) target[key] = value;
    };
    if (!paths.is_sequence()) return one(paths);
    for (const View path : paths) one(path);
  }

  static void append(Value& list, std::optional<Value> item) {
    if (!item) return;
    if (!item->is_sequence()) {
      list.items.push_back(std::move(*item));
      return;
    }
    for (Value& each : item->items) list.items.push_back(std::move(each));
  }

  std::optional<Value> sequence(View tree, const Scope& scope) {
    Value made = Value::sequence();
    for (const View child : tree) {
      const View each = child.find(each_key);
      if (!each) {
        append(made, node(child, scope));
        continue;
      }
      const Loop loop = *loop_of(each->text);
      const Value* list = find(scope, loop.list);
      if (list == nullptr) continue;
      for (const Value& element : list->items) append(made, node(child, Scope{loop.name, &element, &scope}));
    }
    if (made.items.empty() && tree->size > 1) return std::nullopt;
    return made;
  }

  std::vector<std::string_view> used_comments_;
};

}  // namespace

std::optional<Value> expand(View tree, const Scope& scope) { return Expander().node(tree, scope); }

}  // namespace flexslice::templates
