#include "cli/io.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "yaml/parse.hpp"

namespace flexslice::cli {

namespace {

std::string reason(int error) {
  std::string text = std::strerror(error);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

Failure failure_of(const std::string& path, int error) { return {text::format("{}: {}", path == "-" ? "stdin" : path, reason(error))}; }

// Opening a directory succeeds, and reading it fails with words that help nobody.
std::FILE* open_to_read(const std::string& path, std::optional<Failure>& failure) {
  if (path == "-") return stdin;
  struct stat status {};
  if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
    failure = failure_of(path, EISDIR);
    return nullptr;
  }
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) failure = failure_of(path, errno);
  return file;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

int print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return fine;
  return flush();
}

int flush() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return fine;
  if (errno == EPIPE) return fine;
  return file_error(text::format("stdout: {}", reason(errno)));
}

void print_error(std::string_view text) {
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

int wrong_usage(std::string_view message) {
  print_error(text::format("flexslice: {}\n", message));
  return usage;
}

int file_error(std::string_view message) {
  print_error(text::format("flexslice: {}\n", message));
  return io_error;
}

std::optional<std::string> read_file(const std::string& path, Failure& failure) {
  std::optional<Failure> failed;
  std::FILE* file = open_to_read(path, failed);
  if (file == nullptr) {
    failure = *failed;
    return std::nullopt;
  }
  std::string text;
  char chunk[65536];
  for (std::size_t count; (count = std::fread(chunk, 1, sizeof chunk, file)) > 0;) text.append(chunk, count);
  const bool good = std::ferror(file) == 0;
  if (!good) failure = failure_of(path, errno);
  if (file != stdin) std::fclose(file);
  if (!good) return std::nullopt;
  return text;
}

DocumentReader::DocumentReader(const std::string& path) : name_(path == "-" ? "<stdin>" : path), file_(open_to_read(path, failure_)) {}

DocumentReader::~DocumentReader() {
  if (file_ != nullptr && file_ != stdin) std::fclose(file_);
}

// A line with its line break. A line longer than any document may be comes in pieces.
bool DocumentReader::read_line(std::string& line) {
  line.clear();
  for (;;) {
    const std::size_t end = buffer_.find('\n', at_);
    if (end != std::string::npos) {
      line.append(buffer_, at_, end + 1 - at_);
      at_ = end + 1;
      return true;
    }
    line.append(buffer_, at_);
    at_ = 0;
    buffer_.resize(65536);
    const std::size_t count = std::fread(buffer_.data(), 1, buffer_.size(), file_);
    buffer_.resize(count);
    if (count == 0 && std::ferror(file_) != 0) failure_ = failure_of(name_, errno);
    if (count == 0 || line.size() > yaml::max_document_bytes) return !line.empty();
  }
}

namespace {

bool is_marker(std::string_view line) {
  return line.starts_with("---") && (line.size() == 3 || line[3] == ' ' || line[3] == '\t' || line[3] == '\n' || line[3] == '\r');
}

bool has_content(std::string_view line) {
  const std::string_view text = text::trim(line);
  return !text.empty() && !text.starts_with('#') && text != "...";
}

}  // namespace

std::optional<Source> DocumentReader::next() {
  if (file_ == nullptr || done_) return std::nullopt;
  Source source{name_, std::move(rest_of_marker_), line_};
  rest_of_marker_.clear();
  bool content = has_content(source.text);
  if (!source.text.empty()) ++line_;
  std::string line;
  while (read_line(line)) {
    if (is_marker(line)) {
      if (content) {
        rest_of_marker_ = line.substr(3);
        any_ = true;
        return source;
      }
      source = {name_, line.substr(3), line_};
      content = has_content(source.text);
    } else {
      source.text += line;
      content = content || has_content(line);
    }
    ++line_;
    if (source.text.size() > yaml::max_document_bytes) break;  // parse says so
  }
  done_ = true;
  if (failure_ || (!content && any_)) return std::nullopt;
  any_ = true;
  return source;
}

std::optional<Written> write_file(const std::string& path, std::string_view text, Failure& failure) {
  struct stat status {};
  const bool exists = ::lstat(path.c_str(), &status) == 0;
  const bool script = path.ends_with(".sh");
  if (exists && S_ISREG(status.st_mode) && static_cast<std::size_t>(status.st_size) == text.size()) {
    Failure ignored;
    if (const auto old = read_file(path, ignored); old && *old == text) return Written::unchanged;
  }
  // A device or pipe (/dev/stdout, a process substitution) is written to, not replaced.
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    const int descriptor = S_ISDIR(status.st_mode) ? (errno = EISDIR, -1) : ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    const bool good = descriptor >= 0 && write_all(descriptor, text);
    if (!good) failure = failure_of(path, errno);
    if (descriptor >= 0) ::close(descriptor);
    return good ? std::optional(Written::written) : std::nullopt;
  }
  std::string temporary = path + ".XXXXXX";
  const int descriptor = ::mkstemp(temporary.data());
  if (descriptor < 0) {
    failure = failure_of(path, errno);
    return std::nullopt;
  }
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool good = write_all(descriptor, text) && ::fchmod(descriptor, (script ? 0777 : 0666) & ~mask) == 0;
  const bool closed = ::close(descriptor) == 0;
  if (!good || !closed || std::rename(temporary.c_str(), path.c_str()) != 0) {
    failure = failure_of(path, errno);
    ::unlink(temporary.c_str());
    return std::nullopt;
  }
  return Written::written;
}

bool make_directory(const std::string& path, Failure& failure) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) failure = failure_of(path, error.value());
  return !error;
}

}  // namespace flexslice::cli
