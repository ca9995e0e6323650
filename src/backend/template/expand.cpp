#include <algorithm>

#include "backend/template/syntax.hpp"
#include "backend/template/template.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"

namespace flexslice::templates {

using schema::Ref;
using yaml::Value;
using yaml::View;

Ref find(const Scope& scope, std::string_view path) {
  const std::size_t dot = path.find('.');
  const std::string_view first = path.substr(0, dot);
  for (const Scope* level = &scope; level != nullptr; level = level->outer) {
    if (level->name.empty()) {
      if (const Ref value = schema::find(level->value, path)) return value;
    } else if (level->name == first) {
      return dot == std::string_view::npos ? level->value
                                           : schema::find(level->value, path.substr(dot + 1));
    }
  }
  return {};
}

namespace {

// Inside text a list is joined by commas, and a mapping as `a=1,b=2`, as flags take them.
std::string text_of(const Value& value) {
  std::vector<std::string> parts;
  for (const Value& item : value.items) parts.push_back(item.text);
  for (const auto& [key, member] : value.members) parts.push_back(key + "=" + member.text);
  return parts.empty() ? value.text : text::join(parts, ",");
}

// Every function fills `out`, which is empty, and returns whether the value stays.
class Expander {
 public:
  explicit Expander(const Set& templates) : templates_(templates) {}

  bool node(View tree, const Scope& scope, Value& out) {
    if (tree.is_scalar()) return scalar(tree, scope, out);
    if (tree.is_sequence()) return sequence(tree, scope, out);
    return !tree.is_mapping() || mapping(tree, scope, out);
  }

 private:
  bool scalar(View tree, const Scope& scope, Value& out) {
    std::string_view rest = tree.text();
    auto piece = take_piece(rest);
    if (rest.empty() && piece && piece->is_placeholder)
      return target(placeholder_of(piece->text), scope, out);
    if (rest.empty()) {
      out = tree.quoted() ? Value::string(tree.text()) : Value::plain(tree.text());
      return true;
    }
    out.kind = Value::Kind::string;
    for (; piece; piece = take_piece(rest)) {
      if (!piece->is_placeholder) {
        out.text += piece->text;
        continue;
      }
      Value value;
      if (!target(placeholder_of(piece->text), scope, value)) return false;
      if (value.kind == Value::Kind::null) {
        out = std::move(value);
        return true;
      }
      out.text += text_of(value);
      if (!value.comment.empty()) out.comment = std::move(value.comment);
    }
    return true;
  }

  // Not found, or empty: the value is dropped.
  bool target(Placeholder target, const Scope& scope, Value& out) {
    if (target.is_template()) {
      const View tree = templates_.find(target.name);
      return tree && Expander(templates_).node(tree, scope, out);
    }
    const Ref value = find(scope, target.name);
    if (!value || !schema::encode(value, out)) return false;
    // The same explanation twice in one object would be noise.
    if (out.comment.empty()) return true;
    if (std::ranges::count(used_comments_, out.comment) > 0) {
      out.comment.clear();
    } else {
      used_comments_.push_back(out.comment);
    }
    return true;
  }

  bool mapping(View tree, const Scope& scope, Value& out) {
    View value, comment, with, name;
    bool has_condition = false, merges = false;
    std::size_t members = 0;
    for (const View child : tree) {
      const std::string_view key = child.key();
      if (!key.starts_with('$')) {
        ++members;
        continue;
      }
      if (key == merge_key) merges = true;
      if (key == value_key) value = child;
      if (key == comment_key) comment = child;
      if (key == with_key) with = child;
      if (key == key_key) name = child;
      if (key != when_key) continue;
      has_condition = true;
      const Condition condition = condition_of(child.text());
      if (schema::is_empty(find(scope, condition.path)) != condition.negated) return false;
    }
    if (name) return named_members(tree, name, scope, out);
    if (value && with) {
      const Loop bound = *loop_of(with.text());
      const Ref inner = find(scope, bound.list.name);
      return !schema::is_empty(inner) && node(value, Scope{bound.name, inner, &scope}, out);
    }
    if (value) {
      if (!node(value, scope, out)) return false;
      if (comment) out.comment = comment.text();
      return true;
    }
    out.members.reserve(members);
    add_members(tree, scope, merges, out);
    return !out.members.empty() || tree.is_empty() || has_condition;
  }

