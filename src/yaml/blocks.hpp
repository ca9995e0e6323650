// Walks over blocks as Terraform has them: each is a mapping, or a list of them.
#pragma once

#include "yaml/node.hpp"

namespace flexslice::yaml {

void for_blocks(const Node& node, const auto& visit) {
  if (node.kind == Kind::mapping) visit(node);
  for (const Node& item : node.items) for_blocks(item, visit);
}

// Calls `visit` with the name and the body of each.
void for_members(const Node* blocks, const auto& visit) {
  if (blocks == nullptr) return;
  for_blocks(*blocks, [&](const Node& block) {
    for (const Member& member : block.members)
      for_blocks(member.value, [&](const Node& body) { visit(member.key, body); });
  });
}

}  // namespace flexslice::yaml
