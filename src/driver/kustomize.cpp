#include "driver/kustomize.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "driver/lint_file.hpp"
#include "driver/overlay.hpp"
#include "yaml/embedded.hpp"
#include "yaml/parse.hpp"

namespace flexslice::lint {

using yaml::Node;
using yaml::View;

namespace {

constexpr int deepest_base = 6;
constexpr std::size_t most_files = 256;
constexpr std::string_view renaming[] = {"namePrefix", "nameSuffix"};
constexpr std::string_view generators[] = {"configMapGenerator", "secretGenerator"};
constexpr std::string_view patch_keys[] = {"patches", "patchesStrategicMerge", "patchesJson6902"};
constexpr std::string_view resource_lists[] = {"resources", "bases", "components"};

struct KustomizedObject {
  Node tree;
  std::string kind, name;
};

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

class KustomizationJudge {
 public:
  KustomizationJudge(Sources& sources, const catalog::Catalog& catalog, const ReadFile& read)
      : sources_(sources), catalog_(catalog), read_(read) {}

  std::vector<diag::Diagnostic> judge() {
    const std::string folder(folder_of(sources_[0].name));
    diag::Sink ignored;
    const auto root = yaml::parse(sources_, 0, ignored, {.merge_keys = true, .last_wins = true});
    if (!root) return {};
    add_resources(*root, folder, 0);
    judge_patches(*root, folder);
    if (!has_tpus_ || root->find("configurations") != nullptr) return sink_.take();
    if (const Node* given = root->find("namespace")) judge_namespace(*given);
    for (std::string_view key : renaming) {
      const Node* given = root->find(key);
      if (given == nullptr || given->text.empty()) continue;
      judge_renamed(*given, key);
      return sink_.take();  // the other one does the same
    }
    for (std::string_view key : generators) judge_generated(*root, key);
    return sink_.take();
  }

  // Judges the objects of a file that the kustomization or a base of it lists; nothing: none does.
  std::optional<std::vector<diag::Diagnostic>> findings_with(std::string_view file) {
    const std::string folder(folder_of(sources_[0].name));
    diag::Sink ignored;
    const auto root = yaml::parse(sources_, 0, ignored, {.merge_keys = true, .last_wins = true});
    if (!root) return std::nullopt;
    add_resources(*root, folder, 0);
    if (!seen_.contains(normal_path(file))) return std::nullopt;
    return findings_after_patches(*root, trees(), catalog_, read_, [&](std::string_view path) {
      return normal_path(folder + std::string(path));
    });
  }

 private:
  std::vector<const Node*> trees() const {
    std::vector<const Node*> all;
    for (const KustomizedObject& each : objects_) all.push_back(&each.tree);
    return all;
  }

  // Also where the patches alone say that it is about TPUs.
  void judge_patches(const Node& root, const std::string& folder) {
    const auto path_of = [&](std::string_view path) {
      return normal_path(folder + std::string(path));
    };
    for (diag::Diagnostic& finding : judge_patched(root, trees(), catalog_, read_, path_of))
      sink_.add(std::move(finding));
  }

  void add_resources(const Node& root, const std::string& folder, int depth) {
    for (std::string_view list : resource_lists) {
      const Node* entries = root.find(list);
      if (entries == nullptr || depth > deepest_base) continue;
      for (const Node& entry : entries->items) {
        if (entry.text.find("://") != std::string::npos) continue;
        const std::string path = normal_path(folder + entry.text);
        if (!seen_.insert(path).second || seen_.size() > most_files) continue;
        if (path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json")) {
          if (const auto text = read_(path)) add_objects(*text);
          continue;
        }
        for (const char* name : {"kustomization.yaml", "kustomization.yml", "Kustomization"}) {
          const auto text = read_(path + "/" + name);
          if (!text) continue;
          Sources own;
          diag::Sink ignored;
          const auto inner = yaml::parse(own, own.add({path, *text, 1}), ignored,
                                         {.merge_keys = true, .last_wins = true});
          // It has the names right, or breaks them itself.
          if (inner && inner->find("configurations") == nullptr)
            add_resources(*inner, path + "/", depth + 1);
          break;
        }
      }
    }
  }

