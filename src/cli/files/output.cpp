#include "cli/files/output.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "base/source.hpp"
#include "base/text.hpp"

namespace flexslice::cli {

namespace {

constexpr std::size_t buffered_bytes = 256u << 10;
constexpr int directory_flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// A block of a file, shorter at its end and where it cannot be read.
std::string block_at(int descriptor, std::size_t offset) {
  std::string bytes(block, '\0');
  std::size_t size = 0;
  ssize_t count = 0;
  do {
    count =
        ::pread(descriptor, bytes.data() + size, block - size, static_cast<off_t>(offset + size));
    size += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  } while ((count > 0 && size < block) || (count < 0 && errno == EINTR));
  bytes.resize(size);
  return bytes;
}

// Devices and pipes of this process have names here that lead to no file one could replace.
bool is_open_file(std::string_view path) {
  return path.starts_with("/proc/") || path.starts_with("/dev/fd/");
}

// Follows a chain of links to its end, also when nothing is there yet.
std::string through_links(std::string path) {
  for (int i = 0; i < 40 && !is_open_file(path); ++i) {
    std::error_code error;
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error) break;
    // An absolute target replaces the whole path.
    path = (std::filesystem::path(path).parent_path() / target).string();
  }
  return path;
}

mode_t executable(mode_t mode) { return mode | ((mode & 0444u) >> 2u); }

}  // namespace

bool FilePlace::follows_links() const { return directory == AT_FDCWD; }

FilePlace place_at(const std::string& path) { return {AT_FDCWD, path, path}; }

// The output replaces this.
struct OutputFile::Old {
  Descriptor file;        // empty when it cannot be read, or is not there
  struct stat status {};  // of what is not there: zeros

  bool regular() const { return S_ISREG(status.st_mode); }
};

OutputFile::OutputFile(FilePlace place, Inputs inputs)
    : place_(std::move(place)), inputs_(std::move(inputs)) {
  if (!place_.follows_links()) return;
  place_.path = through_links(place_.path);
  struct stat status {};
  direct_ = is_open_file(place_.path) ||
            (::stat(place_.path.c_str(), &status) == 0 && !S_ISREG(status.st_mode));
}

OutputFile::~OutputFile() {
  if (!temporary_name_.empty()) ::unlinkat(place_.directory, temporary_name_.c_str(), 0);
}

void OutputFile::append(std::string_view text) {
  buffer_ += text;
  size_ += text.size();
  if (buffer_.size() <= buffered_bytes && !direct_) return;
  if (!out_ && !direct_) start(look());
  flush();
}

