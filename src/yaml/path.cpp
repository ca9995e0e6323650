#include "yaml/path.hpp"

#include <fmt/core.h>

namespace flexslice::yaml {

std::string path_text(PathView path) {
  std::string text;
  for (const std::string& key : path)
    text::add_to_path(text, text::is_index(key) ? fmt::format("[{}]", key) : key);
  return text;
}

}  // namespace flexslice::yaml
