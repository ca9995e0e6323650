#include "driver/overlay.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "driver/lint_file.hpp"
#include "schema/kubernetes_types.hpp"
#include "schema/merge.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"
#include "yaml/value.hpp"

namespace flexslice::lint {

std::optional<yaml::Node> read_quietly(const yaml::Document& document) {
  Sources own;
  diag::Sink ignored;
  return yaml::parse(own, own.add({"", std::string(document.text), 1}), ignored,
                     {.merge_keys = true, .last_wins = true});
}

using yaml::Node;
using yaml::Value;

namespace {

// kustomize merges lists by their keys where it knows the type; those of others are replaced.
constexpr std::string_view merged_groups[] = {"v1", "apps/v1", "batch/v1"};

struct KustomizePatch {
  Value body;
  std::string kind, name;  // of the target; empty: any
  Span where;              // in the kustomization
  bool is_open = false;    // it is not known which objects it changes
};

std::vector<Value> documents_of(const std::string& text) {
  std::vector<Value> found;
  for (const yaml::Document& document : yaml::split_documents(text)) {
    const auto tree = read_quietly(document);
    if (tree) found.push_back(yaml::to_value(*tree));
  }
  return found;
}

bool is_patched_by(const Value& object, const KustomizePatch& patch) {
  const std::string_view kind = object.text_at({"kind"});
  return (patch.kind.empty() || contains(text::split(patch.kind, '|'), kind)) &&
         (patch.name.empty() || object.text_at({"metadata", "name"}) == patch.name);
}

// A step of a path of RFC 6902.
Value* next_value(Value& at, const std::string& key, bool may_add) {
  if (at.is_sequence()) {
    const auto index = text::whole_number(key);
    if (index && *index >= 0 && static_cast<std::size_t>(*index) < at.items.size())
      return &at.items[static_cast<std::size_t>(*index)];
    return nullptr;
  }
  if (!at.is_mapping()) return nullptr;
  Value* found = at.find(key);
  return found == nullptr && may_add ? &at[key] : found;
}

std::vector<std::string> steps_of(std::string_view path) {
  std::vector<std::string> steps;
  for (std::string_view token :
       text::split(path.substr(std::min<std::size_t>(1, path.size())), '/')) {
    std::string key;
    for (std::size_t i = 0; i < token.size(); ++i) {
      const bool is_escape = token[i] == '~' && i + 1 < token.size();
      key += is_escape && token[i + 1] == '1' ? '/' : token[i];
      i += is_escape ? 1 : 0;
    }
    steps.push_back(std::move(key));
  }
  return steps;
}

// False: kustomize would refuse it, or it is not known here.
bool apply_operation(const Value& operation, Value& object) {
  const std::string_view op = operation.text_at({"op"});
  const std::vector<std::string> steps = steps_of(operation.text_at({"path"}));
  const Value* value = operation.find("value");
  Value* at = &object;
  for (std::size_t i = 0; i + 1 < steps.size() && at != nullptr; ++i)
    at = next_value(*at, steps[i], false);
  if (at == nullptr || steps.empty()) return false;
  const std::string& last = steps.back();
  if (op == "test") return true;
  if (op == "remove") {
    if (at->is_mapping()) at->erase(last);
    return at->is_mapping();
  }
  if ((op != "add" && op != "replace") || value == nullptr) return false;
  if (at->is_sequence() && op == "add") {
    if (last != "-") return false;
    at->push(*value);
    return true;
  }
  Value* changed = next_value(*at, last, op == "add");
  if (changed == nullptr) return false;
  *changed = *value;
  return true;
}

std::optional<Value> patched(Value object, const KustomizePatch& patch) {
  if (patch.is_open) return std::nullopt;
  if (patch.body.is_sequence()) {
    for (const Value& operation : patch.body.items) {
      if (!apply_operation(operation, object)) return std::nullopt;
    }
    return object;
  }
  if (patch.body.find("$patch") != nullptr) return std::nullopt;
  const bool merges = contains(merged_groups, object.text_at({"apiVersion"}));
  const schema::Table* table =
      schema::kubernetes::find(object.text_at({"kind"}), object.text_at({"apiVersion"}));
  if (merges && table == nullptr) return std::nullopt;
  const schema::Type type{.category = schema::Category::record, .table = table};
  return schema::merge(std::move(object), patch.body,
                       merges ? schema::MergeRule{&type} : schema::MergeRule{});
}

std::vector<diag::Diagnostic> findings_of(const Value& object, const catalog::Catalog& catalog) {
  Sources sources;
  sources.add({"object.yaml", yaml::emit(object, {.comments = false}), 1});
  return lint(sources, catalog, {}).diagnostics;
}

// Fields by which it changes objects, other than patches: those of components too, or of files that
// cannot be read.
bool may_change_others(const Node& kustomization, const ReadFile& read,
                       const std::function<std::string(std::string_view)>& path_of) {
  for (std::string_view list : {"replacements", "transformers", "vars"}) {
    if (kustomization.find(list) != nullptr) return true;
  }
  const Node* components = kustomization.find("components");
  return components != nullptr && any_of(components->items, [&](const Node& each) {
           for (std::string_view name : kustomization_names) {
             const auto text = read(path_of(each.text + "/" + std::string(name)));
             if (text)
               return text->find("patch") != std::string::npos ||
                      text->find("replacements") != std::string::npos;
           }
           return true;
         });
}

std::vector<KustomizePatch> patches_of(
    const Node& kustomization, const ReadFile& read,
    const std::function<std::string(std::string_view)>& path_of) {
  std::vector<KustomizePatch> found;
  for (std::string_view list : {"patches", "patchesStrategicMerge", "patchesJson6902"}) {
    const Node* patches = kustomization.find(list);
    if (patches == nullptr) continue;
    for (const Node& each : patches->items) {
      const Node *inner = each.find("patch"), *path = each.find("path");
      const bool is_file = path != nullptr || (inner == nullptr && !contains(each.text, '\n'));
      const std::string named = path != nullptr ? path->text : each.text;
      const std::string text = is_file            ? read(path_of(named)).value_or("")
                               : inner != nullptr ? inner->text
                                                  : each.text;
      for (Value& body : documents_of(text)) {
        std::string kind(each.text_at({"target", "kind"})), name(each.text_at({"target", "name"}));
        if (body.is_mapping() && each.find("target") == nullptr) {
          kind = body.text_at({"kind"});
          name = body.text_at({"metadata", "name"});
        }
        // Both are regular expressions, and labels select too.
        if (name == ".*") name.clear();
        if (kind == ".*") kind.clear();
        const auto is_expression = [](const std::string& pattern, std::string_view marks) {
          return pattern.find_first_of(marks) != std::string::npos;
        };
        const bool is_open = is_expression(name, "^$\\.*+?[(|") ||
                             is_expression(kind, "^$\\.*+?[(") ||
                             each.at({"target", "labelSelector"}) != nullptr ||
                             each.at({"target", "annotationSelector"}) != nullptr;
        if (is_open) name.clear();
        if (is_expression(kind, "^$\\.*+?[(")) kind.clear();
        const Node& place = path != nullptr ? *path : inner != nullptr ? *inner : each;
        found.push_back({std::move(body), std::move(kind), std::move(name), place.span, is_open});
      }
    }
  }
  if (may_change_others(kustomization, read, path_of)) found.push_back({{}, {}, {}, {}, true});
  return found;
}

}  // namespace

std::vector<diag::Diagnostic> added_findings(const Value& before, const Value& after,
                                             std::span<const Value> known,
                                             const catalog::Catalog& catalog, std::string_view by) {
  std::set<std::pair<diag::Code, std::string>> old;
  const auto add_old = [&](const Value& value) {
    for (const diag::Diagnostic& each : findings_of(value, catalog))
      old.emplace(each.code, each.message);
  };
  add_old(before);
  for (const Value& each : known) add_old(each);
  std::vector<diag::Diagnostic> found;
  for (diag::Diagnostic& each : findings_of(after, catalog)) {
    if (each.level == diag::Level::note || old.contains({each.code, each.message})) continue;
    each.fixes.clear();
    each.choices.clear();
    each.related.clear();
    each.note(fmt::format("{} `{}` is so after {}", before.text_at({"kind"}),
                          before.text_at({"metadata", "name"}), by));
    found.push_back(std::move(each));
  }
  return found;
}

std::vector<diag::Diagnostic> judge_patched(
    const Node& kustomization, std::span<const Node* const> objects,
    const catalog::Catalog& catalog, const ReadFile& read,
    const std::function<std::string(std::string_view)>& path_of) {
  std::vector<diag::Diagnostic> found;
  const std::vector<KustomizePatch> patches = patches_of(kustomization, read, path_of);
  for (const Node* object : objects) {
    const Value before = yaml::to_value(*object);
    std::optional<Value> after;
    Span where;
    std::vector<Value> bodies;  // findings that a patch alone shows are reported there
    for (const KustomizePatch& patch : patches) {
      if (!is_patched_by(before, patch)) continue;
      after = patched(after ? std::move(*after) : before, patch);
      where = patch.where;
      bodies.push_back(patch.body);
      if (!after) break;
    }
    if (!after) continue;
    for (diag::Diagnostic& each :
         added_findings(before, *after, bodies, catalog, "the patches of this kustomization")) {
      each.where = where;
      found.push_back(std::move(each));
    }
  }
  return found;
}

std::vector<std::optional<Value>> patched_objects(
    const Node& kustomization, std::span<const Node* const> objects, const ReadFile& read,
    const std::function<std::string(std::string_view)>& path_of) {
  std::vector<std::optional<Value>> found;
  const std::vector<KustomizePatch> patches = patches_of(kustomization, read, path_of);
  for (const Node* object : objects) {
    const Value before = yaml::to_value(*object);
    std::optional<Value> after = before;
    for (const KustomizePatch& patch : patches) {
      if (after && is_patched_by(before, patch)) after = patched(std::move(*after), patch);
    }
    found.push_back(std::move(after));
  }
  return found;
}

std::vector<diag::Diagnostic> findings_after_patches(
    const Node& kustomization, std::span<const Node* const> objects,
    const catalog::Catalog& catalog, const ReadFile& read,
    const std::function<std::string(std::string_view)>& path_of) {
  std::vector<diag::Diagnostic> found;
  for (const std::optional<Value>& object :
       patched_objects(kustomization, objects, read, path_of)) {
    if (!object) continue;
    for (diag::Diagnostic& each : findings_of(*object, catalog)) found.push_back(std::move(each));
  }
  return found;
}

}  // namespace flexslice::lint
