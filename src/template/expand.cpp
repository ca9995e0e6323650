#include <algorithm>

#include "base/text.hpp"
#include "template/syntax.hpp"
#include "template/template.hpp"

namespace flexslice::templates {

using schema::Ref;
using yaml::Value;
using yaml::View;

Ref find(const Scope& scope, std::string_view path) {
  const std::size_t dot = path.find('.');
  const std::string_view first = path.substr(0, dot);
  for (const Scope* each = &scope; each != nullptr; each = each->outer) {
    if (each->name.empty()) {
      if (const Ref found = schema::find(each->value, path)) return found;
    } else if (each->name == first) {
      return dot == std::string_view::npos ? each->value
                                           : schema::find(each->value, path.substr(dot + 1));
    }
  }
  return {};
}

namespace {

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

// Inside text a list is joined by commas, and a mapping as `a=1,b=2`, as flags take them.
std::string text_of(const Value& value) {
  std::vector<std::string> parts;
  for (const Value& item : value.items) parts.push_back(item.text);
  for (const Value::Member& member : value.members)
    parts.push_back(member.key + "=" + member.value.text);
  return parts.empty() ? value.text : text::join(parts, ",");
}

// Every function fills `made`, which is empty, and tells whether the value stays.
class Expander {
 public:
  explicit Expander(const Set& templates) : templates_(templates) {}

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
    if (rest.empty() && piece && piece->is_placeholder)
      return whole(target_of(piece->text), scope, made);
    if (rest.empty()) {
      made = tree->quoted ? Value::string(tree->text) : Value::plain(tree->text);
      return true;
    }
    made.kind = Value::Kind::string;
    for (; piece; piece = take_piece(rest)) {
      if (!piece->is_placeholder) {
        made.text += piece->text;
        continue;
      }
      Value value;
      if (!whole(target_of(piece->text), scope, value)) return false;
      made.text += text_of(value);
      if (!value.comment.empty()) made.comment = std::move(value.comment);
    }
    return true;
  }

  // Not found, or empty: the value is dropped.
  bool whole(Target target, const Scope& scope, Value& made) {
    if (target.is_template()) {
      const View tree = templates_.find(target.name);
      return tree && Expander(templates_).node(tree, scope, made);
    }
    const Ref value = find(scope, target.name);
    if (!value || !schema::encode(value, made)) return false;
    if (!made.comment.empty() && !first_use(made.comment)) made.comment.clear();
    return true;
  }

  // The same explanation twice in one object would be noise.
  bool first_use(const std::string& comment) {
    if (std::find(used_comments_.begin(), used_comments_.end(), comment) != used_comments_.end())
      return false;
    used_comments_.push_back(comment);
    return true;
  }

  static bool holds(View when, const Scope& scope) {
    const Condition condition = condition_of(when->text);
    return schema::is_empty(find(scope, condition.path)) == condition.negated;
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

  void merge(Value& target, View sources, const Scope& scope) {
    const auto one = [&](View source) {
      Value merged;
      if (!whole(target_of(source->text), scope, merged)) return;
      for (auto& [key, value] : merged.members) target[key] = std::move(value);
    };
    if (!sources.is_sequence()) return one(sources);
    for (const View source : sources) one(source);
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

  void append_each(View child, const Loop& loop, const Scope& scope, Value& made) {
    if (loop.list.is_template()) {
      Value elements;
      if (!whole(loop.list, scope, elements)) return;
      for (const Value& element : elements.items)
        append(child, Scope{loop.name, schema::ref(element), &scope}, made);
      return;
    }
    const Ref list = find(scope, loop.list.name);
    if (!list) return;
    if (list.type->category == schema::Category::tree) {
      for (const Value& element : static_cast<const Value*>(list.value)->items)
        append(child, Scope{loop.name, schema::ref(element), &scope}, made);
      return;
    }
    for (std::size_t i = 0; i < list.type->size(list.value); ++i)
      append(child, Scope{loop.name, {list.type->element, list.type->at(list.value, i)}, &scope},
             made);
  }

  bool sequence(View tree, const Scope& scope, Value& made) {
    made.kind = Value::Kind::sequence;
    for (const View child : tree) {
      if (const View each = child.find(each_key)) {
        append_each(child, *loop_of(each->text), scope, made);
      } else {
        append(child, scope, made);
      }
    }
    return !made.items.empty() || tree->size == 1;
  }

  const Set& templates_;
  std::vector<std::string> used_comments_;
};

}  // namespace

Value expand(const Set& templates, std::string_view name, const Scope& scope) {
  const View tree = templates.find(name);
  Value made;
  if (!tree || !Expander(templates).node(tree, scope, made)) return {};
  return made;
}

}  // namespace flexslice::templates
