// Writes mended specs back. check.cpp calls it for --fix.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/batch.hpp"
#include "cli/io_write.hpp"

namespace flexslice::cli {

class Fixer {
 public:
  // Why a file cannot be mended. stdin can: what becomes of it goes to stdout.
  static std::optional<Failure> refusal(const std::string& path);

  // As a Visitor's.
  int begin(const std::string& path, std::int64_t modified);
  int document(const Checked& checked);
  int other(std::string_view text);
  int end(bool whole);

  // `fixed 3 findings in 2 files`, on stderr.
  void summary() const;

 private:
  int write(std::string_view text);

  std::string path_;
  std::unique_ptr<OutputFile> out_;  // of a file; nothing for stdin
  std::int64_t modified_ = 0;        // the file's time before it was read
  std::size_t fixed_here_ = 0;
  std::size_t fixed_ = 0, files_ = 0;
};

}  // namespace flexslice::cli
