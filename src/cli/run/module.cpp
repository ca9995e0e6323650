#include "cli/run/module.hpp"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "base/lists.hpp"
#include "cli/files/files.hpp"
#include "cli/files/tree.hpp"
#include "driver/kustomize.hpp"
#include "driver/lint_file.hpp"
#include "extract/hcl.hpp"
#include "yaml/node.hpp"

namespace flexslice::cli {

using extract::ModuleRole;

std::vector<Source> files_of_module(const std::string& folder, std::span<const std::string> named,
                                    bool whole) {
  std::error_code error;
  std::vector<std::string> paths;
  for (const std::string& path : named) {
    if (folder_of(path) == folder && extract::module_role(path) != ModuleRole::none &&
        std::filesystem::is_regular_file(path, error))
      paths.push_back(path);
  }
  std::filesystem::directory_iterator entries;
  if (whole) entries = std::filesystem::directory_iterator(folder.empty() ? "." : folder, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    const std::string path = folder + entries->path().filename().string();
    const ModuleRole role = extract::module_role(path);
    if (role != ModuleRole::none && role != ModuleRole::named_values && !contains(named, path) &&
        std::filesystem::file_size(path, error) <= max_bytes)
      paths.push_back(path);
    error.clear();
  }
  std::vector<Source> files;
  for (const std::string& path : paths) {
    try {
      files.push_back({path, read_file(path), 1});
    } catch (const Failure&) {
      // Its own judgement reports what cannot be read.
    }
  }
  return files;
}

namespace {

std::optional<std::string> read_small(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) ||
      std::filesystem::file_size(path, error) > max_bytes)
    return std::nullopt;
  try {
    return read_file(path);
  } catch (const Failure&) {
    return std::nullopt;
  }
}

void for_small_files(const std::string& folder, const auto& visit) {
  std::error_code error;
  std::filesystem::directory_iterator entries(folder.empty() ? "." : folder, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    const std::string path = folder + entries->path().filename().string();
    if (auto text = read_small(path)) visit(path, *text);
  }
}

std::vector<Source> files_that_answer(const std::string& folder) {
  std::vector<Source> files;
  const auto add = [&](const std::string& path, std::string& text) {
    if (lint::may_answer(text)) files.push_back({path, std::move(text), 1});
  };
  for_small_files(folder, add);
  for_small_files(folder + ".github/workflows/", add);
  return files;
}

}  // namespace

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_callers = 256;  // files that are looked into

// The folders that may call a module: those above it, the ones beside it, and its examples.
std::vector<fs::path> folders_of_callers(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code error;
  const auto add_children = [&](const fs::path& parent) {
    for (fs::directory_iterator each(parent, error), end; !error && each != end;
         each.increment(error)) {
      if (each->is_directory(error) && folders.size() < most_callers)
        folders.push_back(each->path());
    }
    error.clear();
  };
  fs::path above = folder;
  for (int i = 0; i < 3 && above.has_parent_path() && above != above.parent_path(); ++i) {
    above = above.parent_path();
    folders.push_back(above);
    if (i < 2) add_children(above);
    if (fs::exists(above / ".git", error)) break;
  }
  add_children(folder / "examples");
  return folders;
}

// The variables that modules give which call the one of the folder.
std::set<std::string> given_by_callers(const std::string& name) {
  std::set<std::string> given;
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(name.empty() ? "." : name, error);
  if (error) return given;
  std::size_t looked_into = 0;
  for (const fs::path& caller : folders_of_callers(folder)) {
    for (fs::directory_iterator each(caller, error), end; !error && each != end;
         each.increment(error)) {
      if (each->path().extension() != ".tf" || ++looked_into > most_callers) continue;
      const auto text = read_small(each->path().string());
      if (!text || text->find("source") == std::string::npos) continue;
      const auto tree = extract::read_hcl(*text, 0);
      const auto* root = std::get_if<yaml::Node>(&tree);
      const yaml::Node* modules = root == nullptr ? nullptr : root->find("module");
      if (modules == nullptr) continue;
      for (const yaml::Node& block : modules->items) {
        for (const yaml::Member& module : block.members) {
          const yaml::Node* source = module.value.find("source");
          if (source == nullptr || !source->text.starts_with('.') ||
              (caller / source->text).lexically_normal() / "" != folder / "")
            continue;
          for (const yaml::Member& argument : module.value.members) given.insert(argument.key.text);
        }
      }
    }
    error.clear();
  }
  return given;
}

}  // namespace

lint::Near near_of(const std::string& path) { return lint::near_of(path, read_small); }

namespace {

constexpr std::size_t most_folders = 256;
constexpr std::size_t most_entries = 4096;
constexpr std::size_t most_folders_above = 4;

std::optional<std::string> kustomization_in(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const char* name : {"kustomization.yaml", "kustomization.yml", "Kustomization"}) {
    if (std::filesystem::is_regular_file(folder / name, ignored)) return (folder / name).string();
  }
  return std::nullopt;
}

std::vector<std::string> manifests_below(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entries(folder, error);
  std::size_t looked_at = 0;
  for (; !error && entries != std::filesystem::recursive_directory_iterator() &&
         found.size() < most_folders && ++looked_at < most_entries;
       entries.increment(error)) {
    if (entries->is_regular_file(error) && !entries->is_symlink(error) &&
        lint::is_manifest(entries->path().string()))
      found.push_back(entries->path().string());
  }
  std::ranges::sort(found);
  return found;
}

