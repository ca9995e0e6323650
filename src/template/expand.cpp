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

const Scope& outermost(const Scope& scope) { return scope.outer == nullptr ? scope : outermost(*scope.outer); }

// What a mapping says beside its members.
struct Directives {
  View when, value, comment;
  bool merges = false;
  std::size_t others = 0;
};

Directives directives_of(View mapping) {
  Directives found;
  for (const View child : mapping) {
    const std::string_view key = child.key();
    if (!key.starts_with('$')) {
      ++found.others;
    } else if (key == when_key) {
      found.when = child;
    } else if (key == value_key) {
      found.value = child;
    } else if (key == comment_key) {
      found.comment = child;
    } else if (key == merge_key) {
      found.merges = true;
    }
  }
  return found;
}

// Every function fills `made`, which is empty, and tells whether the value stays.
class Expander {
 public:
  bool node(View tree, const Scope& scope, Value& made) {
    switch (tree->kind) {
      case yaml::Kind::null:
        return true;
      case yaml::Kind::scalar:
        return scalar(tree, scope, made);
      case yaml::Kind::sequence:
        return sequence(tree, scope, made);
      case yaml::Kind::mapping:
        break;
    }
    return mapping(tree, scope, made);
  }

 private:
  bool scalar(View tree, const Scope& scope, Value& made) {
    std::string_view rest = tree->text;
    auto piece = take_piece(rest);
    if (rest.empty() && piece && piece->is_hole) return whole(piece->text, scope, made);
    if (rest.empty()) {
      made = tree->quoted ? Value::string(tree->text) : Value::plain(tree->text);
      return true;
    }
    made.kind = Value::Kind::string;
    for (; piece; piece = take_piece(rest)) {
      if (!piece->is_hole) {
        made.text += piece->text;
        continue;
      }
      const Value* value = find(scope, piece->text);
      if (value == nullptr || value->kind == Value::Kind::null) return false;
      made.text += value->text;
      take_comment(made, value->comment);
    }
    return true;
  }

  // A part knows no parts, so that none can contain itself.
  bool whole(std::string_view path, const Scope& scope, Value& made) {
    const Scope& root = outermost(scope);
    if (root.part != nullptr && root.part->name == path) return node(root.part->tree, Scope{{}, root.value}, made);
    const Value* value = find(scope, path);
    if (value == nullptr || value->kind == Value::Kind::null) return false;
    const bool collection = value->is_mapping() || value->is_sequence();
    if (collection && value->is_empty()) return false;
    made = *value;
    made.comment.clear();
    take_comment(made, value->comment);
    return true;
  }

  // The same explanation twice in one object would be noise.
  void take_comment(Value& target, const std::string& comment) {
    if (comment.empty() || std::find(used_comments_.begin(), used_comments_.end(), comment) != used_comments_.end()) return;
    used_comments_.push_back(comment);
    target.comment = comment;
  }

  static bool holds(View when, const Scope& scope) {
    std::string_view path = when->text;
    const bool negated = path.starts_with('!');
    if (negated) path.remove_prefix(1);
    const Value* value = find(scope, path);
    return (value != nullptr && !value->is_empty()) != negated;
  }

  bool mapping(View tree, const Scope& scope, Value& made) {
    const Directives directives = directives_of(tree);
    if (directives.when && !holds(directives.when, scope)) return false;
    if (directives.value) {
      if (!node(directives.value, scope, made)) return false;
      if (directives.comment) made.comment = directives.comment->text;
      return true;
    }
    made.kind = Value::Kind::mapping;
    made.members.reserve(directives.others);
    for (const View child : tree) {
      const std::string_view key = child.key();
      if (key == merge_key) merge(made, child, scope);
      if (key.starts_with('$')) continue;
      if (Value* merged = directives.merges ? made.find(key) : nullptr) {
        Value own;
        if (node(child, scope, own)) *merged = std::move(own);
      } else if (!node(child, scope, made.members.emplace_back(key).value)) {
        made.members.pop_back();
      }
    }
    return !made.members.empty() || tree->size == 1 || directives.when;
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

  // A list inside of the list is spliced into it.
  void append(View child, const Scope& scope, Value& list) {
    if (!node(child, scope, list.items.emplace_back())) {
      list.items.pop_back();
    } else if (list.items.back().is_sequence()) {
      std::vector<Value> spliced = std::move(list.items.back().items);
      list.items.pop_back();
      std::move(spliced.begin(), spliced.end(), std::back_inserter(list.items));
    }
  }

  bool sequence(View tree, const Scope& scope, Value& made) {
    made.kind = Value::Kind::sequence;
    for (const View child : tree) {
      const View each = child.find(each_key);
      if (!each) {
        append(child, scope, made);
        continue;
      }
      const Loop loop = *loop_of(each->text);
      const Value* list = find(scope, loop.list);
      if (list == nullptr) continue;
      for (const Value& element : list->items) append(child, Scope{loop.name, &element, &scope}, made);
    }
    return !made.items.empty() || tree->size == 1;
  }

  std::vector<std::string_view> used_comments_;
};

}  // namespace

std::optional<Value> expand(View tree, const Scope& scope) {
  std::optional<Value> made(std::in_place);
  if (!Expander().node(tree, scope, *made)) made.reset();
  return made;
}

}  // namespace flexslice::templates
