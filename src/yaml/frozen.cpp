#include "yaml/frozen.hpp"

namespace flexslice::yaml {

View View::find(std::string_view key) const {
  if (cell_ == nullptr || cell_->kind != Kind::mapping) return {};
  for (const View child : *this) {
    if (child.key() == key) return child;
  }
  return {};
}

std::string_view row_text(View row, std::string_view column) {
  const View found = row ? row.find(column) : View();
  return found ? found.text() : std::string_view();
}

Frozen::Frozen(Node root) : tree_(std::move(root)) { append(tree_, {}); }

void Frozen::append(const Node& node, std::string_view key) {
  const std::size_t index = cells_.size();
  cells_.push_back({node.kind, node.quoted, key, node.text, 1, node.span});
  for (const Node& item : node.items) append(item, {});
  for (const Member& member : node.members) append(member.value, member.key.text);
  cells_[index].size = static_cast<std::uint32_t>(cells_.size() - index);
}

}  // namespace flexslice::yaml
