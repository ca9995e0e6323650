#include "cli/run/fixer.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.hpp"

namespace flexslice::cli {

std::optional<Failure> Fixer::refusal(const std::string& path) {
  struct stat status {};
  // What cannot be opened is reported by the reader.
  if (path == "-" || ::stat(path.c_str(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode))
    return file_error(fmt::format("{}: is not a regular file, and was not mended", path));
  if ((status.st_mode & 0222u) != 0 && ::access(path.c_str(), W_OK) == 0) return std::nullopt;
  return file_error(fmt::format("{}: is read-only, and was not mended", path));
}

void Fixer::begin(const std::string& path, std::int64_t modified) {
  path_ = path;
  modified_ = modified;
  fixed_here_ = 0;
  out_ = path == "-" ? nullptr : std::make_unique<OutputFile>(path);
}

void Fixer::write(std::string_view text, std::size_t fixed) {
  fixed_here_ += fixed;
  if (path_ == "-") return print(text);
  if (!out_) return;
  try {
    out_->append(text);
  } catch (const Failure&) {
    out_.reset();
    throw;
  }
}

void Fixer::end(bool whole) {
  const std::unique_ptr<OutputFile> out = std::move(out_);
  if (fixed_here_ == 0 || !whole) return;
  if (path_ != "-") {
    if (!out) return;  // has been reported
    if (modified_at(path_) != modified_)
      throw file_error(fmt::format("{}: was changed by somebody else, and was not mended", path_));
    out->commit();
  }
  fixed_ += fixed_here_;
  ++files_;
}

void Fixer::summary() const {
  if (fixed_ == 0) return;
  print_error(fmt::format("fixed {} in {}\n",
                          text::count(static_cast<std::int64_t>(fixed_), "finding"),
                          text::count(static_cast<std::int64_t>(files_), "file")));
}

}  // namespace flexslice::cli
