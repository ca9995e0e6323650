// The standard streams, and whole files. All of cli/ calls it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace flexslice::cli {

// Gives stdout room for the output of many specs; call it before anything is printed. What stdio
// takes by itself is a page, also where stdout is a pipe.
void buffer_stdout();
// Writes to stdout; the exit status is `fine`, or `io_error` when it cannot be written, which is
// said once. A reader that went away
// (`| head -1`) is fine.
int print(std::string_view text);
// Writes what is buffered for stdout.
int flush();
// Whether it makes sense to go on.
bool stdout_works();
void print_error(std::string_view text);
// `flexslice: …` on stderr; gives the status for wrong usage.
int wrong_usage(std::string_view message);
// `flexslice: …` on stderr; gives the status for files that cannot be read or written.
int file_error(std::string_view message);

// Why a file could not be read or written: `train.yaml: no such file or directory`.
struct Failure {
  std::string message;
};
// Of `errno`.
Failure failure_of(std::string_view path, int error);

// A whole file, `-` for stdin. More than 64 MiB are refused.
std::optional<std::string> read_file(const std::string& path, Failure& failure);

// Replaces the file by way of a temporary one beside it, so that it is whole at every moment;
// leaves it alone when it has these bytes. Scripts (`.sh`) become executable. More about it in
// io_write.hpp.
enum class Written { unchanged, written };
std::optional<Written> write_file(const std::string& path, std::string_view text, Failure& failure);

}  // namespace flexslice::cli
