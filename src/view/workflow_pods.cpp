#include "view/workflow_pods.hpp"

#include <algorithm>
#include <string_view>

#include "yaml/made.hpp"

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
    const Span where = container->span;
    node.members.push_back(
        {yaml::plain_at("containers", where), yaml::list_at(where, {*container})});
    return;
  }
  // A set of containers is a pod with all of them.
  const Node* set = node.find("containerSet");
  const Node* containers = set == nullptr ? nullptr : set->find("containers");
  if (containers == nullptr) return;
  node.members.push_back({yaml::plain_at("containers", containers->span), *containers});
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
