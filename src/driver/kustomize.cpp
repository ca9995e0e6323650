#include "driver/kustomize.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "diag/suppress.hpp"
#include "driver/kustomized_objects.hpp"
#include "driver/overlay.hpp"
#include "extract/substitution.hpp"
#include "yaml/embedded.hpp"
#include "yaml/parse.hpp"

namespace flexslice::lint {

using yaml::Node;
using yaml::View;

namespace {

constexpr std::string_view substitution_switch = "kustomize.toolkit.fluxcd.io/substitute";
constexpr std::string_view renaming[] = {"namePrefix", "nameSuffix"};
constexpr std::string_view generators[] = {"configMapGenerator", "secretGenerator"};
constexpr std::string_view labeling[] = {"commonLabels", "includeSelectors"};

View deployers() { return embedded::root_of(embedded::kubernetes, "driver/deployers.yaml"); }

class KustomizationJudge {
 public:
  KustomizationJudge(Sources& sources, const catalog::Catalog& catalog, const ReadFile& read,
                     const ListFiles& list)
      : sources_(sources), catalog_(catalog), read_(read), objects_(read, list) {}

  std::vector<diag::Diagnostic> judge() {
    const std::string folder(folder_of(sources_[0].name));
    diag::Sink ignored;
    const auto root = yaml::parse(sources_, 0, ignored, {.merge_keys = true, .last_wins = true});
    if (!root) return {};
    objects_.add_resources(*root, folder);
    judge_fields(*root, folder, "namespace");
    return sink_.take();
  }

  // The same for what another program puts over a kustomization that is in the repository.
  std::vector<diag::Diagnostic> judge_source(const Node& source, View row) {
    const Node* path = source.find("path");
    const View key = row.find("parameters");
    const Node* fields = key ? source.find(key.text()) : &source;
    if (path == nullptr || fields == nullptr) return {};
    const auto folder = objects_.add_deployed(path->text, std::string(folder_of(sources_[0].name)),
                                              static_cast<bool>(row.find("lists_files")));
    if (!folder) return {};
    judge_fields(*fields, *folder + "/", row.find("namespace").text());
    objects_.patch(*fields, *folder + "/");
    if (const View substitution = row.find("substitution")) {
      if (const Node* given = source.find(substitution.text())) judge_substitution(*given);
    }
    return sink_.take();
  }

  // Judges the objects of a file that the kustomization or a base of it lists; nothing: none does.
  std::optional<std::vector<diag::Diagnostic>> findings_with(std::string_view file) {
    const std::string folder(folder_of(sources_[0].name));
    diag::Sink ignored;
    const auto root = yaml::parse(sources_, 0, ignored, {.merge_keys = true, .last_wins = true});
    if (!root) return std::nullopt;
    objects_.add_resources(*root, folder);
    std::string listed = normal_path(file);
    if (is_kustomization(listed)) listed = normal_path(folder_of(listed));
    if (!objects_.has_path(listed)) return std::nullopt;
    return findings_after_patches(
        *root, objects_.trees(), catalog_, read_,
        [&](std::string_view path) { return normal_path(folder + std::string(path)); });
  }

