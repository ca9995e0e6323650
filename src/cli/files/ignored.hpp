// Asks git which files of a worktree it ignores.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace flexslice::cli {

// Asks git once, and compares its answer with the paths of a walk. Where git is missing, fails or
// takes too long, nothing is ignored.
//
// The repository may be hostile: git gets nothing of our environment that makes it run programs,
// and the settings of the repository that do are overridden.
class Ignored {
 public:
  explicit Ignored(const std::string& directory);

  // `path` is below the directory, with a `/` at its end if it is one. Paths must come in the order
  // of their bytes.
  bool contains(std::string_view path);

  // Why git refuses to answer, and what to do.
  const std::optional<std::string>& refusal() const { return refusal_; }

 private:
  std::optional<std::string> refusal_;
  std::string answer_;  // paths in the same order, each with a zero byte after it
  std::size_t at_ = 0;  // of the first that may still come
};

}  // namespace flexslice::cli