  void add_objects(const std::string& text) {
    has_tpus_ |= mentions_tpus(text);
    for (const yaml::Document& document : yaml::split_documents(text)) {
      Sources own;
      diag::Sink ignored;
      auto tree = yaml::parse(own, own.add({"", std::string(document.text), 1}), ignored,
                              {.merge_keys = true, .last_wins = true});
      if (!tree) continue;
      std::string kind(tree->text_at({"kind"})), name(tree->text_at({"metadata", "name"}));
      if (!kind.empty() && !name.empty())
        objects_.push_back({std::move(*tree), std::move(kind), std::move(name)});
    }
  }

  static View references() {
    return embedded::root_of(embedded::kubernetes, "references.yaml").find("nameReference");
  }

  bool has_object(std::string_view kind, std::string_view name) const {
    return any_of(objects_, [&](const KustomizedObject& each) {
      return each.kind == kind && each.name == name;
    });
  }

  // Calls `act` with each scalar at the path, whose steps are separated by slashes.
  static void visit(const Node& node, std::string_view path, const auto& act) {
    for (const Node& item : node.items) visit(item, path, act);
    if (path.empty()) {
      if (node.kind == yaml::Kind::scalar) act(node);
      return;
    }
    std::string step;
    std::size_t at = 0;
    for (; at < path.size() && path[at] != '/'; ++at) {
      if (path[at] == '\\' && at + 1 < path.size()) ++at;
      step += path[at];
    }
    if (const Node* inner = node.find(step))
      visit(*inner, path.substr(std::min(at + 1, path.size())), act);
  }

  // Visits names of objects of `kind` in fields that kustomize does not follow.
  void for_references(std::string_view kind, const auto& act) const {
    for (const View row : references()) {
      if (!kind.empty() && row.find("kind").text() != kind) continue;
      for (const View spec : row.find("fieldSpecs")) {
        const std::string_view of = spec.find("kind").text(), path = spec.find("path").text();
        for (const KustomizedObject& object : objects_) {
          if (!of.empty() && object.kind != of) continue;
          visit(object.tree, path,
                [&](const Node& value) { act(row.find("kind").text(), value.text, object, path); });
        }
      }
    }
  }

  static std::string dotted(std::string_view path) {
    std::string text;
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (path[i] == '\\') continue;
      text += path[i] == '/' && (i == 0 || path[i - 1] != '\\') ? '.' : path[i];
    }
    return text;
  }

  void report(const Node& at, std::string_view transformer, std::string_view kind,
              std::string_view name, const KustomizedObject& object, std::string_view path) {
    sink_
        .report<diag::Code::ReferenceNotRenamed>(
            at.span, transformer, fmt::format("{} `{}`", kind, name),
            fmt::format("{} `{}`", object.kind, object.name), dotted(path))
        .help(
            "set the name in the spec, or add `configurations: [references.yaml]` with the file of "
            "examples/kustomize");
  }

  void judge_renamed(const Node& at, std::string_view transformer) {
    bool is_reported = false;
    for_references({}, [&](std::string_view kind, std::string_view name,
                           const KustomizedObject& object, std::string_view path) {
      if (is_reported || !has_object(kind, name)) return;
      is_reported = true;
      report(at, transformer, kind, name, object, path);
    });
  }

  // The first scalar for which `is_old` holds, by its path and itself, with that path.
  static std::optional<std::string> find_scalar(const Node& node, const std::string& path,
                                                const auto& is_old) {
    if (node.kind == yaml::Kind::scalar && is_old(path, node.text)) return path;
    for (const Node& item : node.items) {
      if (auto found = find_scalar(item, path, is_old)) return found;
    }
    for (const auto& [key, value] : node.members) {
      if (auto found = find_scalar(value, path.empty() ? key.text : path + "." + key.text, is_old))
        return found;
    }
    return std::nullopt;
  }

