// Shows what differs between two texts, line by line.
#pragma once

#include <string>
#include <string_view>

namespace flexslice {

// A unified diff with three lines of context, as `patch` reads it; empty when the texts are equal.
// Time and memory are bounded: where two large texts have little in common, the diff is right but
// not the shortest.
std::string unified_diff(std::string_view old_text, std::string_view new_text,
                         std::string_view old_name, std::string_view new_name);

}  // namespace flexslice
