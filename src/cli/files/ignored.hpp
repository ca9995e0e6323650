// What git ignores in a worktree. tree.cpp calls it.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "cli/files/files.hpp"

namespace flexslice::cli {

// Asks git once, in the background, and compares its answer with the paths of a walk, so that it
// needs no memory. Where git is missing, fails or takes too long, nothing is ignored. The caller
// ignores SIGCHLD: the end of git says nothing more.
//
// The repository may be hostile: git gets nothing of our environment that makes it run programs,
// and the settings of the repository that do are overridden.
class Ignored {
 public:
  explicit Ignored(const std::string& directory);
  Ignored(const Ignored&) = delete;
  Ignored& operator=(const Ignored&) = delete;
  ~Ignored() { end(); }

  // `path` is below the directory, with a `/` at its end if it is one. Paths must come in the order
  // of their bytes.
  bool contains(std::string_view path);

 private:
  void advance();
  bool fill();
  void end();

  pid_t git_ = -1;
  Descriptor answer_;
  std::string buffer_;
  std::size_t begin_ = 0;     // of what is unread, in buffer_
  std::string_view current_;  // in buffer_; empty at the end
};

}  // namespace flexslice::cli
