#include "cli/run/fixer.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/credentials.hpp"
#include "base/diff.hpp"
#include "base/text.hpp"

namespace flexslice::cli {

std::optional<Failure> Fixer::refusal(const std::string& path) const {
  struct stat status {};
  // The reader reports files that cannot be opened.
  if (only_diff_ || path == "-" || ::stat(path.c_str(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode))
    return file_error(fmt::format("{}: not a regular file; not fixed", path));
  if (status.st_nlink > 1)
    return file_error(
        fmt::format("{}: has {}, and only this name would get the new text; not fixed", path,
                    text::count(static_cast<std::int64_t>(status.st_nlink), "hard link")));
  if ((status.st_mode & 0222u) != 0 && ::access(path.c_str(), W_OK) == 0) return std::nullopt;
  return file_error(fmt::format("{}: read-only; not fixed", path));
}

void Fixer::begin(const std::string& path, std::int64_t modified) {
  path_ = path;
  modified_ = modified;
  fixed_here_ = 0;
  old_.clear();
  new_.clear();
  out_ = only_diff_ || path == "-" ? nullptr : std::make_unique<OutputFile>(path);
  if (out_) out_->keep_mode_and_owner();
}

void Fixer::write(std::string_view old, std::string_view text, std::size_t fixed) {
  fixed_here_ += fixed;
  if (only_diff_) {
    old_ += old;
    new_ += text;
    return;
  }
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
  if (only_diff_) {
    const std::string_view name = path_ == "-" ? "<stdin>" : std::string_view(path_);
    print(unified_diff(masked(old_), masked(new_), name, name));
  } else if (path_ != "-") {
    if (!out) return;  // has been reported
    if (modified_at(path_) != modified_)
      throw file_error(fmt::format("{}: changed on disk; not fixed", path_));
    out->commit();
  }
  fixed_ += fixed_here_;
  ++files_;
}

void Fixer::summary() const {
  if (fixed_ == 0) return;
  print_error(fmt::format("{} {} in {}\n", only_diff_ ? "would fix" : "fixed",
                          text::count(static_cast<std::int64_t>(fixed_), "finding"),
                          text::count(static_cast<std::int64_t>(files_), "file")));
}

}  // namespace flexslice::cli
