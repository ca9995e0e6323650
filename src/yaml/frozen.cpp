#include "yaml/frozen.hpp"

namespace flexslice::yaml {

View View::find(std::string_view key) const {
  if (cell_->kind != Kind::mapping) return {};
  for (const View child : *this) {
    if (child.key() == key) return child;
  }
  return {};
}

Frozen::Frozen(const Node& root) { append(root, {}); }

void Frozen::append(const Node& node, std::string_view key) {
  const auto store = [&](std::string_view text) {
    const Cell::Text place{static_cast<std::uint32_t>(texts_.size()),
                           static_cast<std::uint32_t>(text.size())};
    texts_ += text;
    return place;
  };
  const std::size_t index = cells_.size();
  const Cell::Text key_place = store(key);
  cells_.push_back({node.kind, node.quoted, key_place, store(node.text), 1, node.span});
  for (const Node& item : node.items) append(item, {});
  for (const Member& member : node.members) append(member.value, member.key.text);
  cells_[index].size = static_cast<std::uint32_t>(cells_.size() - index);
}

}  // namespace flexslice::yaml
