// What somebody may have meant by a text that does not have its pattern: `64GB`, `2 hours`,
// `us-east5b`, `gs://bucket`, `My_Job`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schema/pattern.hpp"

namespace flexslice::schema {

// A text that has the pattern, or nothing.
std::optional<std::string> likely(Pattern pattern, std::string_view text);

}  // namespace flexslice::schema