  void add_members(View tree, const Scope& scope, bool merges, Value& out) {
    out.kind = Value::Kind::mapping;
    for (const View child : tree) {
      const std::string_view key = child.key();
      if (key.starts_with('$')) {
        if (key == merge_key) merge(out, child, scope);
        if (key == put_key) put(out, child, scope);
        continue;
      }
      if (Value* merged = merges ? out.find(key) : nullptr) {
        Value own;
        if (node(child, scope, own)) *merged = std::move(own);
      } else if (!node(child, scope, out.members.emplace_back(key).value)) {
        out.members.pop_back();
      }
    }
  }

  bool named_members(View tree, View name, const Scope& scope, Value& out) {
    out.kind = Value::Kind::mapping;
    const Loop loop = *loop_of(tree.find(each_key).text());
    for (const Ref& element : schema::elements(find(scope, loop.list.name))) {
      const Scope inner{loop.name, element, &scope};
      Value key, member;
      if (!scalar(name, inner, key)) continue;
      add_members(tree, inner, bool(tree.find(merge_key)), member);
      out.add(key.text, std::move(member));
    }
    return !out.members.empty();
  }

  void merge(Value& out, View sources, const Scope& scope) {
    if (sources.is_sequence()) {
      for (const View source : sources) merge(out, source, scope);
      return;
    }
    Value merged;
    if (!target(placeholder_of(sources.text()), scope, merged)) return;
    for (auto& [key, value] : merged.members) out[key] = std::move(value);
  }

  static void put_at(Value& out, std::string_view path, const Value& value) {
    for (Value& item : out.items) put_at(item, path, value);
    if (out.is_sequence()) return;
    const std::size_t dot = path.find('.');
    Value& member = out[path.substr(0, dot)];
    if (dot == path.npos) {
      member = value;
    } else {
      put_at(member, path.substr(dot + 1), value);
    }
  }

  void put(Value& out, View row, const Scope& scope) {
    const Loop loop = *loop_of(row.text());
    for (const Ref& element : schema::elements(find(scope, loop.list.name))) {
      Value path, value;
      if (schema::encode(schema::find(element, loop.name), path) &&
          schema::encode(schema::find(element, "value"), value))
        put_at(out, path.text, value);
    }
  }

  // A list inside of the list is spliced into it.
  void append(View child, const Scope& scope, Value& list) {
    if (!node(child, scope, list.items.emplace_back())) {
      list.items.pop_back();
    } else if (list.items.back().is_sequence()) {
      std::vector<Value> spliced = std::move(list.items.back().items);
      list.items.pop_back();
      std::ranges::move(spliced, std::back_inserter(list.items));
    }
  }

  bool sequence(View tree, const Scope& scope, Value& out) {
    out.kind = Value::Kind::sequence;
    for (const View child : tree) {
      const View each = child.find(each_key);
      if (!each) {
        append(child, scope, out);
        continue;
      }
      const Loop loop = *loop_of(each.text());
      Value expanded;
      Ref list = schema::ref(expanded);
      if (!loop.list.is_template()) {
        list = find(scope, loop.list.name);
        if (schema::is_open(list)) out.items.emplace_back();
      } else if (!target(loop.list, scope, expanded)) {
        continue;
      }
      for (const Ref& element : schema::elements(list))
        append(child, Scope{loop.name, element, &scope}, out);
    }
    // A list with a null item is unknown as a whole.
    const auto is_null = [](const Value& item) { return item.kind == Value::Kind::null; };
    if (any_of(out.items, is_null)) {
      out = {};
      return true;
    }
    return !out.items.empty() || tree.is_empty();
  }

  const Set& templates_;
  std::vector<std::string> used_comments_;
};

}  // namespace

Value expand(const Set& templates, std::string_view name, const Scope& scope) {
  const View tree = templates.find(name);
  Value out;
  if (!tree || !Expander(templates).node(tree, scope, out)) return {};
  return out;
}

}  // namespace flexslice::templates
