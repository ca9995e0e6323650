#include "cli/run/module.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "base/lists.hpp"
#include "cli/files/files.hpp"
#include "cli/files/tree.hpp"
#include "driver/lint_file.hpp"

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

lint::Near near_of(const std::string& path, std::span<const diag::Diagnostic> findings) {
  std::error_code error;
  const auto read = [&](const std::string& name) -> std::optional<std::string> {
    if (!std::filesystem::is_regular_file(name, error) ||
        std::filesystem::file_size(name, error) > max_bytes)
      return std::nullopt;
    try {
      return read_file(name);
    } catch (const Failure&) {
      return std::nullopt;
    }
  };
  lint::Near near = lint::near_of(path, read);
  if (!any_of(findings, lint::may_be_answered)) return near;
  const std::string folder(folder_of(path));
  std::filesystem::directory_iterator entries(folder.empty() ? "." : folder, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    const std::string name = folder + entries->path().filename().string();
    const auto text = name == path ? std::nullopt : read(name);
    error.clear();
    if (!text) continue;
    if (lint::substitutes(*text, path))
      near.completeness = std::max(near.completeness, Completeness::expanded);
    if (text->find("ResourceQuota") != text->npos) near.quotas += "\n---\n" + *text;
  }
  return near;
}

std::shared_ptr<const extract::Module> Modules::of(const std::string& folder,
                                                   std::span<const std::string> named, bool whole) {
  constexpr std::size_t most = 64;
  const std::lock_guard lock(mutex_);
  if (known_.size() == most) known_.clear();
  std::shared_ptr<const extract::Module>& module = known_[{folder, whole}];
  if (module == nullptr)
    module = std::make_shared<const extract::Module>(
        lint::read_module(files_of_module(folder, named, whole)));
  return module;
}

Sources read_paths(std::span<const std::string> named) {
  Sources sources;
  std::set<std::string> known(named.begin(), named.end()), folders;
  for (const std::string& path : named) {
    std::error_code ignored;
    if (path == "-" || !std::filesystem::is_directory(path, ignored)) {
      sources.add({path == "-" ? "<stdin>" : path, read_file(path), 1});
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
  }
  return sources;
}

}  // namespace flexslice::cli
