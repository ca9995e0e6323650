#include "yaml/frozen.hpp"

#include <utility>

namespace flexslice::yaml {

namespace {

void append(const Node& node, std::string_view key, std::vector<Cell>& cells) {
  const std::size_t index = cells.size();
  cells.push_back({node.kind, node.quoted, key, node.text, 1, node.span});
  for (const Node& item : node.items) append(item, {}, cells);
  for (const Member& member : node.members) append(member.value, member.key.text, cells);
  cells[index].size = static_cast<std::uint32_t>(cells.size() - index);
}

}  // namespace

View View::find(std::string_view key) const {
  if (cell_->kind != Kind::mapping) return {};
  for (const View child : *this) {
    if (child->key == key) return child;
  }
  return {};
}

Frozen::Frozen(Node root) : root_(std::move(root)) { append(root_, {}, cells_); }

}  // namespace flexslice::yaml
