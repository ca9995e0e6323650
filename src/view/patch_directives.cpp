#include "view/patch_directives.hpp"

#include <algorithm>
#include <string_view>

namespace flexslice::view {

using yaml::Member;
using yaml::Node;

namespace {

bool is_directive(const Member& member) {
  const std::string_view key = member.key.text;
  return key == "$patch" || key == "$retainKeys" || key.starts_with("$setElementOrder/") ||
         key.starts_with("$deleteFromPrimitiveList/");
}

bool has_directive(const Node& node) {
  return std::ranges::any_of(node.items, has_directive) ||
         std::ranges::any_of(node.members, [](const Member& member) {
           return is_directive(member) || has_directive(member.value);
         });
}

bool is_deleted(const Node& node) {
  const Node* directive = node.find("$patch");
  return directive != nullptr && directive->text == "delete";
}

// An item with directives alone, such as `- $patch: replace`.
bool is_only_directives(const Node& node) {
  return !node.members.empty() && std::ranges::all_of(node.members, is_directive);
}

void prune(Node& node) {
  std::erase_if(node.items,
                [](const Node& item) { return is_deleted(item) || is_only_directives(item); });
  std::erase_if(node.members, [](const Member& member) {
    return is_directive(member) || is_deleted(member.value);
  });
  std::ranges::for_each(node.items, prune);
  for (Member& member : node.members) prune(member.value);
}

}  // namespace

std::optional<Node> without_directives(const Node& document) {
  if (!has_directive(document)) return std::nullopt;
  Node pruned = is_deleted(document) ? Node{} : document;
  prune(pruned);
  return pruned;
}

}  // namespace flexslice::view
