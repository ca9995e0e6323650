#include "view/json_patch.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "yaml/made.hpp"

namespace flexslice::view {

using yaml::Kind;
using yaml::Node;

namespace {

bool is_operation(const Node& item) {
  const Node *op = item.find("op"), *path = item.find("path");
  return op != nullptr && path != nullptr && op->kind == Kind::scalar &&
         path->text.starts_with('/');
}

std::string key_of_token(std::string_view token) {
  std::string key;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool is_escape = token[i] == '~' && i + 1 < token.size();
    key += is_escape && token[i + 1] == '1' ? '/' : token[i];
    i += is_escape ? 1 : 0;
  }
  return key;
}

// Numbers and `-` are places in lists.
void make_lists(Node& node) {
  for (yaml::Member& each : node.members) make_lists(each.value);
  const bool is_list =
      !node.members.empty() && std::ranges::all_of(node.members, [](const yaml::Member& each) {
        return each.key.text == "-" || text::whole_number(each.key.text);
      });
  if (!is_list) return;
  node.kind = Kind::sequence;
  for (yaml::Member& each : node.members) node.items.push_back(std::move(each.value));
  node.members.clear();
}

}  // namespace

std::optional<Node> object_of_json_patch(const Node& tree) {
  if (tree.kind != Kind::sequence || tree.items.empty() ||
      !std::ranges::all_of(tree.items, is_operation))
    return std::nullopt;
  Node object;
  for (const Node& item : tree.items) {
    const std::string_view op = item.find("op")->text;
    const Node *path = item.find("path"), *value = item.find("value");
    if ((op != "add" && op != "replace") || value == nullptr) continue;
    if (object.span == Span{}) object.span = path->span;
    Node* at = &object;
    for (std::string_view token : text::split(std::string_view(path->text).substr(1), '/'))
      at = &yaml::member_at(*at, key_of_token(token), path->span);
    *at = *value;
  }
  make_lists(object);
  return object;
}

}  // namespace flexslice::view
