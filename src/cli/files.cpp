#include "cli/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/text.hpp"
#include "cli/io_write.hpp"

namespace flexslice::cli {

namespace {

constexpr std::size_t looked_at = 1u << 20;
constexpr std::size_t block = 65536;

// `apiVersion: flexslice/v1`, in YAML or JSON, also misspelt: a slip must not make a spec pass for
// something else.
bool has_our_line(std::string_view text) {
  constexpr std::string_view key = "apiversion", ours[] = {"flexslice/v1"}, around = "\"': ";
  const std::string lowered = text::lower(text);
  for (std::size_t at = 0; (at = lowered.find(key, at)) != std::string::npos;) {
    at += key.size();
    const std::size_t begin = std::min(lowered.find_first_not_of(around, at), lowered.size());
    const std::size_t end = std::min(lowered.find_first_of("\"', \t\r\n}", begin), lowered.size());
    const std::string_view value = std::string_view(lowered).substr(begin, end - begin);
    if (value.starts_with("flexslice/")) return true;
    if (!value.starts_with("flexslice-") && text::nearest(value, ours))
      return true;  // plans are of ours, but no specs
  }
  return false;
}

bool has_our_suffix(std::string_view name) {
  return name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json");
}

std::string below(const std::string& directory, const std::string& name) {
  return directory.ends_with('/') ? directory + name : directory + "/" + name;
}

bool is_directory(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

class Finder {
 public:
  explicit Finder(std::vector<SpecFile>& found) : found_(found) {}

  // How many specs there are.
  std::size_t directory(const std::string& path) {
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(path, error), end; !error && entry != end;
         entry.increment(error)) {
      std::string name = entry->path().filename().string();
      std::error_code ignored;
      if (name.starts_with('.')) continue;
      // With the `/`, so that the order is that of the whole paths.
      if (entry->is_directory(ignored)) name += entry->is_symlink(ignored) ? "" : "/";
      if (name.ends_with('/') || has_our_suffix(name)) names.push_back(std::move(name));
    }
    if (error) found_.push_back({path, failure_of(path, error.value())});
    std::sort(names.begin(), names.end());
    std::size_t count = 0;
    for (std::string& name : names) count += one(path, name);
    return count;
  }

 private:
  std::size_t one(const std::string& directory_path, std::string& name) {
    const bool inner = name.ends_with('/');
    if (inner) name.pop_back();
    std::string path = below(directory_path, name);
    if (inner) return directory(path);
    if (is_directory(path)) return 0;
    // What cannot be read may be one, and reading it will say why it cannot.
    if (::access(path.c_str(), R_OK) == 0 && !looks_like_spec(path)) return 0;
    found_.push_back({std::move(path), std::nullopt});
    return 1;
  }

  std::vector<SpecFile>& found_;
};

}  // namespace

bool looks_like_spec(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file || ::fstat(*file, &status) != 0 || !S_ISREG(status.st_mode)) return false;
  std::string text;
  while (text.size() < looked_at) {
    const std::size_t size = text.size();
    text.resize(size + block);
    const ssize_t count = ::read(*file, text.data() + size, block);
    text.resize(size + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    // The line that is not whole yet is looked at again with the next piece.
    const std::size_t line = size == 0 ? std::string::npos : text.rfind('\n', size - 1);
    if (has_our_line(std::string_view(text).substr(line == std::string::npos ? 0 : line)))
      return true;
    if (count <= 0) break;
  }
  return false;
}

std::vector<SpecFile> find_specs(std::span<const std::string> words, bool only_specs) {
  std::vector<SpecFile> found;
  for (const std::string& word : words) {
    if (word != "-" && is_directory(word)) {
      const std::size_t before = found.size();
      if (Finder(found).directory(word) == 0 && found.size() == before && !only_specs)
        found.push_back(
            {word,
             Failure{fmt::format(
                 "{}: no file in this directory has a line `apiVersion: flexslice/v1`", word)}});
    } else if (!only_specs || word == "-" || ::access(word.c_str(), R_OK) != 0 ||
               looks_like_spec(word)) {
      found.push_back({word, std::nullopt});
    }
  }
  return found;
}

std::vector<std::string> tree_of(const std::string& directory) {
  std::vector<std::string> paths = {directory};
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator entry(directory, error), end;
       !error && entry != end; entry.increment(error))
    paths.push_back(entry->path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace flexslice::cli
