// Patterns of `--exclude`.
#pragma once

#include <string_view>

namespace flexslice::cli {

// Compares the whole path, or, for a pattern without `/`, its last name. `*`, `?` and `[a-z]` stay
// within a name; `**` is any number of folders.
bool glob_matches(std::string_view pattern, std::string_view path);

}  // namespace flexslice::cli
