#include "yaml/check.hpp"

#include <algorithm>

#include "yaml/parse.hpp"

namespace flexslice::yaml {

namespace {

constexpr int most_findings = 5;

std::string hexadecimal(char32_t number, int digits) {
  constexpr std::string_view symbols = "0123456789ABCDEF";
  std::string text;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += symbols[(number >> shift) & 0xF];
  return text;
}

bool is_allowed(char32_t point) {
  if (point < 0xa0) return point == 0x85;
  return point != 0xfeff && point != 0xfffe && point != 0xffff;
}

// Why the text cannot go on at `at`, or nothing. `length` becomes the number of bytes it is about, or that may be skipped.
std::string objection(std::string_view text, std::size_t at, std::size_t& length) {
  const auto byte = static_cast<unsigned char>(text[at]);
  length = std::max<std::size_t>(1, text::utf8_length(text, at));
  if (byte >= 0x80 && length == 1) return text::format("the byte 0x{} is not valid UTF-8", hexadecimal(byte, 2));
  if (byte == '\t' || byte == '\n') return {};
  if (byte == '\r') {
    return at + 1 < text.size() && text[at + 1] == '\n' ? "" : "a carriage return without a line feed behind it";
  }
  if (byte == 0) return "a NUL byte";
  if (byte < 0x80) return text::format("the control character U+{}", hexadecimal(byte, 4));
  const char32_t point = text::utf8_decode(text, at, length);
  if (is_allowed(point)) return {};
  if (point == 0xfeff) return "a byte order mark in the middle of the text";
  return text::format("the unprintable character U+{}", hexadecimal(point, 4));
}

}  // namespace

std::size_t mark_length(std::string_view text) { return text.starts_with("\xEF\xBB\xBF") ? 3 : 0; }

bool check_text(std::string_view text, std::uint32_t source, diag::Sink& sink) {
  if (text.size() > max_document_bytes) {
    sink.report<diag::Code::TooLarge>({source, 0, 0},
                                      text::format("the document has {} bytes, and at most {} are read", text.size(), max_document_bytes));
    return false;
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    sink.report<diag::Code::InvalidText>({source, 0, 2}, "this is UTF-16, and specs are UTF-8").help("save the file as UTF-8");
    return false;
  }
  int findings = 0;
  for (std::size_t at = mark_length(text); at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if ((byte >= 0x20 && byte < 0x7f) || byte == '\n') {
      ++at;
      continue;
    }
    std::size_t length = 1;
    const std::string reason = objection(text, at, length);
    if (!reason.empty()) {
      const auto begin = static_cast<std::uint32_t>(at);
      sink.report<diag::Code::InvalidText>({source, begin, begin + static_cast<std::uint32_t>(length)}, reason);
      if (++findings == most_findings) return false;
    }
    at += length;
  }
  return findings == 0;
}

}  // namespace flexslice::yaml