  // Namespaces of the LocalQueues of a ClusterQueue, and else that of the object.
  std::set<std::string> namespaces_of(const KustomizedObject& object) const {
    std::set<std::string> names{std::string(object.tree.text_at({"metadata", "namespace"}))};
    for (const KustomizedObject& each : objects_) {
      if (object.kind == "ClusterQueue" && each.kind == "LocalQueue" &&
          each.tree.text_at({"spec", "clusterQueue"}) == object.name)
        names.emplace(each.tree.text_at({"metadata", "namespace"}));
    }
    names.erase("");
    return names;
  }

  // kustomize writes the namespace into `metadata`, and nowhere else.
  void judge_namespace(const Node& given) {
    for (const KustomizedObject& object : objects_) {
      for (const std::string& old : namespaces_of(object)) {
        if (old == given.text || given.text.empty()) continue;
        const Node* selector = object.tree.at({"spec", "namespaceSelector"});
        const auto has_new = [&](const std::string&, const std::string& text) {
          return text == given.text;
        };
        if (selector != nullptr && find_scalar(*selector, {}, has_new)) continue;
        const auto path =
            find_scalar(object.tree, {}, [&](const std::string& at, const std::string& text) {
              if (at.ends_with(".flexslice-workload")) return text.starts_with(old + ".");
              return text == old &&
                     (at.ends_with(".namespaces") || at.starts_with("spec.namespaceSelector."));
            });
        if (!path) continue;
        sink_
            .report<diag::Code::ReferenceNotRenamed>(
                given.span, "namespace", fmt::format("namespace `{}`", old),
                fmt::format("{} `{}`", object.kind, object.name), *path)
            .help("set `namespace` in the spec, or patch `{}`", *path);
        return;
      }
    }
  }

  // A generated name ends with a hash of its contents.
  void judge_generated(const Node& root, std::string_view generator) {
    const Node* list = root.find(generator);
    if (list == nullptr || is_true(root.at({"generatorOptions", "disableNameSuffixHash"}))) return;
    const std::string_view kind = generator == generators[0] ? "ConfigMap" : "Secret";
    for (const Node& each : list->items) {
      const Node* name = each.find("name");
      if (name == nullptr || is_true(each.at({"options", "disableNameSuffixHash"}))) continue;
      bool is_reported = false;
      for_references(kind, [&](std::string_view, std::string_view used,
                               const KustomizedObject& object, std::string_view path) {
        if (is_reported || used != name->text) return;
        is_reported = true;
        report(*name, generator, kind, used, object, path);
      });
    }
  }

  static bool is_true(const Node* node) { return node != nullptr && node->text == "true"; }

  Sources& sources_;
  const catalog::Catalog& catalog_;
  const ReadFile& read_;
  std::vector<KustomizedObject> objects_;
  std::set<std::string> seen_;
  bool has_tpus_ = false;
  diag::Sink sink_;
};

}  // namespace

bool may_rename(std::string_view text) {
  const auto has = [&](std::string_view key) { return text.find(key) != text.npos; };
  return has("namespace:") || std::ranges::any_of(renaming, has) ||
         std::ranges::any_of(generators, has) || std::ranges::any_of(patch_keys, has);
}

std::vector<diag::Diagnostic> judge_kustomization(Sources& sources, const catalog::Catalog& catalog,
                                                  const ReadFile& read) {
  return KustomizationJudge(sources, catalog, read).judge();
}

void drop_what_overlays_mend(std::string_view file, std::span<const std::string> overlays,
                             const catalog::Catalog& catalog, const ReadFile& read,
                             std::vector<diag::Diagnostic>& findings) {
  std::size_t listing = 0;
  std::set<std::pair<diag::Code, std::string>> left;
  for (const std::string& overlay : overlays) {
    const auto text = read(overlay);
    if (!text || text->find("patch") == std::string::npos) continue;
    Sources sources;
    sources.add({overlay, *text, 1});
    const auto remaining = KustomizationJudge(sources, catalog, read).findings_with(file);
    if (!remaining) continue;
    ++listing;
    for (const diag::Diagnostic& each : *remaining) left.emplace(each.code, each.message);
  }
  if (listing == 0) return;
  std::erase_if(findings, [&](const diag::Diagnostic& each) {
    return !left.contains({each.code, each.message});
  });
}

}  // namespace flexslice::lint
