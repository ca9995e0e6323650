// The files below a directory that lint reads: in order, one at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/files/ignored.hpp"
#include "cli/files/streams.hpp"

namespace flexslice::cli {

// A walk counts what it skips, for the summary. A directory counts once, without its files.
struct LeftOut {
  std::size_t ignored = 0;  // by git
  std::size_t excluded = 0;
  std::size_t hidden = 0;                   // directories; `.git` does not count
  std::optional<std::string> refusal = {};  // of git, to say what else it ignores
};

struct TreeFile {
  std::string path;
  std::optional<Failure> failure;  // why it, or the directory of that path, cannot be read
  bool is_link = false;            // to a file that the walk does not meet by its own name
};

// Says on stderr that files which git ignores are read, where it refuses to name them.
void print_refusal(const LeftOut& left_out);

class Tree {
 public:
  // `exclude` is a list of patterns for glob_matches; it and `left_out` must outlive the tree.
  Tree(const std::string& root, std::span<const std::string> exclude, LeftOut& left_out);

  // Regular files, and links to them, with the endings that lint reads, sorted by path; nothing at
  // the end. Links to directories are not followed, and devices and pipes are not opened.
  std::optional<TreeFile> next();

 private:
  struct Name {
    std::string text;  // with a `/` at the end of a directory's
    bool is_link = false;
    friend bool operator<(const Name& a, const Name& b) { return a.text < b.text; }
  };
  struct WalkedFolder {
    std::string path;         // with `/` at its end; empty: the current directory
    std::vector<Name> names;  // the next ones, the last of which comes first
    bool is_read = false;
    // Knows the worktree that begins here, and where its paths begin in ours.
    std::unique_ptr<Ignored> ignored;
  };

  void enter(const std::string& path);
  std::unique_ptr<Ignored> ask_for_ignored(const std::string& directory);
  std::optional<Failure> fill(WalkedFolder& folder);
  bool leaves_out(const std::string& path);
  bool meets_target(const std::string& path) const;

  std::size_t root_size_;  // of the root's path, where paths below it begin
  std::string real_root_;  // with `/` at its end
  std::span<const std::string> exclude_;
  LeftOut& left_out_;
  std::vector<WalkedFolder> folders_;  // from the root down to the one that is read
};

}  // namespace flexslice::cli
