#include "cli/files/tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/lists.hpp"
#include "cli/files/glob.hpp"

namespace flexslice::cli {

namespace {

// Not all of these can be read: those with TPUs are counted.
constexpr std::string_view endings[] = {
    ".yaml",    ".yml",      ".json", ".md",     ".markdown", ".sh",     ".bash",  ".mk",
    ".tftpl",   ".template", ".tpl",  ".j2",     ".tf",       ".tfvars", ".just",  ".ipynb",
    ".mdx",     ".tofu",     ".zsh",  ".ksh",    ".envrc",    ".rst",    ".adoc",  ".ps1",
    ".service", ".toml",     ".tmpl", ".gotmpl", ".jinja",    ".jinja2", ".groovy"};
constexpr std::string_view names_without_ending[] = {"Makefile",    "makefile",  "GNUmakefile",
                                                     "justfile",    "Justfile",  ".justfile",
                                                     "Jenkinsfile", "Dockerfile"};
// Build services keep their files in these.
constexpr std::string_view hidden[] = {".github/",          ".circleci/",    ".gitlab/",
                                       ".gitlab-ci/",       ".buildkite/",   ".ci/",
                                       ".cloudbuild/",      ".woodpecker/",  ".tekton/",
                                       ".azure-pipelines/", ".azuredevops/", ".devcontainer/"};

bool is_read(std::string_view name) {
  return contains(names_without_ending, name) ||
         any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

// A script needs no ending.
bool has_interpreter(int directory, const char* name) {
  const int file = ::openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return false;
  char begin[2] = {};
  const bool is_script =
      ::read(file, begin, sizeof begin) == 2 && begin[0] == '#' && begin[1] == '!';
  ::close(file);
  return is_script;
}

bool is_left_out(std::string_view directory) {
  return directory.starts_with('.') && !contains(hidden, directory);
}

std::string folder_to_read(const std::string& folder) { return folder.empty() ? "." : folder; }

struct Close {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

// Asks for the d_type of a name where the directory does not say it.
unsigned char entry_type(int directory, const dirent& entry) {
  struct stat status {};
  if (entry.d_type != DT_UNKNOWN ||
      ::fstatat(directory, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    return entry.d_type;
  return static_cast<unsigned char>(IFTODT(status.st_mode));
}

bool leads_to_file(int directory, const char* name) {
  struct stat status {};
  return ::fstatat(directory, name, &status, 0) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

void print_refusal(const LeftOut& left_out) {
  if (left_out.refusal)
    print_error(fmt::format("flexslice: note: {}; the files that it ignores are read too\n",
                            *left_out.refusal));
}

Tree::Tree(const std::string& root, std::span<const std::string> exclude, LeftOut& left_out)
    : exclude_(exclude), left_out_(left_out) {
  std::error_code error;
  real_root_ = (std::filesystem::canonical(root, error) / "").string();
  std::string path = root;
  while (path.ends_with('/')) path.pop_back();
  path += '/';
  if (path == "./") path.clear();
  root_size_ = path.size();
  enter(path);
  folders_.back().ignored = ask_for_ignored(folder_to_read(path));
}

void Tree::enter(const std::string& path) { folders_.push_back({path, {}, false, nullptr}); }

std::unique_ptr<Ignored> Tree::ask_for_ignored(const std::string& directory) {
  auto ignored = std::make_unique<Ignored>(directory);
  if (!left_out_.refusal) left_out_.refusal = ignored->refusal();
  return ignored;
}

std::optional<TreeFile> Tree::next() {
  while (!folders_.empty()) {
    WalkedFolder& folder = folders_.back();
    if (folder.names.empty()) {
      std::string path = folder_to_read(folder.path);
      std::optional<Failure> failure = folder.is_read ? std::nullopt : fill(folder);
      if (folder.names.empty()) folders_.pop_back();
      if (failure) return TreeFile{std::move(path), std::move(failure)};
      continue;
    }
    const Name name = std::move(folder.names.back());
    folder.names.pop_back();
    std::string path = folder.path + name.text;
    if (name.text.ends_with('/') && is_left_out(name.text)) {
      left_out_.hidden += name.text == ".git/" ? 0 : 1;
    } else if (!leaves_out(path)) {
      if (name.text.ends_with('/'))
        enter(path);
      else if (!name.is_link || !meets_target(path))
        return TreeFile{std::move(path), std::nullopt, name.is_link};
    }
  }
  return std::nullopt;
}

std::optional<Failure> Tree::fill(WalkedFolder& folder) {
  const std::string path = folder_to_read(folder.path);
  folder.is_read = true;
  const int links = folders_.size() > 1 ? O_NOFOLLOW : 0;
  // Without the `/`, which would follow a link.
  const std::string opened =
      path.substr(0, std::max<std::size_t>(path.find_last_not_of('/') + 1, 1));
  const int number = ::open(opened.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | links);
  const std::unique_ptr<DIR, Close> directory(number < 0 ? nullptr : ::fdopendir(number));
  if (!directory) return file_error(opened, errno);
  std::vector<Name>& names = folder.names;
  const dirent* entry = nullptr;
  while (errno = 0, (entry = ::readdir(directory.get())) != nullptr) {
    std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    const unsigned char type = entry_type(number, *entry);
    const bool is_worktree = name == ".git" && folders_.size() > 1 && !folder.ignored;
    if (is_worktree) folder.ignored = ask_for_ignored(opened);
    if (type == DT_DIR)
      name += '/';
    else if (!(is_read(name) || (type == DT_REG && !contains(name, '.') &&
                                 has_interpreter(number, entry->d_name))) ||
             (type != DT_REG && type != DT_LNK) ||
             (type == DT_LNK && !leads_to_file(number, entry->d_name)))
      continue;
    names.push_back({std::move(name), type == DT_LNK});
  }
  const int error = errno;
  std::ranges::sort(names, [](const Name& a, const Name& b) { return b < a; });
  if (error != 0) return file_error(opened, error);
  return std::nullopt;
}

// By --exclude, or because git ignores it.
bool Tree::leaves_out(const std::string& path) {
  std::string_view below = std::string_view(path).substr(root_size_);
  const std::string_view name = below.substr(0, below.size() - (below.ends_with('/') ? 1 : 0));
  if (any_of(exclude_, [&](const std::string& glob) { return glob_matches(glob, name); })) {
    ++left_out_.excluded;
    return true;
  }
  // The innermost worktree.
  const auto folder =
      std::find_if(folders_.rbegin(), folders_.rend(),
                   [](const WalkedFolder& each) { return each.ignored != nullptr; });
  if (!folder->ignored->contains(std::string_view(path).substr(folder->path.size()))) return false;
  ++left_out_.ignored;
  return true;
}

// Says whether the walk comes, or came, to the file that the link leads to.
bool Tree::meets_target(const std::string& path) const {
  std::error_code error;
  const std::string target = std::filesystem::canonical(path, error).string();
  if (!target.starts_with(real_root_)) return false;
  const std::string_view below = std::string_view(target).substr(real_root_.size());
  const std::size_t name = below.rfind('/') + 1;
  for (std::size_t begin = 0; begin < name; begin = below.find('/', begin) + 1) {
    if (is_left_out(below.substr(begin, below.find('/', begin) + 1 - begin))) return false;
  }
  return is_read(below.substr(name));
}

}  // namespace flexslice::cli
