#include "cli/check_fix.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.hpp"
#include "cli/cli.hpp"

namespace flexslice::cli {

std::optional<Failure> Fixer::refusal(const std::string& path) {
  struct stat status {};
  // What cannot be opened is reported by who reads it.
  if (path == "-" || ::stat(path.c_str(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode))
    return Failure{fmt::format("{}: is not a regular file, and was not mended", path)};
  if ((status.st_mode & 0222u) != 0 && ::access(path.c_str(), W_OK) == 0) return std::nullopt;
  return Failure{fmt::format("{}: is read-only, and was not mended", path)};
}

int Fixer::begin(const std::string& path, std::int64_t modified) {
  path_ = path;
  fixed_here_ = 0;
  if (path == "-") return fine;
  modified_ = modified;
  out_ = std::make_unique<OutputFile>(path);
  return fine;
}

int Fixer::write(std::string_view text) {
  if (path_ == "-") return print(text);
  Failure failure;
  if (!out_ || out_->append(text, failure)) return fine;
  out_.reset();
  return file_error(failure.message);
}

int Fixer::document(const Checked& checked) {
  fixed_here_ += checked.fixed;
  return write(checked.text);
}

int Fixer::other(std::string_view text) { return write(text); }

int Fixer::end(bool whole) {
  const std::unique_ptr<OutputFile> out = std::move(out_);
  if (fixed_here_ == 0 || !whole) return fine;
  Failure failure;
  if (path_ != "-") {
    if (!out) return fine;  // has been reported
    if (modified_at(path_) != modified_)
      return file_error(fmt::format("{}: was changed by somebody else, and was not mended", path_));
    if (!out->commit(failure)) return file_error(failure.message);
  }
  fixed_ += fixed_here_;
  ++files_;
  return fine;
}

void Fixer::summary() const {
  if (fixed_ == 0) return;
  print_error(fmt::format("fixed {} in {}\n",
                          text::count(static_cast<std::int64_t>(fixed_), "finding"),
                          text::count(static_cast<std::int64_t>(files_), "file")));
}

}  // namespace flexslice::cli
