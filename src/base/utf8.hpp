// Reads text by code points. The readers of YAML, its writers and the renderers of diagnostics call
// it.
#pragma once

#include <cstddef>
#include <string_view>

namespace flexslice::utf8 {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
inline constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

// A well-formed sequence, or one byte that begins none.
struct Point {
  char32_t value = 0;  // U+FFFD where it is ill-formed
  std::string_view bytes;
  bool valid = true;
};

// The code point at `offset`, which is less than the text's size.
Point point_at(std::string_view text, std::size_t offset);

// For loops over all code points of a text: `for (const utf8::Point& point : utf8::Points(text))`.
class Points {
 public:
  class Iterator {
   public:
    explicit Iterator(std::string_view rest) : rest_(rest) { read(); }
    const Point& operator*() const { return point_; }
    Iterator& operator++() {
      rest_.remove_prefix(point_.bytes.size());
      read();
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.rest_.size() == b.rest_.size();
    }

   private:
    // Most text is ASCII.
    void read() {
      if (rest_.empty()) return;
      const auto first = static_cast<unsigned char>(rest_.front());
      point_ = first < 0x80 ? Point{first, rest_.substr(0, 1), true} : point_at(rest_, 0);
    }

    std::string_view rest_;
    Point point_;
  };

  explicit Points(std::string_view text) : text_(text) {}
  Iterator begin() const { return Iterator(text_); }
  Iterator end() const { return Iterator({}); }

 private:
  std::string_view text_;
};

// Whether the byte is not the first of its code point.
constexpr bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u; }

}  // namespace flexslice::utf8
