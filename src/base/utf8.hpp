// Reads text by code points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace flexslice::utf8 {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
inline constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

// A well-formed sequence, or one byte that begins none.
struct Point {
  std::uint32_t value = 0;  // U+FFFD where it is ill-formed
  std::string_view bytes;
  bool valid = true;
};

// Returns whether the byte is a later byte of a code point.
constexpr bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u; }

// Writes a byte that belongs to no code point as messages show it: `0xE4`.
std::string hex(char byte);

// The code point at `offset`, which is less than the text's size.
Point point_at(std::string_view text, std::size_t offset);

// For loops over all code points of a text: `for (const utf8::Point& point : utf8::Points(text))`.
class Points {
 public:
  explicit Points(std::string_view text) : rest_(text) { read(); }
  Points begin() const { return *this; }
  std::default_sentinel_t end() const { return {}; }
  const Point& operator*() const { return point_; }
  void operator++() {
    rest_.remove_prefix(point_.bytes.size());
    read();
  }
  bool operator==(std::default_sentinel_t) const { return rest_.empty(); }

 private:
  void read() {
    if (!rest_.empty()) point_ = point_at(rest_, 0);
  }

  std::string_view rest_;
  Point point_;
};

}  // namespace flexslice::utf8
