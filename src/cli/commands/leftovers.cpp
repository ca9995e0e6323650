#include "cli/commands/leftovers.hpp"

#include <fmt/core.h>

#include "backend/gcloud/shell_quote.hpp"
#include "spec/sets.hpp"
#include "yaml/parse.hpp"

namespace flexslice::cli {

std::vector<Creation> created_by(std::string_view plan, bool by_anyone) {
  if (!plan.starts_with("{\n  \"apiVersion\": \"flexslice-plan/")) return {};
  Sources sources;
  sources.add({"plan.json", std::string(plan), 1});
  diag::Sink ignored;
  const auto root = yaml::parse(sources, 0, ignored);
  if (!root || root->find("sweep") != nullptr) return {};
  const auto text = [&](const yaml::Node* node) {
    return node == nullptr ? std::string() : gcloud::shell_quote(node->text);
  };
  const auto is_true = [&](std::initializer_list<std::string_view> path) {
    const yaml::Node* node = root->at(path);
    return node != nullptr && node->text == "true";
  };
  const std::string cluster = text(root->at({"cluster", "name"}));
  const std::string location = text(root->at({"cluster", "location"}));
  const std::string project = text(root->at({"cluster", "project"}));
  const std::string in = project.empty() ? "" : " --project=" + project;
  std::vector<Creation> creations;
  const auto names = [&](std::string_view key, auto add) {
    if (const yaml::Node* list = root->find(key)) {
      for (const yaml::Node& item : list->items) {
        if (const yaml::Node* name = item.find("name")) add(text(name));
      }
    }
  };
  // Older plans have no owner.
  const yaml::Node* owner = root->at({"provisioning", "owner"});
  const bool by_others = owner != nullptr && owner->text != word(spec::Owner::scripts);
  if (by_others && !by_anyone) return {};
  if ((by_others || is_true({"provisioning", "create"})) && is_true({"cluster", "standard"})) {
    names("pools", [&](const std::string& name) {
      creations.push_back(
          {fmt::format("node pool {} of cluster {} in {}", name, cluster, location),
           fmt::format("gcloud container node-pools delete {} --cluster={} --location={}{}", name,
                       cluster, location, in)});
    });
    names("policies", [&](const std::string& name) {
      creations.push_back({fmt::format("resource policy {}", name),
                           fmt::format("gcloud compute resource-policies delete {} --region={}{}",
                                       name, text(root->at({"cluster", "region"})), in)});
    });
  }
  if (is_true({"cluster", "create"}))
    creations.push_back({fmt::format("cluster {} in {}", cluster, location),
                         fmt::format("gcloud container clusters delete {} --location={}{}", cluster,
                                     location, in)});
  return creations;
}

}  // namespace flexslice::cli
