#include "cli/io_write.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "base/text.hpp"

namespace flexslice::cli {

namespace {

constexpr std::size_t buffered_bytes = 256u << 10;
constexpr std::size_t block = 65536;

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// Fills `to` as far as the file goes from `offset`; nothing when it cannot be read.
std::optional<std::size_t> read_all(int descriptor, char* to, std::size_t size,
                                    std::size_t offset) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count =
        ::pread(descriptor, to + done, size - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

bool has_text(int descriptor, std::string_view text) {
  std::string buffer(block, '\0');
  for (std::size_t offset = 0; offset < text.size(); offset += block) {
    const std::string_view piece = text.substr(offset, block);
    const auto count = read_all(descriptor, buffer.data(), piece.size(), offset);
    if (!count || std::string_view(buffer.data(), *count) != piece) return false;
  }
  return true;
}

bool same_bytes(int a, int b, std::size_t size) {
  std::string piece(block, '\0');
  std::string buffer(block, '\0');
  for (std::size_t offset = 0; offset < size; offset += block) {
    const auto count = read_all(a, piece.data(), block, offset);
    if (!count || read_all(b, buffer.data(), *count, offset) != count) return false;
    if (std::string_view(buffer.data(), *count) != std::string_view(piece.data(), *count))
      return false;
  }
  return true;
}

// Devices and pipes of this process have names here that lead to no file one could replace.
bool is_open_file(std::string_view path) {
  return path.starts_with("/proc/") || path.starts_with("/dev/fd/");
}

// Where a chain of links ends, also when nothing is there yet.
std::string through_links(std::string path) {
  for (int i = 0; i < 40 && !is_open_file(path); ++i) {
    std::error_code error;
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = target.is_absolute() ? target.string()
                                : (std::filesystem::path(path).parent_path() / target).string();
  }
  return path;
}

FileId id_of(const struct stat& status) {
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
}

std::int64_t nanoseconds(const struct stat& status) {
  return status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec;
}

mode_t executable(mode_t mode) { return mode | ((mode & 0444u) >> 2u); }

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() { close(); }

bool Descriptor::close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

// What is there before.
struct OutputFile::Old {
  Descriptor file;  // empty when it cannot be read, or is not there
  struct stat status {};
  bool exists = false;

  bool regular() const { return exists && S_ISREG(status.st_mode); }
  std::size_t size() const { return static_cast<std::size_t>(status.st_size); }
};

OutputFile::OutputFile(std::string path, Inputs inputs)
    : directory_(AT_FDCWD),
      path_(through_links(path)),
      shown_(std::move(path)),
      inputs_(std::move(inputs)) {
  struct stat status {};
  direct_ =
      is_open_file(path_) || (::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode));
}

OutputFile::OutputFile(int directory, std::string name, std::string shown, Inputs inputs)
    : directory_(directory),
      path_(std::move(name)),
      shown_(std::move(shown)),
      inputs_(std::move(inputs)) {}

OutputFile::~OutputFile() {
  if (!temporary_name_.empty()) ::unlinkat(directory_, temporary_name_.c_str(), 0);
}

bool OutputFile::fail(int error, Failure& failure) const {
  failure = failure_of(shown_, error);
  return false;
}

bool OutputFile::append(std::string_view text, Failure& failure) {
  buffer_ += text;
  if (buffer_.size() <= buffered_bytes && !direct_) return true;
  if (!out_ && !direct_) {
    const auto old = look(failure);
    if (!old || !start(*old, failure)) return false;
  }
  return flush(failure);
}

// Links are not followed here: the constructor has done so where they may be.
std::optional<OutputFile::Old> OutputFile::look(Failure& failure) const {
  Old old;
  old.file = Descriptor(
      ::openat(directory_, path_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  old.exists =
      (old.file ? ::fstat(*old.file, &old.status)
                : ::fstatat(directory_, path_.c_str(), &old.status, AT_SYMLINK_NOFOLLOW)) == 0;
  if (!old.exists && errno != ENOENT) return fail(errno, failure), std::nullopt;
  const bool link = old.exists && S_ISLNK(old.status.st_mode);
  // In an open directory a link is replaced; else its end is what is meant, and this one has none.
  if (link && directory_ == AT_FDCWD) return fail(ELOOP, failure), std::nullopt;
  if (!old.exists || link || S_ISREG(old.status.st_mode)) return old;
  fail(EISDIR, failure);
  if (!S_ISDIR(old.status.st_mode)) failure.message = fmt::format("{}: not a regular file", shown_);
  return std::nullopt;
}

bool OutputFile::same_as(const Old& old) const {
  if (!old.regular() || !old.file) return false;
  if (!out_) return old.size() == buffer_.size() && has_text(*old.file, buffer_);
  struct stat status {};
  return ::fstat(*out_, &status) == 0 && status.st_size == old.status.st_size &&
         same_bytes(*old.file, *out_, old.size());
}

// Makes the temporary file. Its name is hidden, so that `kubectl apply -f DIR` and patterns pass
// over what a killed process left.
bool OutputFile::start(const Old& old, Failure& failure) {
  const std::size_t slash = path_.rfind('/');
  const std::string directory = slash == std::string::npos ? "" : path_.substr(0, slash + 1);
  for (int i = 0; !out_ && i < 100; ++i) {
    const std::string name = fmt::format("{}.flexslice-{}-{}", directory, ::getpid(), i);
    out_ = Descriptor(::openat(directory_, name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
                               is_script() ? 0777 : 0666));
    if (out_) temporary_name_ = name;
    if (!out_ && errno != EEXIST) return fail(errno, failure);
  }
  if (!out_) return fail(EEXIST, failure);
  if (!old.regular()) return true;
  const mode_t mode = old.status.st_mode & 0777u;
  // Somebody else's file stays theirs where we may give it to them; that we may not is no error.
  if (::fchown(*out_, old.status.st_uid, old.status.st_gid) != 0) errno = 0;
  return ::fchmod(*out_, is_script() ? executable(mode) : mode) == 0 || fail(errno, failure);
}

bool OutputFile::flush(Failure& failure) {
  if (direct_ && !out_) out_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
  if (!out_ || !write_all(*out_, buffer_)) return fail(errno, failure);
  buffer_.clear();
  return true;
}

std::optional<Written> OutputFile::commit(Failure& failure) {
  if (direct_) {
    if (!flush(failure)) return std::nullopt;
    if (!out_.close()) return fail(errno, failure), std::nullopt;
    return Written::written;
  }
  const auto old = look(failure);
  if (!old || (out_ && !flush(failure))) return std::nullopt;
  if (!same_as(*old)) return replace(*old, failure);
  if (is_script() && (old->status.st_mode & 0111u) == 0)
    ::fchmod(*old->file, executable(old->status.st_mode & 0777u));
  return Written::unchanged;
}

std::optional<Written> OutputFile::replace(const Old& old, Failure& failure) {
  if (old.regular() && inputs_ && inputs_(id_of(old.status))) {
    failure = {fmt::format("{}: is read as well, and would be overwritten", shown_)};
    return std::nullopt;
  }
  // Root may write where nobody may; who takes all leave away means root too.
  if (old.regular() &&
      ((old.status.st_mode & 0222u) == 0 || ::faccessat(directory_, path_.c_str(), W_OK, 0) != 0)) {
    failure = {fmt::format("{}: is read-only", shown_)};
    return std::nullopt;
  }
  if (!out_ && (!start(old, failure) || !flush(failure))) return std::nullopt;
  if (!out_.close() ||
      ::renameat(directory_, temporary_name_.c_str(), directory_, path_.c_str()) != 0)
    return fail(errno, failure), std::nullopt;
  temporary_name_.clear();
  return Written::written;
}

bool OutputFile::refresh(std::int64_t time, Failure& failure) const {
  struct stat status {};
  if (direct_ || (::fstatat(directory_, path_.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                  nanoseconds(status) >= time))
    return true;
  return ::utimensat(directory_, path_.c_str(), nullptr, AT_SYMLINK_NOFOLLOW) == 0 ||
         fail(errno, failure);
}

std::int64_t modified_at(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? nanoseconds(status) : 0;
}

std::optional<Descriptor> OutputDirectory::open(const std::string& name, bool make,
                                                Failure& failure) {
  // A workload's name is a DNS label; this is the last line of defence.
  if (name.empty() || name.find('/') != std::string::npos || name.starts_with('.'))
    throw std::logic_error("`" + name + "` is no name");
  const auto fail = [&](const std::string& path, int error) {
    failure = failure_of(path, error);
    return std::nullopt;
  };
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  if (!root_) {
    std::error_code error;
    if (make) std::filesystem::create_directories(path_, error);
    root_ = Descriptor(::open(path_.c_str(), flags));
    if (!root_ && errno == ENOENT && !make) return Descriptor();
    if (!root_) return fail(path_, error && errno == ENOENT ? error.value() : errno);
  }
  const std::string shown = path_ + "/" + name;
  Descriptor found(::openat(*root_, name.c_str(), flags | O_NOFOLLOW));
  if (!found && errno == ENOENT && !make) return Descriptor();
  if (!found && errno == ENOENT && ::mkdirat(*root_, name.c_str(), 0777) == 0)
    found = Descriptor(::openat(*root_, name.c_str(), flags | O_NOFOLLOW));
  if (found) return found;
  fail(shown, errno);
  struct stat status {};
  if (::fstatat(*root_, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode))
    failure = {
        fmt::format("{}: is a link, and links in the output directory are not followed", shown)};
  return std::nullopt;
}

std::optional<std::string> read_at(int directory, const std::string& name, const std::string& shown,
                                   bool follow, Failure& failure) {
  const Descriptor file(::openat(directory, name.c_str(),
                                 O_RDONLY | O_NONBLOCK | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW)));
  if (!file && (errno == ENOENT || (errno == ELOOP && !follow))) return std::nullopt;
  struct stat status {};
  if (!file || ::fstat(*file, &status) != 0 || S_ISDIR(status.st_mode)) {
    failure = failure_of(shown, file ? EISDIR : errno);
    return std::nullopt;
  }
  std::string text(std::min(static_cast<std::size_t>(status.st_size), max_shown_bytes) + 1, '\0');
  const auto count = read_all(*file, text.data(), text.size(), 0);
  if (!count) {
    failure = failure_of(shown, errno);
    return std::nullopt;
  }
  text.resize(*count);
  return text;
}

std::optional<FileId> file_id(const std::string& path) {
  struct stat status {};
  const int result = path == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
  if (result != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return id_of(status);
}

}  // namespace flexslice::cli
