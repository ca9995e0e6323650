#include "import/config_connector.hpp"

#include <algorithm>
#include <iterator>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "yaml/made.hpp"

namespace flexslice::imports {

using yaml::Node;

namespace {

// The kinds of Config Connector, and the resources of Terraform that are the same.
constexpr std::pair<std::string_view, std::string_view> connector_kinds[] = {
    {connector_pool, "google_container_node_pool"},
    {"ContainerCluster", "google_container_cluster"},
};

std::string_view resource_of(const Node& object) {
  if (!object.text_at({"apiVersion"}).starts_with("container.cnrm.cloud.google.com/")) return {};
  const std::string_view kind = object.text_at({"kind"});
  for (const auto& [of_connector, resource] : connector_kinds) {
    if (of_connector == kind) return resource;
  }
  return {};
}

// `node_config` for `nodeConfig`.
std::string snake_case(std::string_view key) {
  std::string name;
  for (const char c : key) {
    if (ascii::is_upper(c)) name += '_';
    name += ascii::is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return name;
}

// A reference names another object, or is the path of a resource outside of the cluster.
Node referred(const Node& reference) {
  for (const char* key : {"external", "name"}) {
    const Node* value = reference.find(key);
    if (value == nullptr || value->text.empty()) continue;
    Node name = *value;
    name.text = name.text.substr(name.text.rfind('/') + 1);
    return name;
  }
  return {};
}

// An empty text is the default, as is a key that is not there.
Node as_argument(const Node& value, bool has_own_keys) {
  Node argument = value;
  argument.members.clear();
  constexpr std::string_view maps[] = {"labels", "resourceLabels"};
  constexpr std::string_view ref = "Ref";
  for (const auto& [key, member] : value.members) {
    if (member.kind == yaml::Kind::scalar && member.text.empty()) continue;
    yaml::Member& added = argument.members.emplace_back();
    added.key = key;
    const bool is_reference =
        !has_own_keys && key.text.ends_with(ref) && member.kind == yaml::Kind::mapping;
    if (is_reference) added.key.text.resize(key.text.size() - ref.size());
    if (!has_own_keys) added.key.text = snake_case(added.key.text);
    added.value = is_reference ? referred(member) : as_argument(member, contains(maps, key.text));
  }
  return argument;
}

Node terraform_resource(const Node& object, std::string_view resource) {
  const Node *spec = object.find("spec"), *name = object.at({"metadata", "name"});
  if (spec == nullptr || name == nullptr) return {};
  const Node* id = spec->find("resourceID");
  const Node* project = object.at({"metadata", "annotations", "cnrm.cloud.google.com/project-id"});
  Node document, body = as_argument(*spec, false);
  yaml::member_at(body, "name", name->span) = id == nullptr ? *name : *id;
  if (project != nullptr) yaml::member_at(body, "project", project->span) = *project;
  Node& all =
      yaml::member_at(yaml::member_at(document, "resource", spec->span), resource, spec->span);
  yaml::member_at(all, name->text, name->span) = std::move(body);
  return document;
}

// The path says where the object has a flag, which Terraform may call by another name.
void add_flag(const Node& object, const catalog::PoolFlag& flag, extract::Command& command,
              std::vector<Span>& unread) {
  const Node* value = object.find("spec");
  std::vector<Span> keys;
  for (const std::string_view part : text::split(flag.config_connector, '.')) {
    const yaml::Member* member =
        value == nullptr ? nullptr : find_where(value->members, [&](const yaml::Member& each) {
          return each.key.text == part;
        });
    if (member == nullptr) return;
    keys.push_back(member->key.span);
    value = &member->value;
  }
  const std::string begin = std::string(flag.flag) + "=";
  if (value->kind != yaml::Kind::scalar || value->text.empty() ||
      any_of(command.words, [&](const extract::Word& word) {
        return word.text == flag.flag || word.text.starts_with(begin);
      }))
    return;
  extract::Word& word = command.words.emplace_back();
  word.text = begin + value->text;
  word.where = value->span;
  std::erase_if(unread, [&](Span each) { return contains(keys, each); });
}

void read_connector_objects(const Node& document, std::span<const catalog::PoolFlag> flags,
                            extract::TerraformResources& all) {
  for (const Node& item : document.items) read_connector_objects(item, flags, all);
  const std::string_view resource = resource_of(document);
  if (resource.empty()) {
    const Node* items = document.find("items");
    if (items != nullptr && document.text_at({"kind"}).ends_with("List"))
      read_connector_objects(*items, flags, all);
    return;
  }
  const Node terraform = terraform_resource(document, resource);
  extract::TerraformResources read = extract::read_terraform(terraform, nullptr);
  for (extract::Command& command : read.commands) {
    command.block = {};
    command.block.type = connector_pool;
    if (document.text_at({"kind"}) != connector_pool) continue;
    for (const catalog::PoolFlag& flag : flags) {
      if (!flag.config_connector.empty()) add_flag(document, flag, command, read.unread);
    }
  }
  std::ranges::move(read.commands, std::back_inserter(all.commands));
  std::ranges::move(read.unread, std::back_inserter(all.unread));
}

}  // namespace

bool is_of_connector(const Node& object) { return !resource_of(object).empty(); }

extract::TerraformResources connector_resources(const Node& document,
                                                std::span<const catalog::PoolFlag> flags) {
  extract::TerraformResources all;
  read_connector_objects(document, flags, all);
  return all;
}

}  // namespace flexslice::imports
