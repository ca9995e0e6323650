// Writes JSON: strings as every writer of it needs them, and whole values on one line. Trees on
// several lines are printed by yaml/emit.hpp.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace flexslice::json {

// In double quotes. A code point is written as it is where `keeps` says so; a byte that is not
// UTF-8 counts as U+FFFD.
void append_string(std::string_view text, bool (*keeps)(std::uint32_t), std::string& out);

// The same in ASCII: what would act on a terminal is escaped.
std::string quoted(std::string_view text);

struct JsonMember {
  std::string_view key;  // empty: the value is members
  std::string value;     // as JSON; empty: there is none
};
std::string members(std::initializer_list<JsonMember> list);
std::string object(std::initializer_list<JsonMember> list);

// Joins what `write` makes of each item; items for which it makes nothing are left out.
std::string list(const auto& items, auto write) {
  std::string out;
  for (const auto& item : items) {
    const std::string written = write(item);
    if (!out.empty() && !written.empty()) out += ',';
    out += written;
  }
  return '[' + out + ']';
}

}  // namespace flexslice::json
