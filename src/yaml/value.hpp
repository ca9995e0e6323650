// The tree that is written: Kubernetes objects, the plan, argument lists. Keys keep their order;
// numbers keep their text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "yaml/node.hpp"

namespace flexslice::yaml {

struct Value {
  enum class Kind : std::uint8_t { null, boolean, number, string, sequence, mapping };
  struct Member;

  Kind kind = Kind::null;
  // Boolean: `true` or `false`; number: its digits; string: its bytes (valid UTF-8).
  std::string text;
  // Says on one line where the value comes from. The YAML writer prints it as `# …`, the JSON
  // writer does not.
  std::string comment;
  Span origin, key_origin;  // of it and of its key in a source; empty: it is derived
  std::vector<Value> items;
  std::vector<Member> members;

  static Value string(std::string_view text);
  static Value number(std::int64_t number);
  static Value boolean(bool truth);
  // Gives the value that a reader of YAML 1.2 sees in a scalar without quotes.
  static Value plain(std::string_view text);
  static Value sequence();
  static Value mapping(std::size_t room = 0);  // for that many members
  static Value strings(const std::vector<std::string>& texts);

  bool is_mapping() const { return kind == Kind::mapping; }
  bool is_sequence() const { return kind == Kind::sequence; }
  bool is_scalar() const { return !is_mapping() && !is_sequence(); }
  bool is_string() const { return kind == Kind::string; }
  // Null, false, and empty strings, sequences and mappings.
  bool is_empty() const;

  const Value* find(std::string_view key) const;
  Value* find(std::string_view key);
  // Returns the value at the end of a path of keys, or null; and its text, which is empty if it has
  // none.
  const Value* at(std::initializer_list<std::string_view> path) const;
  std::string_view text_at(std::initializer_list<std::string_view> path) const;
  // The member of that name, made at the end when it is not there. Makes this a mapping when it is
  // null.
  Value& operator[](std::string_view key);
  // A member that is not there yet, at the end of a mapping.
  Value& add(std::string_view key, Value value);
  void erase(std::string_view key);
  Value& push(Value value);

  // Same kinds, texts, and members in the same order; comments do not count.
  friend bool operator==(const Value& a, const Value& b);
};

// Not a std::pair: that would need a complete Value where Value is declared.
struct Value::Member {
  std::string key;
  Value value;

  Member() = default;
  explicit Member(std::string_view name) : key(name) {}
  Member(std::string_view name, Value what) : key(name), value(std::move(what)) {}
  friend bool operator==(const Member& a, const Member& b) {
    return a.key == b.key && a.value == b.value;
  }
};

inline std::string_view key_text(const Value::Member& member) { return member.key; }

// The first value of the tree, itself included, for which `holds`, or null.
template <class Condition>
const Value* find_in_tree(const Value& tree, const Condition& holds) {
  if (holds(tree)) return &tree;
  for (const Value& item : tree.items) {
    if (const Value* found = find_in_tree(item, holds)) return found;
  }
  for (const Value::Member& member : tree.members) {
    if (const Value* found = find_in_tree(member.value, holds)) return found;
  }
  return nullptr;
}

// Makes one document of two that are alike. Mappings get the members that they lack; lists get the
// items that they lack, in an order that suits both. Items are alike when they differ only in their
// own `steps`, which are united.
void unite(Value& into, Value more);

// Converts a node as a reader of YAML 1.2 sees it: the types of plain scalars are resolved.
Value to_value(const Node& node);
// The other way, of a value that no text holds: every node has a place of its own, in `source`.
Node to_node(const Value& value, std::uint32_t source);
// Every node is where its value comes from.
Node to_node(const Value& value);

}  // namespace flexslice::yaml
