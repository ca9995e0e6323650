// Walks over the blocks of Terraform, which are an object or a list of them.
#pragma once

#include "yaml/node.hpp"

namespace flexslice::extract {

void for_blocks(const yaml::Node& node, const auto& visit) {
  if (node.kind == yaml::Kind::mapping) visit(node);
  for (const yaml::Node& item : node.items) for_blocks(item, visit);
}

// Calls `visit` with the name and the body of each.
void for_members(const yaml::Node* blocks, const auto& visit) {
  if (blocks == nullptr) return;
  for_blocks(*blocks, [&](const yaml::Node& block) {
    for (const yaml::Member& member : block.members)
      for_blocks(member.value, [&](const yaml::Node& body) { visit(member.key, body); });
  });
}

}  // namespace flexslice::extract
