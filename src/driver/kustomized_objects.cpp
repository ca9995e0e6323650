#include "driver/kustomized_objects.hpp"

#include <fmt/core.h>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "driver/lint_file.hpp"
#include "driver/overlay.hpp"
#include "yaml/parse.hpp"

namespace flexslice::lint {

using yaml::Node;

namespace {

constexpr int deepest_base = 6;
constexpr int most_folders_above = 6;
constexpr std::size_t most_files = 256;
constexpr std::string_view resource_lists[] = {"resources", "bases", "components"};

}  // namespace

// `dir/../base` is `base`.
std::string normal_path(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::string_view part : text::split(path, '/')) {
    if (part == "." || (part.empty() && !parts.empty())) continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  return text::join(parts, "/");
}

std::vector<const Node*> KustomizedObjects::trees() const {
  std::vector<const Node*> all;
  for (const KustomizedObject& each : objects_) {
    if (!each.is_open) all.push_back(&each.tree);
  }
  return all;
}

void KustomizedObjects::add_resources(const Node& root, const std::string& folder, int depth) {
  for (std::string_view list : resource_lists) {
    const Node* entries = root.find(list);
    if (entries == nullptr || depth > deepest_base) continue;
    for (const Node& entry : entries->items) {
      if (entry.text.find("://") != std::string::npos) continue;
      const std::string path = normal_path(folder + entry.text);
      if (!seen_.insert(path).second || seen_.size() > most_files) continue;
      if (is_manifest(path)) {
        if (const auto text = read_(path)) add_objects(*text);
        continue;
      }
      add_folder(path, depth + 1);
    }
  }
}

// False: it has no kustomization.
bool KustomizedObjects::add_folder(const std::string& path, int depth) {
  for (std::string_view name : kustomization_names) {
    const auto text = read_(fmt::format("{}/{}", path, name));
    if (!text) continue;
    Sources own;
    diag::Sink ignored;
    const auto inner = yaml::parse(own, own.add({path, *text, 1}), ignored,
                                   {.merge_keys = true, .last_wins = true});
    // It has the names right, or breaks them itself.
    if (!inner || inner->find("configurations") != nullptr) return true;
    const std::size_t first = objects_.size();
    add_resources(*inner, path + "/", depth);
    patch(*inner, path + "/", first);
    return true;
  }
  return false;
}

void KustomizedObjects::patch(const Node& kustomization, const std::string& folder,
                              std::size_t first) {
  if (!any_of(patch_keys, [&](auto key) { return kustomization.find(key) != nullptr; })) return;
  std::vector<const Node*> before;
  for (std::size_t i = first; i < objects_.size(); ++i) before.push_back(&objects_[i].tree);
  const auto after = patched_objects(kustomization, before, read_, [&](std::string_view path) {
    return normal_path(folder + std::string(path));
  });
  for (std::size_t i = 0; i < after.size(); ++i) {
    KustomizedObject& object = objects_[first + i];
    if (after[i]) object.tree = yaml::to_node(*after[i]);
    object.is_open |= !after[i];
  }
}

std::optional<std::string> KustomizedObjects::add_deployed(std::string_view path, std::string above,
                                                           bool lists_files) {
  while (path.starts_with('/') || path.starts_with("./"))
    path.remove_prefix(path[0] == '/' ? 1 : 2);
  for (int i = 0; i < most_folders_above; ++i) {
    const std::string folder = normal_path(above + std::string(path));
    if (folder.empty()) return std::nullopt;
    if (add_folder(folder, 0)) return folder;
    const auto files = lists_files && list_ ? list_(folder) : std::vector<std::string>();
    for (const std::string& file : files) {
      if (const auto text = read_(file)) add_objects(*text);
    }
    if (!files.empty()) return folder;
    if (above.size() < 2) return std::nullopt;
    above = std::string(folder_of(std::string_view(above).substr(0, above.size() - 1)));
  }
  return std::nullopt;
}

void KustomizedObjects::add_objects(const std::string& text) {
  has_tpus_ |= mentions_tpus(text);
  for (const yaml::Document& document : yaml::split_documents(text)) {
    auto tree = read_quietly(document);
    if (!tree) continue;
    std::string kind(tree->text_at({"kind"})), name(tree->text_at({"metadata", "name"}));
    if (!kind.empty() && !name.empty())
      objects_.push_back({std::move(*tree), std::move(kind), std::move(name)});
  }
}

}  // namespace flexslice::lint
