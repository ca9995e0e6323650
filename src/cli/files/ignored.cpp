#include "cli/files/ignored.hpp"

#include "cli/files/git.hpp"

namespace flexslice::cli {

Ignored::Ignored(const std::string& directory)
    : answer_(
          ask_git(directory,
                  {"ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"},
                  30'000)) {
  if (answer_.empty()) refusal_ = why_refused(directory);
}

bool Ignored::contains(std::string_view path) {
  for (; at_ < answer_.size(); at_ = answer_.find('\0', at_) + 1) {
    const std::string_view ignored = answer_.c_str() + at_;
    if (ignored >= path) return ignored == path;
  }
  return false;
}

}  // namespace flexslice::cli
