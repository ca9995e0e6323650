// Reading files, and what the file system says about them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/files/streams.hpp"

struct stat;

namespace flexslice::cli {

// Bytes that are read or compared at once.
inline constexpr std::size_t block = 65536;

// An open file, closed at its end.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { close(); }
  explicit operator bool() const { return number_ >= 0; }
  int operator*() const { return number_; }
  // Returns false if closing failed: files on a network report late that they are full. The
  // standard streams stay open.
  bool close();

 private:
  int number_;
};

// A file to read, `-` for stdin.
Descriptor open_input(const std::string& path);
// How many bytes of the file to read at once: of a small one no more than there are.
std::size_t step_of(const Descriptor& file);
// Appends at most `size` bytes to the text; false at the end of the file. `path` is for messages.
bool read_some(const Descriptor& file, std::string& text, std::size_t size, std::string_view path);
// A whole file, `-` for stdin. More than 64 MiB are rejected.
std::string read_file(const std::string& path);

// When a file was written last, in nanoseconds, as make sees it; 0 when there is none.
std::int64_t modified_at(const std::string& path);
std::int64_t modified_at(const struct stat& status);

// The device and the number of a file, whatever its name.
using FileId = std::pair<std::uint64_t, std::uint64_t>;
FileId file_id(const struct stat& status);
// Identifies a regular file; nothing when there is none; `-` is stdin.
std::optional<FileId> file_id(const std::string& path);

}  // namespace flexslice::cli
