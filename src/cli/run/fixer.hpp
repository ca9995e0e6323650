// Writes fixed specs back. batch.cpp calls it for `check --fix`.
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
  // Why a file cannot be fixed. stdin can: the result goes to stdout.
  static std::optional<Failure> refusal(const std::string& path);

  // For each file: `begin` with its time before it was read, every byte of it with the number of
  // findings that were fixed there, and whether it was read to its end. May throw Failure.
  void begin(const std::string& path, std::int64_t modified);
  void write(std::string_view text, std::size_t fixed);
  void end(bool whole);

  // `fixed 3 findings in 2 files`, on stderr.
  void summary() const;

 private:
  std::string path_;
  std::unique_ptr<OutputFile> out_;  // of a file; nothing for stdin, and after a failure
  std::int64_t modified_ = 0;
  std::size_t fixed_here_ = 0;
  std::size_t fixed_ = 0, files_ = 0;
};

}  // namespace flexslice::cli