// The constructor has followed links where they are followed.
OutputFile::Old OutputFile::look() const {
  const char* path = place_.path.c_str();
  Old old;
  old.file =
      Descriptor(::openat(place_.directory, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  const int result = old.file ? ::fstat(*old.file, &old.status)
                              : ::fstatat(place_.directory, path, &old.status, AT_SYMLINK_NOFOLLOW);
  if (result != 0 && errno != ENOENT) throw failed(errno);
  if (result != 0 || old.regular()) return old;
  if (S_ISDIR(old.status.st_mode)) throw failed(EISDIR);
  if (!S_ISLNK(old.status.st_mode))
    throw file_error(fmt::format("{}: not a regular file", place_.shown));
  // One that could not be followed to its end.
  if (place_.follows_links()) throw failed(ELOOP);
  return old;
}

bool OutputFile::same_as(const Old& old) const {
  if (!old.regular() || !old.file || static_cast<std::size_t>(old.status.st_size) != size_)
    return false;
  for (std::size_t offset = 0; offset < size_; offset += block) {
    const std::string theirs = block_at(*old.file, offset);
    if (out_ ? theirs != block_at(*out_, offset) : buffer_.compare(offset, block, theirs) != 0)
      return false;
  }
  return true;
}

// Makes the temporary file. Its name is hidden, so that `kubectl apply -f DIR` and patterns skip
// what a killed process left.
void OutputFile::start(const Old& old) {
  const std::string_view directory = folder_of(place_.path);
  for (int i = 0; !out_ && i < 100; ++i) {
    const std::string name = fmt::format("{}.flexslice-{}-{}", directory, ::getpid(), i);
    out_ = Descriptor(::openat(place_.directory, name.c_str(),
                               O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, is_script() ? 0777 : 0666));
    if (out_) temporary_name_ = name;
    if (!out_ && errno != EEXIST) throw failed(errno);
  }
  if (!out_) throw failed(EEXIST);
  if (!old.regular()) return;
  const mode_t mode = old.status.st_mode & 0777u;
  // Somebody else's file stays theirs where we may give it to them.
  if (::fchown(*out_, old.status.st_uid, old.status.st_gid) != 0 && keeps_)
    throw file_error(fmt::format("{}: would lose its owner; not fixed", place_.shown));
  if (::fchmod(*out_, is_script() ? executable(mode) : mode) != 0) throw failed(errno);
}

void OutputFile::flush() {
  if (direct_ && !out_) out_ = Descriptor(::open(place_.path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!out_ || !write_all(*out_, buffer_)) throw failed(errno);
  buffer_.clear();
}

bool OutputFile::commit(std::int64_t newest) {
  if (direct_) {
    flush();
    if (!out_.close()) throw failed(errno);
    return true;
  }
  Old old = look();
  if (out_) flush();
  if (!same_as(old)) {
    replace(std::move(old));
    return true;
  }
  if (is_script() && (old.status.st_mode & 0111u) == 0)
    ::fchmod(*old.file, executable(old.status.st_mode & 0777u));
  if (modified_at(old.status) < newest &&
      ::utimensat(place_.directory, place_.path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW) != 0)
    throw failed(errno);
  return false;
}

void OutputFile::replace(Old old) {
  if (old.regular()) {
    if (inputs_ && inputs_(file_id(old.status)))
      throw file_error(fmt::format("{}: is also an input, and would be overwritten", place_.shown));
    // Root may write where nobody may; a file without any permission to write is meant for root
    // too.
    if ((old.status.st_mode & 0222u) == 0 ||
        ::faccessat(place_.directory, place_.path.c_str(), W_OK, 0) != 0)
      throw file_error(fmt::format("{}: is read-only", place_.shown));
  }
  if (!out_) {
    start(old);
    flush();
  }
  // Windows replaces no file that is open.
  old.file.close();
  if (!out_.close() || ::renameat(place_.directory, temporary_name_.c_str(), place_.directory,
                                  place_.path.c_str()) != 0)
    throw failed(errno);
  temporary_name_.clear();
}

// Without `make`, a missing one stays closed.
void OutputDirectory::open_root(bool make) {
  if (root_) return;
  std::error_code error;
  if (make) std::filesystem::create_directories(path_, error);
  root_ = Descriptor(::open(path_.c_str(), directory_flags));
  if (root_ || (errno == ENOENT && !make)) return;
  throw file_error(path_, error && errno == ENOENT ? error.value() : errno);
}

std::vector<std::string> OutputDirectory::names(const std::string& below) {
  std::vector<std::string> names;
  open_root(false);
  if (!root_) return names;
  std::error_code error, ignored;
  const std::string path = below.empty() ? path_ : path_ + "/" + below;
  for (std::filesystem::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (!name.starts_with('.') && !entry->is_symlink(ignored) && entry->is_directory(ignored))
      names.push_back(std::move(name));
  }
  if (error) throw file_error(path, error.value());
  std::sort(names.begin(), names.end());
  return names;
}

void OutputDirectory::remove_if_empty(const std::string& name) {
  if (::unlinkat(*root_, name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOTEMPTY && errno != EEXIST)
    throw file_error(path_ + "/" + name, errno);
}

void remove_file(const FilePlace& place, const Inputs& inputs) {
  struct stat status {};
  if (::fstatat(place.directory, place.path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
    throw file_error(place.shown, errno);
  if (inputs && inputs(file_id(status)))
    throw file_error(fmt::format("{}: not deleted, because it is read as well", place.shown));
  if (::unlinkat(place.directory, place.path.c_str(), 0) != 0) throw file_error(place.shown, errno);
}

Descriptor OutputDirectory::open(const std::string& name, bool make) {
  open_root(make);
  if (!root_) return Descriptor();
  Descriptor directory;
  std::string path;
  // Names of workloads and places are DNS labels; this is the last line of defence.
  for (std::string_view part : text::split(name, '/')) {
    if (part.empty() || part.starts_with('.'))
      throw std::logic_error(fmt::format("`{}` is not a valid file name", name));
    path += fmt::format("{}{}", path.empty() ? "" : "/", part);
    directory =
        open_in(path.size() > part.size() ? *directory : *root_, std::string(part), path, make);
    if (!directory) break;
  }
  return directory;
}

Descriptor OutputDirectory::open_in(int parent, const std::string& name, const std::string& shown,
                                    bool make) {
  constexpr int flags = directory_flags;
  Descriptor directory(::openat(parent, name.c_str(), flags | O_NOFOLLOW));
  if (!directory && errno == ENOENT && !make) return Descriptor();
  if (!directory && errno == ENOENT && ::mkdirat(parent, name.c_str(), 0777) == 0)
    directory = Descriptor(::openat(parent, name.c_str(), flags | O_NOFOLLOW));
  if (directory) return directory;
  const Failure failure = file_error(path_ + "/" + shown, errno);
  struct stat status {};
  if (::fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode))
    throw file_error(fmt::format(
        "{}/{}: is a link, and links in the output directory are not followed", path_, shown));
  throw failure;
}

std::optional<std::string> read_current(const FilePlace& place) {
  // In a directory that is not there, nothing is.
  if (place.directory < 0 && !place.follows_links()) return std::nullopt;
  const int links = place.follows_links() ? 0 : O_NOFOLLOW;
  const Descriptor file(
      ::openat(place.directory, place.path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | links));
  if (!file && (errno == ENOENT || (errno == ELOOP && links != 0))) return std::nullopt;
  struct stat status {};
  if (!file || ::fstat(*file, &status) != 0) throw file_error(place.shown, errno);
  std::string text;
  // Growing would take twice the memory.
  text.reserve(std::min(static_cast<std::size_t>(status.st_size), max_shown_bytes) + 2 * block);
  while (text.size() <= max_shown_bytes && read_some(file, text, block, place.shown)) {
  }
  return text;
}

}  // namespace flexslice::cli