// Overlays are beside the base, or in a folder beside it.
void add_overlays(const std::filesystem::path& folder, int depth, std::size_t& folders,
                  std::vector<std::string>& found) {
  std::error_code error;
  std::filesystem::directory_iterator entries(folder, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    if (!entries->is_directory(error) || entries->is_symlink(error) || ++folders > most_folders)
      continue;
    if (auto path = kustomization_in(entries->path()))
      found.push_back(path->starts_with("./") ? path->substr(2) : *path);
    if (depth > 1) add_overlays(entries->path(), depth - 1, folders, found);
  }
}

}  // namespace

void drop_mended(const std::string& path, const catalog::Catalog& catalog,
                 std::vector<diag::Diagnostic>& findings) {
  const std::filesystem::path base = std::filesystem::path(path).parent_path();
  if (findings.empty() || base.empty() || !kustomization_in(base)) return;
  std::vector<std::string> overlays;
  std::size_t folders = 0;
  add_overlays(base.parent_path().empty() ? "." : base.parent_path(), 2, folders, overlays);
  lint::drop_what_overlays_mend(path, overlays, catalog, read_small, findings);
}

std::vector<diag::Diagnostic> findings_of_kustomization(Sources& sources,
                                                        const catalog::Catalog& catalog) {
  return lint::judge_kustomization(sources, catalog, read_small, manifests_below);
}

namespace {

// The folder of a file, and those above it: to the folder that the run is in, or, of an absolute
// path, to the one with `.git`.
std::vector<std::string> folders_up(const std::string& path) {
  std::vector<std::string> folders{std::string(folder_of(path))};
  std::error_code error;
  while (folders.back().size() > 1 && folders.size() < most_folders_above) {
    const std::string& last = folders.back();
    if (fs::exists(last + ".git", error)) return folders;
    folders.emplace_back(folder_of(last.substr(0, last.size() - 1)));
  }
  const bool is_whole = folders.back().empty() || fs::exists(folders.back() + ".git", error);
  if (path.starts_with('/') && !is_whole) folders.resize(1);
  return folders;
}

}  // namespace

void Neighbours::add_to(lint::Near& near, const std::string& path) {
  const std::lock_guard lock(mutex_);
  for (const std::string& folder : folders_up(path)) {
    const auto [known, is_new] = known_.try_emplace(folder);
    if (is_new) known->second = files_that_answer(folder);
    for (const Source& each : known->second) {
      if (each.name != path) lint::add_neighbour(near, each, path, read_small);
    }
  }
}

void Neighbours::add_given(lint::Near& near, const std::string& path) {
  const std::lock_guard lock(mutex_);
  for (const std::string& folder : folders_up(path)) {
    const auto [known, is_new] = given_.try_emplace(folder);
    const auto add = [&, &given = known->second](const std::string&, const std::string& text) {
      given.add(text);
    };
    if (is_new) {
      for_small_files(folder, add);
      for_small_files(folder + ".github/workflows/", add);
    }
    near.given.add(known->second);
  }
}

std::shared_ptr<const extract::Module> Modules::of(const std::string& folder,
                                                   std::span<const std::string> named, bool whole) {
  constexpr std::size_t most = 64;
  const std::lock_guard lock(mutex_);
  if (known_.size() == most) known_.clear();
  std::shared_ptr<const extract::Module>& module = known_[{folder, whole}];
  if (module == nullptr)
    module = std::make_shared<const extract::Module>(
        lint::read_module(files_of_module(folder, named, whole), given_by_callers(folder)));
  return module;
}

namespace {

// Adds the files of a module that set variables and create nothing, which Terraform reads too.
void add_values_of_module(const std::string& folder, std::set<std::string>& known,
                          Sources& sources) {
  for (Source& other : files_of_module(folder, {}, true)) {
    const bool creates =
        extract::module_role(other.name) == ModuleRole::code &&
        (other.text.find("resource") != std::string::npos || extract::may_create_nodes(other.text));
    if (!creates && known.insert(other.name).second) sources.add(std::move(other));
  }
}

}  // namespace

Sources read_paths(std::span<const std::string> named) {
  Sources sources;
  std::set<std::string> known(named.begin(), named.end()), folders;
  for (const std::string& path : named) {
    std::error_code ignored;
    if (path == "-" || !std::filesystem::is_directory(path, ignored)) {
      sources.add({path == "-" ? "<stdin>" : path, read_file(path), 1});
      if (path != "-" && extract::module_role(path) == ModuleRole::code)
        add_values_of_module(std::string(folder_of(path)), known, sources);
      continue;
    }
    LeftOut left_out;
    Tree tree(path, {}, left_out);
    while (const auto file = tree.next()) {
      if (file->failure) throw Failure(*file->failure);
      const ModuleRole role = extract::module_role(file->path);
      if (role == ModuleRole::named_values || !known.insert(file->path).second) continue;
      sources.add({file->path, read_file(file->path), 1});
      const std::string folder(folder_of(file->path));
      if (role != ModuleRole::code || !folders.insert(folder).second) continue;
      for (Source& other : files_of_module(folder, {}, true)) {
        if (known.insert(other.name).second) sources.add(std::move(other));
      }
    }
    print_refusal(left_out);
  }
  return sources;
}

}  // namespace flexslice::cli
