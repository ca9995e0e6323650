// Writing files so that each is whole at every moment: a temporary one beside it takes its place.
// compile and `check --fix` call it.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/io.hpp"

namespace flexslice::cli {

// Closes at its end.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  explicit operator bool() const { return number_ >= 0; }
  int operator*() const { return number_; }
  // Whether it could be closed without an error; files on a network say late that they are full.
  bool close();

 private:
  int number_;
};

// The same file, whatever its name.
struct FileId {
  std::uint64_t device = 0, number = 0;

  friend auto operator<=>(const FileId&, const FileId&) = default;
};

// What may not be overwritten: the files that are read.
using Inputs = std::function<bool(const FileId&)>;

// One file that is going to be written. Nothing happens to it before `commit`; a device or a pipe
// gets its bytes at once.
//   A file that has the same bytes is left alone. One that is replaced keeps its mode and owner; a
//   new one gets what the umask leaves. Scripts (`.sh`) become executable. One without leave to
//   write, or that is an input, is not replaced. A few hundred KiB are kept in memory, more in the
//   temporary file.
class OutputFile {
 public:
  // Links are followed: the file that `path` leads to is written.
  explicit OutputFile(std::string path, Inputs inputs = {});
  // A file in an open directory. Where a link stands in its place, the link is replaced. `shown` is
  // its name for messages.
  OutputFile(int directory, std::string name, std::string shown, Inputs inputs = {});
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  bool append(std::string_view text, Failure& failure);
  std::optional<Written> commit(Failure& failure);
  // Gives a file that is older than `time` (see modified_at) the present time.
  bool refresh(std::int64_t time, Failure& failure) const;

 private:
  struct Old;
  std::optional<Old> look(Failure& failure) const;
  bool same_as(const Old& old) const;
  bool start(const Old& old, Failure& failure);
  bool flush(Failure& failure);
  std::optional<Written> replace(const Old& old, Failure& failure);
  bool fail(int error, Failure& failure) const;
  bool is_script() const { return shown_.ends_with(".sh"); }

  int directory_;
  std::string path_, shown_;
  Inputs inputs_;
  bool direct_ = false;  // a device or a pipe
  std::string buffer_;
  std::string temporary_name_;
  Descriptor out_;  // the temporary file, or the device
};

// When a file was written last, in nanoseconds, as make sees it; 0 when there is none.
std::int64_t modified_at(const std::string& path);

// The directory of --out-dir. Links below it are not followed, so that nothing is written outside
// of it.
class OutputDirectory {
 public:
  explicit OutputDirectory(std::string path) : path_(std::move(path)) {}

  // The directory `name` in it. With `make`, both are made when they are not there; without, a
  // missing one is an empty Descriptor and no failure.
  std::optional<Descriptor> open(const std::string& name, bool make, Failure& failure);
  const std::string& path() const { return path_; }
  int descriptor() const { return *root_; }  // after an `open` that has found or made it

 private:
  std::string path_;
  Descriptor root_;
};

// What stands in a file now; at most `max_shown_bytes` + 1 bytes of it. Nothing and no failure when
// there is no such file, or a link that is not to be followed.
inline constexpr std::size_t max_shown_bytes = 16u << 20;
std::optional<std::string> read_at(int directory, const std::string& name, const std::string& shown,
                                   bool follow, Failure& failure);

// The device and number of a file, or nothing when there is none; `-` is stdin.
std::optional<FileId> file_id(const std::string& path);

}  // namespace flexslice::cli
