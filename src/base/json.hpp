// How JSON writes a string.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace flexslice::json {

// In double quotes. A code point is written as it is where `keeps` says so; a byte that is not
// UTF-8 counts as U+FFFD.
void append_string(std::string_view text, bool (*keeps)(std::uint32_t), std::string& out);

}  // namespace flexslice::json
