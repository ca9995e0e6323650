// Small helpers for text that several passes need. No locale, no regular expressions.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flexslice::text {

// One argument of fill: text, which must outlive it, or a whole number.
class Piece {
 public:
  Piece(std::string_view text) : text_(text) {}
  Piece(const std::string& text) : text_(text) {}
  Piece(const char* text) : text_(text) {}
  template <std::integral N>
  Piece(N number) : is_number_(true) {
    const char* end = std::to_chars(digits_.data(), digits_.data() + digits_.size(), number).ptr;
    size_ = static_cast<std::size_t>(end - digits_.data());
  }

  std::string_view view() const { return is_number_ ? std::string_view(digits_.data(), size_) : text_; }

 private:
  std::string_view text_;
  bool is_number_ = false;
  std::array<char, 20> digits_{};  // room for every 64-bit number
  std::size_t size_ = 0;
};

// How many `{}` a message has.
constexpr std::size_t holes(std::string_view message) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < message.size(); ++i) {
    if (message[i] == '{' && message[i + 1] == '}') ++count;
  }
  return count;
}

// Puts the pieces into the holes, in order. The caller has made sure that the counts agree.
std::string fill(std::string_view message, std::initializer_list<Piece> pieces);

template <class... Args>
std::string format(std::string_view message, const Args&... args) {
  return fill(message, {Piece(args)...});
}

std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);  // blanks, tabs and line ends
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string join(std::span<const std::string_view> parts, std::string_view separator);
std::string quoted_list(std::span<const std::string_view> words);  // each between backquotes, with commas
std::string lower(std::string_view text);                          // ASCII letters only

// `1 host`, `4 hosts`.
std::string count(std::int64_t number, std::string_view noun);

// In capitals, with zeros before it up to so many digits.
std::string hexadecimal(std::uint32_t number, int digits);

// A whole decimal number without sign, or nothing: no blanks, no overflow, no leading `+`.
std::optional<std::int64_t> whole_number(std::string_view text);

// The candidate that is most likely meant, or nothing when none is near.
std::optional<std::string_view> nearest(std::string_view seen, std::span<const std::string_view> candidates);

}  // namespace flexslice::text
