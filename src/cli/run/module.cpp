#include "cli/run/module.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "base/lists.hpp"
#include "cli/files/files.hpp"
#include "cli/files/tree.hpp"
#include "extract/terraform.hpp"

namespace flexslice::cli {

using extract::ModuleRole;

namespace {

// Each file of a folder reads the others, so a large folder would take its square.
constexpr std::size_t most_module_files = 256;
constexpr std::size_t most_module_bytes = 1u << 20;

}  // namespace

std::vector<Source> module_of(const std::string& path, std::span<const std::string> named,
                              bool whole) {
  std::error_code error;
  const std::string folder(folder_of(path));
  std::vector<std::string> paths;
  const auto add = [&](const std::string& other) {
    if (other != path && !contains(paths, other) && std::filesystem::is_regular_file(other, error))
      paths.push_back(other);
  };
  for (const std::string& other : named) {
    if (extract::share_module(path, other)) add(other);
  }
  std::filesystem::directory_iterator entries;
  if (whole) entries = std::filesystem::directory_iterator(folder.empty() ? "." : folder, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    std::string name = entries->path().filename().string();
    const ModuleRole role = extract::module_role(name);
    if (role != ModuleRole::none && role != ModuleRole::named_values) add(folder + name);
    if (paths.size() > most_module_files) return {};
  }
  std::vector<Source> files;
  std::size_t size = 0;
  for (const std::string& other : paths) {
    size += std::filesystem::file_size(other, error);
    if (error || size > most_module_bytes) return {};
    try {
      files.push_back({other, read_file(other), 1});
    } catch (const Failure&) {
      // Its own judgement reports what cannot be read.
    }
  }
  return files;
}

Sources read_paths(std::span<const std::string> named) {
  Sources sources;
  std::set<std::string> known(named.begin(), named.end());
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
      if (role != ModuleRole::code) continue;
      for (Source& other : module_of(file->path, {}, true)) {
        if (known.insert(other.name).second) sources.add(std::move(other));
      }
    }
  }
  return sources;
}

}  // namespace flexslice::cli
