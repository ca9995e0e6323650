#include "cli/files/files.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace flexslice::cli {

namespace {

constexpr std::size_t max_file_bytes = 64u << 20;

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

bool Descriptor::close() {
  const int number = std::exchange(number_, -1);
  return number <= STDERR_FILENO || ::close(number) == 0;
}

Descriptor open_input(const std::string& path) {
  Descriptor file(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) throw file_error(path, errno);
  return file;
}

std::size_t step_of(const Descriptor& file) {
  struct stat status {};
  if (::fstat(*file, &status) != 0 || !S_ISREG(status.st_mode)) return block;
  return std::clamp<std::size_t>(static_cast<std::size_t>(status.st_size) + 1, 512, block);
}

bool read_some(const Descriptor& file, std::string& text, std::size_t size, std::string_view path) {
  const std::size_t before = text.size();
  text.resize(before + size);
  ssize_t count = 0;
  do {
    count = ::read(*file, text.data() + before, size);
  } while (count < 0 && errno == EINTR);
  if (count < 0) throw file_error(path, errno);
  text.resize(before + static_cast<std::size_t>(count));
  return count > 0;
}

std::string read_file(const std::string& path) {
  const Descriptor file = open_input(path);
  const std::size_t step = step_of(file);
  std::string text;
  while (read_some(file, text, step, path)) {
    if (text.size() > max_file_bytes) throw file_error(fmt::format("{}: more than 64 MiB", path));
  }
  return text;
}

std::int64_t modified_at(const struct stat& status) {
  return status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec;
}

std::int64_t modified_at(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? modified_at(status) : 0;
}

FileId file_id(const struct stat& status) {
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
}

std::optional<FileId> file_id(const std::string& path) {
  struct stat status {};
  const int result = path == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
  if (result != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return file_id(status);
}

}  // namespace flexslice::cli
