// Files and streams: reading documents one by one, writing whole files or nothing. The only part that touches the file system.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "base/source.hpp"

namespace flexslice::cli {

// Writes to stdout; the exit status is `fine`, or `io_error` when it cannot be written. A reader that went away (`| head -1`) is fine.
int print(std::string_view text);
// Writes what is buffered for stdout.
int flush();
void print_error(std::string_view text);
// `flexslice: …` on stderr; gives the status for wrong usage.
int wrong_usage(std::string_view message);
// `flexslice: …` on stderr; gives the status for files that cannot be read or written.
int file_error(std::string_view message);

// Why a file could not be read or written: `train.yaml: no such file or directory`.
struct Failure {
  std::string message;
};

// A whole file, `-` for stdin.
std::optional<std::string> read_file(const std::string& path, Failure& failure);

// Reads the documents of a file or of stdin (`-`) one at a time, in bounded memory.
class DocumentReader {
 public:
  // Check `failed` before use.
  explicit DocumentReader(const std::string& path);
  ~DocumentReader();
  DocumentReader(const DocumentReader&) = delete;
  DocumentReader& operator=(const DocumentReader&) = delete;

  // The next document that has more than blanks and comments; a file without any gives one empty document.
  std::optional<Source> next();
  const std::optional<Failure>& failed() const { return failure_; }

 private:
  bool read_line(std::string& line);

  std::string name_;
  std::FILE* file_ = nullptr;
  std::optional<Failure> failure_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::string rest_of_marker_;  // what stood behind `---` on its line
  int line_ = 1;
  bool any_ = false;
  bool done_ = false;
};

enum class Written { unchanged, written };

// Replaces the file by way of a temporary one beside it, so that it is whole at every moment; leaves it alone when it has these bytes.
// Scripts (`.sh`) become executable.
std::optional<Written> write_file(const std::string& path, std::string_view text, Failure& failure);
// Makes the directory, with its parents, unless it exists.
bool make_directory(const std::string& path, Failure& failure);

}  // namespace flexslice::cli