  // Calls `act` with each scalar or mapping at the path, whose steps are separated by slashes.
  static void visit(const Node& node, std::string_view path, const auto& act) {
    for (const Node& item : node.items) visit(item, path, act);
    if (path.empty()) {
      if (node.kind != yaml::Kind::sequence) act(node);
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

 private:
  void judge_fields(const Node& root, const std::string& folder, std::string_view name_space) {
    judge_patches(root, folder);
    if (!objects_.has_tpus() || root.find("configurations") != nullptr) return;
    if (const Node* given = root.find(name_space)) judge_namespace(*given);
    judge_labels(root);
    for (std::string_view key : renaming) {
      const Node* given = root.find(key);
      if (given == nullptr || given->text.empty()) continue;
      return judge_renamed(*given, key);  // the other one does the same
    }
    for (std::string_view key : generators) judge_generated(root, key);
  }

  // Also where the patches alone say that it is about TPUs.
  void judge_patches(const Node& root, const std::string& folder) {
    const auto path_of = [&](std::string_view path) {
      return normal_path(folder + std::string(path));
    };
    for (diag::Diagnostic& finding :
         judge_patched(root, objects_.trees(), catalog_, read_, path_of))
      sink_.add(std::move(finding));
  }

  static View references(std::string_view transformer) {
    return embedded::root_of(embedded::kubernetes, "references.yaml").find(transformer);
  }

  bool has_object(std::string_view kind, std::string_view name) const {
    return any_of(objects_.all(), [&](const KustomizedObject& each) {
      return each.kind == kind && each.name == name;
    });
  }

  // Visits names of objects of `kind` in fields that kustomize does not follow.
  void for_references(std::string_view kind, const auto& act) const {
    for (const View row : references("nameReference")) {
      if (!kind.empty() && row.find("kind").text() != kind) continue;
      for (const View spec : row.find("fieldSpecs")) {
        const std::string_view of = spec.find("kind").text(), path = spec.find("path").text();
        for (const KustomizedObject& object : objects_.all()) {
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
    for (const KustomizedObject& each : objects_.all()) {
      if (object.kind == "ClusterQueue" && each.kind == "LocalQueue" &&
          each.tree.text_at({"spec", "clusterQueue"}) == object.name)
        names.emplace(each.tree.text_at({"metadata", "namespace"}));
    }
    names.erase("");
    return names;
  }

  // kustomize writes the namespace into `metadata`, and nowhere else.
  void judge_namespace(const Node& given) {
    for (const KustomizedObject& object : objects_.all()) {
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

  void judge_labels(const Node& root) {
    const Node* common = root.find(labeling[0]);
    if (common != nullptr && !is_true(root.find("labelWithoutSelector")))
      judge_selectors(*common, labeling[0]);
    const Node* labels = root.find("labels");
    if (labels == nullptr) return;
    for (const Node& each : labels->items) {
      const Node* pairs = each.find("pairs");
      if (pairs != nullptr && each.find("fields") == nullptr && is_true(each.find(labeling[1])))
        judge_selectors(*pairs, "labels");
    }
  }

  // The controller sets labels of its own with the name of the workload.
  static bool is_selected(const Node& selector, const Node* labels, std::string_view workload) {
    return std::ranges::all_of(selector.members, [&](const yaml::Member& each) {
      const Node* label = labels == nullptr ? nullptr : labels->find(each.key.text);
      return (label != nullptr && label->text == each.value.text) ||
             (contains(each.key.text, '/') && each.value.text == workload);
    });
  }

  // The pod templates of the workload are those whose labels kustomize does not know.
  static bool loses_selected_pods(const KustomizedObject& workload, View row, const Node& selector,
                                  const Node& added) {
    constexpr std::string_view labels = "/metadata/labels";
    const std::string_view path = row.find("path").text();
    bool is_lost = false;
    if (workload.kind != row.find("kind").text() || selector.members.empty()) return false;
    visit(workload.tree, path.substr(0, path.size() - labels.size()), [&](const Node& pod) {
      const Node* own = pod.at({"metadata", "labels"});
      is_lost |= is_selected(selector, own, workload.name) && !is_selected(added, own, {});
    });
    return is_lost;
  }

  void judge_selectors(const Node& added, std::string_view transformer) {
    for (const KustomizedObject& service : objects_.all()) {
      const Node* selector = service.tree.at({"spec", "selector"});
      if (service.kind != "Service" || selector == nullptr) continue;
      for (const View row : references(labeling[0])) {
        for (const KustomizedObject& workload : objects_.all()) {
          if (!loses_selected_pods(workload, row, *selector, added)) continue;
          sink_
              .report<diag::Code::LabelOfSelectorAlone>(
                  added.members[0].key.span, transformer,
                  fmt::format("{} `{}`", service.kind, service.name),
                  fmt::format("{} `{}`", workload.kind, workload.name))
              .help(
                  "leave selectors out, or add `configurations: [references.yaml]` with the file "
                  "of "
                  "examples/kustomize");
          return;
        }
      }
    }
  }

  static bool is_kept(const Node& object) {
    return any_of(std::initializer_list<std::string_view>{"labels", "annotations"},
                  [&](std::string_view map) {
                    return object.text_at({"metadata", map, substitution_switch}) == "disabled";
                  });
  }

  void judge_substitution(const Node& given) {
    const Node* substitute = given.find("substitute");
    if (!objects_.has_tpus() || substitute == nullptr || substitute->members.empty()) return;
    std::map<std::string, std::string> values;
    for (const auto& [key, value] : substitute->members) values[key.text] = value.text;
    for (const KustomizedObject& object : objects_.all()) {
      if (object.is_open || is_kept(object.tree)) continue;
      Node tree = object.tree;
      const extract::Substitution done = extract::substitute(tree, values);
      if (done.is_open) continue;
      if (done.lost.empty() && !done.used.empty())
        judge_substituted(object.tree, tree, *substitute);
      if (done.lost.empty() || given.find("substituteFrom") != nullptr) continue;
      const std::string& name = *done.lost.begin();
      sink_
          .report<diag::Code::SubstitutedByNothing>(
              substitute->members[0].key.span, fmt::format("${{{}}}", name),
              fmt::format("{} `{}`", object.kind, object.name))
          .help("write `${}`, or set the annotation `{}: disabled`", name, substitution_switch);
    }
  }

  // The place is that of a value which the finding names.
  void judge_substituted(const Node& before, const Node& after, const Node& substitute) {
    for (diag::Diagnostic& each :
         added_findings(yaml::to_value(before), yaml::to_value(after), {}, catalog_,
                        "the substitutions of this Kustomization")) {
      each.where = substitute.members[0].value.span;
      for (const yaml::Member& member : substitute.members) {
        if (each.message.find(member.value.text) != std::string::npos)
          each.where = member.value.span;
      }
      sink_.add(std::move(each));
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
  KustomizedObjects objects_;
  diag::Sink sink_;
};

// Objects of the file that deploy a folder of the repository.
std::vector<diag::Diagnostic> judge_deployers(Sources& sources, const catalog::Catalog& catalog,
                                              const ReadFile& read, const ListFiles& list) {
  std::vector<diag::Diagnostic> found;
  const std::string text = sources[0].text;
  for (const yaml::Document& document : yaml::split_documents(text)) {
    Sources own;
    diag::Sink ignored;
    const auto tree = yaml::parse(own, own.add({sources[0].name, std::string(document.text), 1}),
                                  ignored, {.merge_keys = true, .last_wins = true});
    if (!tree) continue;
    const std::string_view version = tree->text_at({"apiVersion"});
    for (const View row : deployers()) {
      if (version.substr(0, version.find('/')) != row.find("group").text()) continue;
      for (const View path : row.find("sources")) {
        KustomizationJudge::visit(*tree, path.text(), [&](const Node& source) {
          for (diag::Diagnostic& each :
               KustomizationJudge(own, catalog, read, list).judge_source(source, row)) {
            const auto offset = static_cast<std::uint32_t>(document.text.data() - text.data());
            each.where.begin += offset;
            each.where.end += offset;
            found.push_back(std::move(each));
          }
        });
      }
    }
  }
  return found;
}

bool has_any(std::string_view text, std::span<const std::string_view> words) {
  return any_of(words, [&](std::string_view each) { return text::includes(text, each); });
}

bool names_deployer(std::string_view text) {
  return any_of(deployers(),
                [&](View row) { return text.find(row.find("group").text()) != text.npos; });
}

}  // namespace

bool may_kustomize(std::string_view path, std::string_view text) {
  if (!is_kustomization(path))
    return (text.find("kustomize:") != text.npos || text.find("Kustomization") != text.npos) &&
           names_deployer(text);
  return text::includes(text, "namespace:") || has_any(text, renaming) ||
         has_any(text, generators) || has_any(text, labeling) || has_any(text, patch_keys) ||
         names_deployer(text);
}

namespace {

// Comments of the file allow these findings as they do those of lint, which called them unused.
void allow_by_comments(Sources& sources, std::vector<diag::Diagnostic>& found,
                       std::vector<diag::Diagnostic>& of_lint) {
  const std::string& text = sources[0].text;
  if (found.empty() || !diag::may_suppress(text)) return;
  std::vector<Span> scalars;
  for (const yaml::Document& document : yaml::split_documents(text)) {
    const auto tree = read_quietly(document);
    if (!tree) return;
    const auto begin = static_cast<std::size_t>(document.text.data() - text.data());
    for (const Span& scalar : yaml::scalars_of(*tree, 0))
      scalars.emplace_back(0, begin + scalar.begin, begin + scalar.end);
  }
  diag::AllowedLines comments;
  for (diag::Diagnostic& finding : found) {
    if (finding.level == diag::Level::error) finding.level = diag::Level::soft;
  }
  const auto all = found;
  found = diag::suppress(
      sources, 0, scalars, std::move(found), [](diag::Code) { return true; }, &comments);
  // Lint has said what is wrong with a comment.
  std::erase_if(found, [&](const diag::Diagnostic& finding) {
    return !any_of(all, [&](const diag::Diagnostic& each) {
      return each.code == finding.code && each.where == finding.where;
    });
  });
  std::erase_if(of_lint, [&](const diag::Diagnostic& finding) {
    return finding.code == diag::Code::SuppressionUnused &&
           any_of(comments, [&](const diag::AllowedLine& comment) {
             return comment.token.begin == finding.where.begin &&
                    any_of(all, [&](const diag::Diagnostic& each) {
                      return each.code == comment.code && each.where.source == 0 &&
                             comment.lines.begin <= each.where.begin &&
                             each.where.begin < comment.lines.end;
                    });
           });
  });
}

}  // namespace

void judge_kustomization(Sources& sources, const catalog::Catalog& catalog, const ReadFile& read,
                         const ListFiles& list, std::vector<diag::Diagnostic>& findings) {
  std::vector<diag::Diagnostic> found = judge_deployers(sources, catalog, read, list);
  if (is_kustomization(sources[0].name)) {
    for (diag::Diagnostic& each : KustomizationJudge(sources, catalog, read, list).judge())
      found.push_back(std::move(each));
  }
  allow_by_comments(sources, found, findings);
  std::ranges::move(found, std::back_inserter(findings));
}

namespace {

// An object deploys the folder of the file, with patches of its own.
bool patches_folder_of(const std::string& text, std::string_view file) {
  bool is_found = false;
  const std::string folder = "/" + normal_path(folder_of(file));
  for (const yaml::Document& document : yaml::split_documents(text)) {
    const auto tree = read_quietly(document);
    if (!tree || document.text.find("patches") == std::string_view::npos) continue;
    const std::string_view version = tree->text_at({"apiVersion"});
    for (const View row : deployers()) {
      if (version.substr(0, version.find('/')) != row.find("group").text()) continue;
      for (const View path : row.find("sources")) {
        KustomizationJudge::visit(*tree, path.text(), [&](const Node& source) {
          const Node* deployed = source.find("path");
          is_found |= deployed != nullptr && folder.ends_with("/" + normal_path(deployed->text));
        });
      }
    }
  }
  return is_found;
}

}  // namespace

bool may_deploy(std::string_view path, std::string_view text) {
  return is_manifest(path) && names_deployer(text);
}

void drop_what_overlays_mend(std::string_view file, std::span<const std::string> overlays,
                             const catalog::Catalog& catalog, const ReadFile& read,
                             std::vector<diag::Diagnostic>& findings) {
  std::size_t listing = 0;
  std::set<std::pair<diag::Code, std::string>> left;
  for (const std::string& overlay : overlays) {
    const auto text = read(overlay);
    constexpr std::string_view changing[] = {"patch", "replacements", "components", "transformers"};
    if (!text || !has_any(*text, changing)) continue;
    if (!is_kustomization(overlay)) {
      if (patches_folder_of(*text, file)) findings.clear();
      continue;
    }
    Sources sources;
    sources.add({overlay, *text, 1});
    const ListFiles nothing;
    const auto remaining = KustomizationJudge(sources, catalog, read, nothing).findings_with(file);
    if (!remaining) continue;
    ++listing;
    for (const diag::Diagnostic& each : *remaining) left.emplace(each.code, each.message);
  }
  if (listing == 0) return;
  std::erase_if(findings, [&](const diag::Diagnostic& each) {
    const bool is_of_names = each.code == diag::Code::ReferenceNotRenamed ||
                             each.code == diag::Code::LabelOfSelectorAlone;
    return !is_of_names && !left.contains({each.code, each.message});
  });
}

}  // namespace flexslice::lint
