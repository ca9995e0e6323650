#include "base/json.hpp"

#include <fmt/core.h>

#include "base/utf8.hpp"

namespace flexslice::json {

void append_string(std::string_view text, bool (*keeps)(std::uint32_t), std::string& out) {
  out += '"';
  for (const utf8::Point& point : utf8::Points(text)) {
    const std::size_t named = std::string_view("\"\\\n\t\r").find(point.bytes);
    if (named != std::string_view::npos) {
      out.append("\\").append(1, "\"\\ntr"[named]);
    } else if (keeps(point.value)) {
      out += point.bytes;
    } else if (point.value > 0xFFFF) {
      const std::uint32_t above = point.value - 0x10000;
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (above >> 10u), 0xDC00 + (above & 0x3FFu));
    } else {
      out += fmt::format("\\u{:04x}", point.value);
    }
  }
  out += '"';
}

std::string quoted(std::string_view text) {
  std::string out;
  append_string(
      text, [](std::uint32_t point) { return point >= ' ' && point < 0x7F; }, out);
  return out;
}

std::string members(std::initializer_list<JsonMember> list) {
  std::string out;
  for (const auto& [key, value] : list) {
    if (value.empty()) continue;
    if (!out.empty()) out += ',';
    if (!key.empty()) out.append(quoted(key)).append(1, ':');
    out += value;
  }
  return out;
}

std::string object(std::initializer_list<JsonMember> list) { return '{' + members(list) + '}'; }

}  // namespace flexslice::json
