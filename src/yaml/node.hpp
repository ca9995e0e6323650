// The tree that the YAML reader makes of one document, with a place in the source for every node.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"

namespace flexslice::yaml {

enum class Kind : std::uint8_t { null, scalar, sequence, mapping };

inline constexpr std::string_view null_words[] = {"~", "null", "Null", "NULL"};

// The core schema of YAML 1.2 gives a scalar its type. Quoted and block scalars are always strings.
enum class ScalarType : std::uint8_t { null, boolean, integer, floating, string };

struct Member;

// The span of a scalar is its text with its quotes; of a block scalar, from its `|` or `>` to the
// end of its last line that is not blank. Of a collection in brackets, with them; else from its
// first key or dash to the end of its last child. A value that was not written has an empty span
// behind its colon or dash. Tags and anchors are left out, and what an alias stands for has the
// places where it was written first.
struct Node {
  Kind kind = Kind::null;  // null: nothing was written, or an explicit `null` or `~`
  bool quoted = false;     // scalar: written with quotes or as a block
  bool argument = false;   // scalar: of the command line, whose shell has read the quotes
  Span span;               // see above
  std::string text;        // scalar: the value, unescaped
  std::vector<Node> items;
  std::vector<Member> members;

  const Node* find(std::string_view key) const;
  // At the end of a path of keys, or null: one is missing, or a value on the way has none.
  const Node* at(std::initializer_list<std::string_view> path) const;
  // Returns its text, which is empty if it has none.
  std::string_view text_at(std::initializer_list<std::string_view> path) const;
};

struct Member {
  Node key;  // always a scalar
  Node value;
};
inline std::string_view key_text(const Member& member) { return member.key.text; }

// Calls `visit` with each scalar of a tree, keys included.
void for_scalars(const Node& node, const auto& visit) {
  if (node.kind == Kind::scalar) visit(node);
  for (const Node& item : node.items) for_scalars(item, visit);
  for (const Member& member : node.members) {
    for_scalars(member.key, visit);
    for_scalars(member.value, visit);
  }
}
// Lists the places of the scalars that come from one source.
std::vector<Span> scalars_of(const Node& tree, std::uint32_t source);

// Takes a plain scalar's text. `yes`, `on`, `0777` and `1_000` are strings or decimal here, as in
// YAML 1.2.
ScalarType type_of(std::string_view plain);
ScalarType type_of(const Node& node);
// As kubectl reads it, which knows words and numbers of YAML 1.1 as well: `yes` is a boolean there,
// and `1_000` a number.
ScalarType kubectl_type_of(const Node& node);
// Makes `true` or `false` of a boolean of kubectl's, and decimal of a whole number: of `0x1F`,
// `0b11`, `0o17`, `017`, `2_5`, `+20`, `20.0` and `2e1`.
void read_old_scalar(Node& scalar);
// Makes decimal what is octal for kubectl, as `0400` is.
void read_octal(Node& tree);
// `a list`, `a mapping`, `the number 3`, `the string "x"`: for messages about wrong types.
std::string describe(const Node& node);
std::string describe(const Node& node, ScalarType type);  // where another reader decides

}  // namespace flexslice::yaml
