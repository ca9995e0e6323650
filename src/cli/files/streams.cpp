#include "cli/files/streams.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/ascii.hpp"

namespace flexslice::cli {

namespace {

// Keeps the first error of stdout, 0 or an errno, because later ones only follow from it.
int& stdout_error() {
  static int error = 0;
  return error;
}

void stdout_failed(int error) {
  stdout_error() = error;
  if (error != EPIPE) report(file_error("stdout", error));
}

}  // namespace

Failure wrong_usage(std::string_view message) {
  return {usage, fmt::format("flexslice: {}\n", message)};
}

Failure file_error(std::string_view message) {
  return {io_error, fmt::format("flexslice: {}\n", message)};
}

Failure file_error(std::string_view path, int error) {
  std::string reason = std::strerror(error);
  if (!reason.empty()) reason[0] = ascii::to_lower(reason[0]);
  return file_error(fmt::format("{}: {}", path == "-" ? "stdin" : path, reason));
}

int report(const Failure& failure) {
  print_error(failure.what());
  return failure.status;
}

void buffer_stdout() {
  static char room[65536];
  std::setvbuf(stdout, room, _IOFBF, sizeof room);
}

void print(std::string_view text) {
  if (stdout_works() && std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    stdout_failed(errno);
}

int flush() {
  if (stdout_works() && std::fflush(stdout) != 0) stdout_failed(errno);
  return stdout_works() || stdout_error() == EPIPE ? fine : io_error;
}

bool stdout_works() { return stdout_error() == 0; }

void print_error(std::string_view text) {
  if (text.empty()) return;
  flush();
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace flexslice::cli
