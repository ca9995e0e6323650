#include "cli/run/module.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/lists.hpp"
#include "cli/files/files.hpp"
#include "cli/files/tree.hpp"
#include "driver/kustomize.hpp"
#include "driver/lint_file.hpp"
#include "driver/module_calls.hpp"
#include "extract/given_names.hpp"

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

constexpr std::size_t most_walked = 1u << 15;
constexpr int most_levels_above = 3;
constexpr std::size_t most_folders_above = 4;
constexpr std::string_view folders_of_scripts[] = {"", ".github/workflows/", "scripts/", "ci/"};

// The folder whose files may call modules of another one: that of the repository, or else those
// above it that the run is in or that are near.
fs::path root_of_callers(const fs::path& folder) {
  std::error_code error;
  for (fs::path above = folder;; above = above.parent_path()) {
    if (fs::exists(above / ".git", error)) return above;
    if (above == above.parent_path()) break;
  }
  const fs::path run = fs::current_path(error);
  if (run.has_relative_path() && folder != run && folder.native().starts_with((run / "").native()))
    return run;
  // Folders such as /tmp have what others put there.
  fs::path root = folder;
  for (int i = 0; i < most_levels_above; ++i) {
    if (!root.parent_path().parent_path().has_relative_path()) break;
    root = root.parent_path();
  }
  return root;
}

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

// Visits the files below a folder, level by level. Returns false where there are too many.
bool walk_near(const fs::path& root, const auto& visit) {
  std::vector<fs::path> level{root};
  std::size_t walked = 0;
  for (std::error_code error; !level.empty();) {
    std::vector<fs::path> next;
    for (const fs::path& folder : level) {
      for (fs::directory_iterator each(folder, error), end; !error && each != end;
           each.increment(error)) {
        const std::string name = each->path().filename().string();
        if (++walked > most_walked) return false;
        if (each->is_symlink(error) || name.starts_with('.') || name == "node_modules") continue;
        if (each->is_directory(error))
          next.push_back(each->path());
        else
          visit(each->path().string());
      }
      error.clear();
    }
    level = std::move(next);
  }
  return true;
}

}  // namespace

const Modules::Callers& Modules::callers_below(const std::string& root) {
  const auto [known, is_new] = callers_.try_emplace(root);
  Callers& callers = known->second;
  if (!is_new) return callers;
  callers.is_whole = walk_near(root, [&](const std::string& path) {
    const bool is_named = extract::module_role(path) == ModuleRole::named_values;
    if (!is_named && !lint::may_call_modules(path)) return;
    auto text = read_small(path);
    if (text && is_named)
      callers.values.push_back({path, std::move(*text), 1});
    else if (text)
      callers.calls.add({path, std::move(*text), 1});
  });
  return callers;
}

// Modules that call the one of the folder, and command lines near it.
extract::GivenVariables Modules::given(const std::string& name) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(name.empty() ? "." : name, error);
  if (error) return {};
  const fs::path root = root_of_callers(folder);
  const Callers& callers = callers_below(root.string());
  extract::GivenVariables given = callers.calls.given((folder / "").string());
  if (!callers.is_whole) {
    // There may be other values.
    given.caller.reset();
    fs::path near = folder;
    for (int i = 0; i < most_levels_above && near != root; ++i) near = near.parent_path();
    const auto others = callers_below(near.string()).calls.given((folder / "").string());
    given.names.insert(others.names.begin(), others.names.end());
  }
  if (given.caller)
    given.caller->name =
        fs::path(given.caller->name).lexically_proximate(fs::current_path(error)).string();
  extract::GivenNames commands;
  for (const std::string& above : folders_up(name)) {
    for (std::string_view scripts : folders_of_scripts) {
      for_small_files(above + std::string(scripts),
                      [&](const std::string&, const std::string& text) {
                        commands.add_variables_of_terraform(text);
                      });
    }
  }
  lint::add_given_by_commands(commands, callers.values, given);
  return given;
}

