#include "view/workflow_pods.hpp"

#include <algorithm>
#include <string_view>

namespace flexslice::view {

using yaml::Kind;
using yaml::Node;

namespace {

// Members of a template that are its only container, and of those that hold several.
constexpr std::string_view single_containers[] = {"container", "script"};

void add_containers(Node& node) {
  std::ranges::for_each(node.items, add_containers);
  for (yaml::Member& member : node.members) add_containers(member.value);
  if (node.find("containers") != nullptr) return;
  for (std::string_view key : single_containers) {
    const Node* container = node.find(key);
    if (container == nullptr || container->kind != Kind::mapping) continue;
    yaml::Member list;
    list.key.kind = Kind::scalar;
    list.key.text = "containers";
    list.key.span = container->span;
    list.value.kind = Kind::sequence;
    list.value.span = container->span;
    list.value.items.push_back(*container);
    node.members.push_back(std::move(list));
    return;
  }
  // A set of containers is a pod with all of them.
  const Node* set = node.find("containerSet");
  const Node* containers = set == nullptr ? nullptr : set->find("containers");
  if (containers == nullptr) return;
  yaml::Member list;
  list.key.kind = Kind::scalar;
  list.key.text = "containers";
  list.key.span = containers->span;
  list.value = *containers;
  node.members.push_back(std::move(list));
}

}  // namespace

std::optional<Node> with_containers(const Node& document) {
  if (!document.text_at({"apiVersion"}).starts_with("argoproj.io/") ||
      document.text_at({"kind"}).find("Workflow") == std::string_view::npos)
    return std::nullopt;
  Node shown = document;
  add_containers(shown);
  return shown;
}

}  // namespace flexslice::view
