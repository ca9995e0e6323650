#include "driver/near.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "yaml/parse.hpp"

namespace flexslice::lint {

using yaml::Node;

namespace {

// Folders above that of a patch in which its kustomization is looked for.
constexpr int most_folders = 3;

constexpr std::string_view substituting_program = "envsubst", quota_kind = "ResourceQuota";
constexpr std::string_view workflows = ".github/workflows/";

std::string_view without_dot(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  return path;
}

// `NAME=VALUE`, of a list of literals or of the lines of a file.
void add_value(std::string_view line, rules::ConfigMap& config) {
  const std::size_t equals = line.find('=');
  if (equals == line.npos || line.starts_with('#')) return;
  config.values[std::string(line.substr(0, equals))] = {std::string(line.substr(equals + 1)), {}};
}

// ConfigMaps that the kustomization of the folder generates.
void read_generators(const Node& tree, std::string_view folder, const ReadFile& read, Near& near) {
  const Node* lists = tree.find("configMapGenerator");
  if (lists == nullptr) return;
  for (const Node& generator : lists->items) {
    rules::ConfigMap config{std::string(generator.text_at({"name"})), {}};
    for (std::string_view list : {"literals", "envs"}) {
      const Node* values = generator.find(list);
      if (values == nullptr) continue;
      for (const Node& value : values->items) {
        if (list == "literals") {
          add_value(value.text, config);
        } else if (const auto file = read(fmt::format("{}{}", folder, value.text))) {
          for (std::string_view line : text::split(*file, '\n')) add_value(line, config);
        }
      }
    }
    near.configs.push_back(std::move(config));
  }
}

// `path`: of the file, from the folder of the kustomization.
void read_kustomization(const std::string& text, std::string_view folder, std::string_view path,
                        const ReadFile& read, Near& near) {
  Sources sources;
  diag::Sink ignored;
  const auto tree = yaml::parse(sources, sources.add({"kustomization.yaml", text, 1}), ignored,
                                {.merge_keys = true, .last_wins = true});
  if (!tree) return;
  near.is_kustomized = true;
  // Names in the file may end in a hyphen, which the suffix goes on from.
  if (tree->find("nameSuffix") != nullptr)
    near.completeness = std::max(near.completeness, Completeness::expanded);
  read_generators(*tree, folder, read, near);
  for (std::string_view list : {"patches", "patchesStrategicMerge", "patchesJson6902"}) {
    const Node* patches = tree->find(list);
    if (patches == nullptr) continue;
    for (const Node& patch : patches->items) {
      const Node *named = patch.find("path"), *target = patch.find("target");
      const std::string_view text_of_path = named == nullptr ? patch.text : named->text;
      if (without_dot(text_of_path) != path) continue;
      near.completeness = Completeness::patch;
      near.has_target |= target != nullptr && target->kind == yaml::Kind::mapping;
    }
  }
}

// A page or script runs envsubst on the file.
bool substitutes(std::string_view text, std::string_view path) {
  const std::string_view name = path.substr(folder_of(path).size());
  for (std::size_t at = 0; (at = text.find(substituting_program, at)) != text.npos;
       at += substituting_program.size()) {
    const std::size_t begin = text.rfind('\n', at) + 1;
    const std::string_view line = text.substr(begin, text.find('\n', at) - begin);
    // A loop, or a variable, names all of the folder.
    const auto has = [&](std::string_view part) { return line.find(part) != line.npos; };
    if (has(name) || has("*") || has("$")) return true;
  }
  return false;
}

// Reads the values of the chart whose templates the file is among.
std::string values_of_chart(std::string_view path, const ReadFile& read) {
  constexpr std::string_view templates = "templates/";
  const std::size_t at = path.rfind(templates);
  if (at == path.npos || (at > 0 && path[at - 1] != '/')) return {};
  const std::string chart(path.substr(0, at));
  if (!read(chart + "Chart.yaml")) return {};
  return read(chart + "values.yaml").value_or("");
}

}  // namespace

Near near_of(std::string_view path, const ReadFile& read) {
  Near near;
  near.beside = [folder = std::string(folder_of(path)),
                 read](const std::string& name) -> std::optional<std::string> {
    const std::string_view relative = without_dot(name);
    if (relative.empty() || relative.starts_with('/') || relative.starts_with('~') ||
        relative.find("..") != relative.npos)
      return std::nullopt;
    return read(folder + std::string(relative));
  };
  if (!is_manifest(path)) return near;
  near.values = values_of_chart(path, read);
  std::string_view folder = folder_of(path);
  for (int i = 0; i < most_folders; ++i) {
    for (std::string_view name : kustomization_names) {
      if (const auto text = read(std::string(folder) + std::string(name)))
        read_kustomization(*text, folder, path.substr(folder.size()), read, near);
    }
    if (!stands_alone(near.completeness) || folder.size() < 2) break;
    folder = folder_of(folder.substr(0, folder.size() - 1));
  }
  return near;
}

bool may_answer(std::string_view text) {
  return text.find(substituting_program) != text.npos || text.find(quota_kind) != text.npos ||
         extract::may_call_blueprints(text);
}

void add_neighbour(Near& near, const Source& other, std::string_view path, const ReadFile& read) {
  const std::string& text = other.text;
  // The call may be for another folder to stand in.
  const auto read_deployment = [&](const std::string& name) {
    const std::string_view file = std::string_view(name).substr(folder_of(name).size());
    std::string_view folder = folder_of(other.name);
    // Steps of a workflow run at the root of the repository.
    if (folder.ends_with(workflows)) folder.remove_suffix(workflows.size());
    auto found = read(fmt::format("{}{}", folder, without_dot(name)));
    return found ? found : read(fmt::format("{}{}", folder_of(path), file));
  };
  const bool is_beside = folder_of(other.name) == folder_of(path);
  std::ranges::move(extract::calls_of_blueprint(text, path, read_deployment, is_beside),
                    std::back_inserter(near.calls));
  if (!is_beside) return;
  if (substitutes(text, path))
    near.completeness = std::max(near.completeness, Completeness::expanded);
  if (text.find(quota_kind) != text.npos) near.quotas += fmt::format("\n---\n{}", text);
}

bool allows_class(std::string_view text, std::string_view priority_class) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("\n---", at), text.size());
    const std::string_view document = text.substr(at, end - at);
    if (document.find(quota_kind) != document.npos &&
        document.find(priority_class) != document.npos)
      return true;
    at = end + 1;
  }
  return false;
}

bool may_be_answered(const diag::Diagnostic& finding) {
  using diag::Code;
  return finding.code == Code::CommandNeedsShell || finding.code == Code::VariableNeedsShell ||
         finding.code == Code::CriticalPriority;
}

bool is_kustomization(std::string_view path) {
  return contains(kustomization_names, path.substr(folder_of(path).size()));
}

bool is_manifest(std::string_view path) {
  return path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json");
}

bool is_values(std::string_view path) {
  const std::string name = text::lower(path.substr(folder_of(path).size()));
  std::string_view stem = name;
  if (!stem.ends_with(".yaml") && !stem.ends_with(".yml")) return false;
  stem.remove_suffix(stem.ends_with(".yaml") ? 5 : 4);
  return stem.starts_with("values") || stem.ends_with("values");
}

}  // namespace flexslice::lint
