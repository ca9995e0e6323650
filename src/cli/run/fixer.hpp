// Writes fixed specs back, or shows what would change.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/files/output.hpp"

namespace flexslice::cli {

class Fixer {
 public:
  explicit Fixer(bool only_diff) : only_diff_(only_diff) {}

  // Why a file cannot be fixed. stdin can: the result goes to stdout.
  std::optional<Failure> refusal(const std::string& path) const;

  // For each file: `begin` with its time before it was read, every byte of it as it was and as it
  // is fixed with the number of findings that were, and whether it was read to its end. May throw
  // Failure.
  void begin(const std::string& path, std::int64_t modified);
  void write(std::string_view old, std::string_view text, std::size_t fixed);
  void end(bool whole);

  // `fixed 3 findings in 2 files`, on stderr.
  void summary() const;
  bool only_diff() const { return only_diff_; }
  bool shows_fixes() const { return only_diff_ && fixed_ > 0; }

 private:
  bool only_diff_;
  std::string path_;
  std::string old_, new_;            // for a diff
  std::unique_ptr<OutputFile> out_;  // of a file; nothing for stdin, and after a failure
  std::int64_t modified_ = 0;
  std::size_t fixed_here_ = 0;
  std::size_t fixed_ = 0, files_ = 0;
};

}  // namespace flexslice::cli