lint::Near near_of(const std::string& path) { return lint::near_of(path, read_small); }

namespace {

constexpr std::size_t most_folders = 256;
constexpr std::size_t most_entries = 4096;

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

const std::vector<std::string>& Neighbours::files_that(const std::string& what,
                                                       const std::string& folder,
                                                       const auto& is_it) {
  const auto [known, is_new] = files_.try_emplace({what, folder});
  std::vector<std::string>& files = known->second;
  const auto add = [&](const std::string& file, const std::string& text) {
    if (is_it(file, text)) files.push_back(file);
  };
  if (is_new) for_small_files(folder, add);
  return files;
}

void Neighbours::drop_mended(const std::string& path, const catalog::Catalog& catalog,
                             std::vector<diag::Diagnostic>& findings) {
  const std::filesystem::path base = std::filesystem::path(path).parent_path();
  if (findings.empty() || !lint::is_manifest(path)) return;
  std::vector<std::string> overlays;
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& folder : folders_up(path)) {
      const auto& deployers = files_that("deploy", folder, lint::may_deploy);
      overlays.insert(overlays.end(), deployers.begin(), deployers.end());
    }
  }
  if (base.empty() || !kustomization_in(base))
    return lint::drop_what_overlays_mend(path, overlays, catalog, read_small, findings);
  std::size_t folders = 0;
  add_overlays(base.parent_path().empty() ? "." : base.parent_path(), 2, folders, overlays);
  lint::drop_what_overlays_mend(path, overlays, catalog, read_small, findings);
}

void add_findings_of_kustomization(Sources& sources, const catalog::Catalog& catalog,
                                   std::vector<diag::Diagnostic>& findings) {
  lint::judge_kustomization(sources, catalog, read_small, manifests_below, findings);
}

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
    GivenBy& given = known->second;
    const auto add = [&](const std::string& file, const std::string& text) {
      given.by_commands.add(text);
      given.by_commands.add_writer(file, text);
      extract::GivenNames exported;
      exported.add_exported(file, text);
      if (!exported.empty()) given.exported.emplace(file, std::move(exported));
    };
    for (std::string_view scripts : folders_of_scripts) {
      if (is_new) for_small_files(folder + std::string(scripts), add);
    }
    near.given.add(given.by_commands);
    for (const auto& [file, exported] : given.exported) {
      if (file != path) near.given.add(exported);
    }
  }
}

void Neighbours::add_calls(lint::Near& near, const std::string& path) {
  const std::string_view name = std::string_view(path).substr(folder_of(path).size());
  // Without one, any file may name the script.
  const std::string ending(name.substr(std::min(name.rfind('.'), name.size())));
  const std::lock_guard lock(mutex_);
  for (const std::string& above : folders_up(path)) {
    for (std::string_view scripts : folders_of_scripts) {
      const auto names_one = [&](std::string_view file, std::string_view text) {
        return !file.ends_with(".md") && text.find(ending) != std::string_view::npos;
      };
      for (const std::string& file :
           files_that("name " + ending, above + std::string(scripts), names_one)) {
        if (file == path) continue;
        if (const auto text = read_small(file)) near.given.add_call_of(name, file, *text);
      }
    }
  }
}

extract::Module Modules::read_with_callers(std::vector<Source> files, const std::string& folder) {
  const bool has_variables = any_of(
      files, [](const Source& file) { return file.text.find("variable") != std::string::npos; });
  return lint::read_module(std::move(files),
                           has_variables ? given(folder) : extract::GivenVariables());
}

std::shared_ptr<const extract::Module> Modules::of(const std::string& folder,
                                                   std::span<const std::string> named, bool whole) {
  constexpr std::size_t most = 64;
  const std::lock_guard lock(mutex_);
  if (known_.size() == most) known_.clear();
  std::shared_ptr<const extract::Module>& module = known_[{folder, whole}];
  if (module == nullptr)
    module = std::make_shared<const extract::Module>(
        read_with_callers(files_of_module(folder, named, whole), folder));
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
