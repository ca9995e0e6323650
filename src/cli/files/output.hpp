// Writing files so that each is whole at every moment: a temporary one in the same directory takes
// its place.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/files/files.hpp"

namespace flexslice::cli {

// Files that are read may not be overwritten.
using Inputs = std::function<bool(const FileId&)>;

// A file is here, or is going to be.
struct FilePlace {
  int directory;      // an open one, or AT_FDCWD
  std::string path;   // in that directory
  std::string shown;  // for messages
  // Says whether the file that a link leads to is meant. In an open directory it is the link
  // itself, so that nothing is written outside of it.
  bool follows_links() const;
};
FilePlace place_at(const std::string& path);

// One file to write. Nothing happens to it before `commit`; a device or a pipe gets its bytes at
// once. All throw Failure.
//   A file that has the same bytes is not written. One that is replaced keeps its mode and owner; a
//   new one gets what the umask leaves. Scripts (`.sh`) become executable. One without permission
//   to write, or that is an input, is not replaced. A few hundred KiB are kept in memory, more in
//   the temporary file.
class OutputFile {
 public:
  explicit OutputFile(FilePlace place, Inputs inputs = {});
  explicit OutputFile(const std::string& path, Inputs inputs = {})
      : OutputFile(place_at(path), std::move(inputs)) {}
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // For a file that is changed rather than made: a script is not made executable, and a file whose
  // owner cannot be kept is not replaced. Before the first `append`.
  void keep_mode_and_owner() { keeps_ = true; }

  void append(std::string_view text);
  // Returns whether the file has new bytes. One with the same bytes that is older than `newest`
  // (see modified_at) gets the present time.
  bool commit(std::int64_t newest = 0);

 private:
  struct Old;
  Old look() const;
  bool same_as(const Old& old) const;
  void start(const Old& old);
  void flush();
  void replace(Old old);
  Failure failed(int error) const { return file_error(place_.shown, error); }
  bool is_script() const { return !keeps_ && place_.shown.ends_with(".sh"); }

  FilePlace place_;
  Inputs inputs_;
  bool direct_ = false;  // a device or a pipe
  bool keeps_ = false;
  std::string buffer_;
  std::size_t size_ = 0;  // of all that was appended
  std::string temporary_name_;
  Descriptor out_;  // the temporary file, or the device
};

// The directory of --out-dir.
class OutputDirectory {
 public:
  explicit OutputDirectory(std::string path) : path_(std::move(path)) {}

  // The directory `name` in it, or `name/place`. With `make`, all are made if they are missing;
  // without, a missing one is an empty Descriptor.
  Descriptor open(const std::string& name, bool make);
  // After an `open` that has found or made the directory.
  FilePlace place(const std::string& name) const { return {*root_, name, path_ + "/" + name}; }
  // The directories in it, sorted; links and hidden ones are none.
  std::vector<std::string> names(const std::string& below = {});
  // Removes the directory `name` unless something is in it.
  void remove_if_empty(const std::string& name);

 private:
  void open_root(bool make);
  Descriptor open_in(int parent, const std::string& name, const std::string& shown, bool make);

  std::string path_;
  Descriptor root_;
};

// Deletes a file, unless it is an input.
void remove_file(const FilePlace& place, const Inputs& inputs);

// Returns the contents that the file has now: more than `max_shown_bytes` when it is too large to
// show, nothing when there is no such file, or a link that is not followed.
inline constexpr std::size_t max_shown_bytes = 16u << 20;
std::optional<std::string> read_current(const FilePlace& place);

}  // namespace flexslice::cli
