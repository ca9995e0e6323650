#include "base/utf8.hpp"

#include <fmt/core.h>

namespace flexslice::utf8 {

std::string hex(char byte) { return fmt::format("0x{:02X}", static_cast<unsigned char>(byte)); }

Point point_at(std::string_view text, std::size_t offset) {
  const auto first = static_cast<unsigned char>(text[offset]);
  if (first < 0x80) return {first, text.substr(offset, 1)};
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // that needs so many bytes
  const Point ill_formed{0xFFFD, text.substr(offset, 1), false};
  const std::size_t size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (first < 0xC0 || first >= 0xF8 || text.size() - offset < size) return ill_formed;
  std::uint32_t value = first & (0x7Fu >> size);
  for (char byte : text.substr(offset + 1, size - 1)) {
    if (!continues(byte)) return ill_formed;
    value = value << 6 | (static_cast<unsigned char>(byte) & 0x3Fu);
  }
  const bool surrogate = value >= 0xD800 && value < 0xE000;
  if (value < least[size] || surrogate || value > 0x10FFFF) return ill_formed;
  return {value, text.substr(offset, size)};
}

}  // namespace flexslice::utf8
