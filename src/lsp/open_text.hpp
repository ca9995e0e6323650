// The text of an open document, and the places in it as a language client counts them: lines from
// 0, characters in bytes or in UTF-16 code units.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace flexslice::lsp {

enum class Encoding : std::uint8_t { utf16, utf8 };

struct ClientPosition {
  std::size_t line = 0;
  std::size_t character = 0;
};

class OpenText {
 public:
  explicit OpenText(std::string text) : text_(std::move(text)) { find_lines(); }

  const std::string& text() const { return text_; }
  // A line or a character after the last one is the end of the text or of the line.
  std::size_t offset(ClientPosition position, Encoding encoding) const;
  ClientPosition position(std::size_t offset, Encoding encoding) const;
  // Replaces the bytes from `begin` to `end`.
  void replace(std::size_t begin, std::size_t end, std::string_view by);

 private:
  void find_lines();
  std::string_view line_from(std::size_t index) const;  // with its line break

  std::string text_;
  std::vector<std::size_t> lines_;  // where each begins
  // The place that was asked for last. The next one is often behind it, and lines may be long.
  mutable std::size_t last_offset_ = 0;
  mutable ClientPosition last_;
};

}  // namespace flexslice::lsp
