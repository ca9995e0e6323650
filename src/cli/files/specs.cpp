#include "cli/files/specs.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "cli/files/files.hpp"
#include "spec/document.hpp"

namespace flexslice::cli {

namespace {

constexpr std::size_t looked_at = 1u << 20;

bool has_our_suffix(std::string_view name) {
  return name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json");
}

bool is_directory(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

class Finder {
 public:
  explicit Finder(std::span<const std::string> layers) {
    for (const std::string& layer : layers) {
      if (const auto id = file_id(layer)) layers_.push_back(*id);
    }
  }

  SpecFiles found;

  // A file by its name, unless it is no spec.
  void add(const std::string& path) {
    if (is_layer(path)) return;
    // One that cannot be read may be a spec, and reading it explains why it cannot be read.
    if (::access(path.c_str(), R_OK) != 0 || looks_like_spec(path))
      found.specs.push_back({path, std::nullopt});
    else
      ++found.skipped;
  }

  void add_below(const std::string& directory) {
    std::vector<std::string> paths;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (name.starts_with('.')) continue;
      std::error_code ignored;
      const bool inner = entry->is_directory(ignored);
      // With the `/`, so that the order is that of the whole paths.
      if (inner && !entry->is_symlink(ignored)) paths.push_back(entry->path().string() + "/");
      if (!inner && has_our_suffix(name)) paths.push_back(entry->path().string());
    }
    if (error) found.specs.push_back({directory, file_error(directory, error.value())});
    std::sort(paths.begin(), paths.end());
    for (std::string& path : paths) {
      if (!path.ends_with('/')) {
        add(path);
        continue;
      }
      path.pop_back();
      add_below(path);
    }
  }

 private:
  bool is_layer(const std::string& path) const {
    const auto id = layers_.empty() ? std::nullopt : file_id(path);
    return id && std::find(layers_.begin(), layers_.end(), *id) != layers_.end();
  }

  std::vector<FileId> layers_;
};

}  // namespace

bool looks_like_spec(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file || ::fstat(*file, &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const std::size_t step = step_of(file);
  std::string text;
  while (text.size() < looked_at && read_some(file, text, step, path)) {
    if (spec::has_spec_line(text)) return true;
  }
  return false;
}

SpecFiles find_specs(std::span<const std::string> words, bool only_specs,
                     std::span<const std::string> layers) {
  Finder finder(layers);
  std::vector<SpecFile>& specs = finder.found.specs;
  for (const std::string& word : words) {
    if (word != "-" && is_directory(word)) {
      const std::size_t before = specs.size();
      finder.add_below(word);
      if (specs.size() == before && !only_specs)
        specs.push_back(
            {word,
             file_error(fmt::format(
                 "{}: no file in this directory has a line `apiVersion: flexslice/v1`", word))});
    } else if (only_specs && word != "-") {
      finder.add(word);
    } else {
      specs.push_back({word, std::nullopt});
    }
  }
  return std::move(finder.found);
}

std::vector<std::string> tree_of(const std::string& directory) {
  std::vector<std::string> paths = {directory};
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator entry(directory, error), end;
       !error && entry != end; entry.increment(error))
    paths.push_back(entry->path().string());
  if (error) throw file_error(directory, error.value());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace flexslice::cli
