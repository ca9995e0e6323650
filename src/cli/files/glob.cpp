#include "cli/files/glob.hpp"

#include <fnmatch.h>

#include <span>
#include <string>

#include "base/text.hpp"

namespace flexslice::cli {

namespace {

using Names = std::span<const std::string_view>;

bool names_match(Names pattern, Names path) {
  for (; !pattern.empty(); pattern = pattern.subspan(1), path = path.subspan(1)) {
    if (pattern.front() == "**") {
      // At the end it is everything inside of a folder, not the folder.
      if (pattern.size() == 1) return !path.empty();
      while (!names_match(pattern.subspan(1), path)) {
        if (path.empty()) return false;
        path = path.subspan(1);
      }
      return true;
    }
    if (path.empty() ||
        ::fnmatch(std::string(pattern.front()).c_str(), std::string(path.front()).c_str(), 0) != 0)
      return false;
  }
  return path.empty();
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view path) {
  while (pattern.ends_with('/')) pattern.remove_suffix(1);
  const bool is_name = pattern.find('/') == std::string_view::npos && pattern != "**";
  while (pattern.starts_with("./")) pattern.remove_prefix(2);
  const auto names = text::split(path, '/');
  return names_match(text::split(pattern, '/'), is_name ? Names(names).last(1) : Names(names));
}

}  // namespace flexslice::cli
