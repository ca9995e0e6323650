#include "cli/io.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/io_write.hpp"

namespace flexslice::cli {

namespace {

constexpr std::size_t max_file_bytes = 64u << 20;

std::string reason(int error) {
  std::string text = std::strerror(error);
  if (!text.empty()) text[0] = ascii::to_lower(text[0]);
  return text;
}

// What went wrong with stdout first: 0 or an errno. Later errors only follow from it.
int& stdout_error() {
  static int error = 0;
  return error;
}

int stdout_failed(int error) {
  if (stdout_error() != 0) return stdout_error() == EPIPE ? fine : io_error;
  stdout_error() = error;
  return error == EPIPE ? fine : file_error(failure_of("stdout", error).message);
}

}  // namespace

Failure failure_of(std::string_view path, int error) {
  return {fmt::format("{}: {}", path == "-" ? "stdin" : path, reason(error))};
}

void buffer_stdout() {
  static char room[65536];
  std::setvbuf(stdout, room, _IOFBF, sizeof room);
}

int print(std::string_view text) {
  if (stdout_works() && std::fwrite(text.data(), 1, text.size(), stdout) == text.size())
    return fine;
  return stdout_failed(errno);
}

int flush() { return stdout_works() && std::fflush(stdout) == 0 ? fine : stdout_failed(errno); }

bool stdout_works() { return stdout_error() == 0; }

void print_error(std::string_view text) {
  if (text.empty()) return;
  flush();
  std::fwrite(text.data(), 1, text.size(), stderr);
}

int wrong_usage(std::string_view message) {
  print_error(fmt::format("flexslice: {}\n", message));
  return usage;
}

int file_error(std::string_view message) {
  print_error(fmt::format("flexslice: {}\n", message));
  return io_error;
}

std::optional<std::string> read_file(const std::string& path, Failure& failure) {
  const int descriptor = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::string text;
  ssize_t count = descriptor < 0 ? -1 : 1;
  while (count > 0 && text.size() <= max_file_bytes) {
    const std::size_t size = text.size();
    text.resize(size + 65536);
    count = ::read(descriptor, text.data() + size, 65536);
    if (count < 0 && errno == EINTR)
      count = 1, text.resize(size);
    else
      text.resize(size + static_cast<std::size_t>(count < 0 ? 0 : count));
  }
  if (count < 0) failure = failure_of(path, errno);
  if (descriptor > STDERR_FILENO) ::close(descriptor);
  if (count < 0) return std::nullopt;
  if (text.size() <= max_file_bytes) return text;
  failure = {fmt::format("{}: more than 64 MiB", path)};
  return std::nullopt;
}

std::optional<Written> write_file(const std::string& path, std::string_view text,
                                  Failure& failure) {
  OutputFile file(path);
  if (!file.append(text, failure)) return std::nullopt;
  return file.commit(failure);
}

}  // namespace flexslice::cli
