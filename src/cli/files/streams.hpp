// The standard streams, exit statuses, and failures with their status.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace flexslice::cli {

// Exit statuses, as in README.md.
enum Status : int { fine = 0, findings = 1, usage = 2, io_error = 3, internal_error = 70 };

// Ends a command, or its work on one file.
struct Failure : std::runtime_error {
  // `text` is written to stderr as it is.
  Failure(Status exit_status, const std::string& text)
      : std::runtime_error(text), status(exit_status) {}

  Status status;
};

// `flexslice: …`, to be thrown.
Failure wrong_usage(std::string_view message);
// The same for files that cannot be read or written.
Failure file_error(std::string_view message);
// Describes an `errno`: `train.yaml: no such file or directory`.
Failure file_error(std::string_view path, int error);
// Writes it to stderr; returns its status.
int report(const Failure& failure);
// The status of an action that may fail: a failure is reported.
template <class Action>
int attempt(Action action) {
  try {
    action();
    return fine;
  } catch (const Failure& failure) {
    return report(failure);
  }
}

// Gives stdout room for the output of many specs; call it before anything is printed. What stdio
// takes automatically is a page, also where stdout is a pipe.
void buffer_stdout();
// Writes to stdout. The first error is reported at once, and `flush` returns its status.
void print(std::string_view text);
// Writes what is buffered for stdout. Returns `io_error` when anything could not be written; a
// reader that went away (`| head -1`) is fine.
int flush();
// Returns false where it makes no sense to go on.
bool stdout_works();
// Writes to stderr, after what is buffered for stdout.
void print_error(std::string_view text);

}  // namespace flexslice::cli
