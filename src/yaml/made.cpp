#include "yaml/made.hpp"

#include <utility>

namespace flexslice::yaml {

Node plain_at(std::string_view text, Span where) {
  Node made;
  made.kind = Kind::scalar;
  made.span = where;
  made.text = text;
  return made;
}

Node string_at(std::string_view text, Span where) {
  Node made = plain_at(text, where);
  made.quoted = true;
  return made;
}

Node list_at(Span where, std::vector<Node> items) {
  Node made;
  made.kind = Kind::sequence;
  made.span = where;
  made.items = std::move(items);
  return made;
}

Node mapping_at(Span where) {
  Node made;
  made.kind = Kind::mapping;
  made.span = where;
  return made;
}

Node& member_at(Node& node, std::string_view key, Span where) {
  node.kind = Kind::mapping;
  for (Member& member : node.members) {
    if (member.key.text == key) return member.value;
  }
  Node value;
  value.span = where;
  node.members.push_back({string_at(key, where), std::move(value)});
  return node.members.back().value;
}

}  // namespace flexslice::yaml
