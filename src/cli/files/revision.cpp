#include "cli/files/revision.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "cli/files/git.hpp"
#include "cli/files/streams.hpp"
#include "spec/document.hpp"

namespace flexslice::cli {

namespace {

std::string git_output(const std::vector<std::string>& words) { return ask_git(".", words); }

struct Blob {
  std::string path, id;
};

// The regular files at or below the path.
std::vector<Blob> blobs_at(const RevisionPath& place) {
  const auto& [revision, path] = place;
  const std::string word = fmt::format("{}:{}", revision, path);
  if (git_output({"rev-parse", "--git-dir"}).empty()) {
    throw file_error(fmt::format(
        "{}: {}", word, why_refused(".").value_or("not in a git repository, or git is missing")));
  }
  std::string tree =
      git_output({"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{tree}"});
  if (tree.empty()) throw file_error(fmt::format("{}: no revision `{}`", word, revision));
  tree.pop_back();
  const bool is_relative = path == "." || path.starts_with("./") || path.starts_with("../");
  std::vector<std::string> words = {
      "ls-tree", "-r", "-z", is_relative ? "--full-name" : "--full-tree", tree, "--"};
  if (!path.empty() && path != ".") words.push_back(path);
  std::vector<Blob> blobs;
  const std::string listed = git_output(words);
  for (std::string_view entry : text::split(listed, '\0')) {
    const std::size_t tab = entry.find('\t');
    if (tab == std::string_view::npos || !entry.starts_with("100")) continue;
    const std::vector<std::string_view> parts = text::split(entry.substr(0, tab), ' ');
    if (parts.size() == 3)
      blobs.push_back({std::string(entry.substr(tab + 1)), std::string(parts[2])});
  }
  return blobs;
}

RevisionFile read_blob(const RevisionPath& place, const Blob& blob) {
  return {fmt::format("{}:{}", place.revision, blob.path),
          git_output({"cat-file", "blob", blob.id})};
}

[[noreturn]] void refuse_missing(const RevisionPath& place) {
  throw file_error(fmt::format("{0}:{1}: no file `{1}` in {0}", place.revision, place.path));
}

}  // namespace

std::optional<RevisionPath> revision_path(const std::string& word) {
  std::error_code ignored;
  const std::size_t colon = word.find(':');
  if (colon == std::string::npos || std::filesystem::exists(word, ignored)) return std::nullopt;
  std::string path = word.substr(colon + 1);
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return RevisionPath{word.substr(0, colon), std::move(path)};
}

std::vector<RevisionFile> specs_at(const RevisionPath& place,
                                   const std::vector<std::string>& layers) {
  const auto name_of = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
  const std::vector<Blob> blobs = blobs_at(place);
  if (blobs.empty()) refuse_missing(place);
  const bool is_file = blobs.size() == 1 && name_of(blobs.front().path) == name_of(place.path);
  std::vector<RevisionFile> files;
  for (const Blob& blob : blobs) {
    const std::string& path = blob.path;
    if (!is_file && !path.ends_with(".yaml") && !path.ends_with(".yml") && !path.ends_with(".json"))
      continue;
    RevisionFile file = read_blob(place, blob);
    if (is_file || (spec::has_spec_line(file.text) && !contains(layers, file.name)))
      files.push_back(std::move(file));
  }
  return files;
}

bool is_at(const RevisionPath& place) { return !blobs_at(place).empty(); }

RevisionFile file_at(const RevisionPath& place) {
  auto file = find_file_at(place);
  if (!file) refuse_missing(place);
  return std::move(*file);
}

std::optional<RevisionPath> in_revision(const std::string& revision, const std::string& file) {
  std::string top = git_output({"rev-parse", "--show-toplevel"});
  if (top.empty()) return std::nullopt;
  top.pop_back();
  // A link names the file that it leads to, and git does not follow links.
  std::error_code ignored;
  const std::string path =
      std::filesystem::proximate(std::filesystem::weakly_canonical(file, ignored), top, ignored)
          .generic_string();
  if (path.empty() || path == ".." || path.starts_with("../")) return std::nullopt;
  return RevisionPath{revision, path};
}

std::optional<RevisionFile> find_file_at(const RevisionPath& place) {
  const std::vector<Blob> blobs = blobs_at(place);
  if (blobs.size() != 1) return std::nullopt;
  return read_blob(place, blobs.front());
}

}  // namespace flexslice::cli
