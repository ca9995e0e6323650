#include "yaml/check.hpp"

#include <fmt/core.h>

#include "base/lines.hpp"
#include "base/utf8.hpp"
#include "yaml/parse.hpp"

namespace flexslice::yaml {

namespace {

constexpr int most_findings = 5;

// Allowed, as nearly all characters are.
bool is_common(char c) { return (c >= ' ' && c <= '~') || c == '\n'; }

bool is_allowed(char32_t point) {
  if (point < 0xa0) return point == '\t' || point == 0x85;
  return point != 0xfeff && point != 0xfffe && point != 0xffff;
}

// Why the text cannot go on at the code point `at`, or nothing.
std::string objection(std::string_view text, std::size_t at, const utf8::Point& point) {
  if (!point.valid)
    return fmt::format("the byte 0x{} is not valid UTF-8",
                       text::hexadecimal(static_cast<unsigned char>(text[at]), 2));
  if (is_allowed(point.value)) return {};
  if (point.value == '\r')
    return text.substr(at + 1).starts_with('\n')
               ? ""
               : "a carriage return without a line feed behind it";
  if (point.value == 0) return "a NUL byte";
  if (point.value == 0xfeff) return "a byte order mark in the middle of the text";
  const std::string_view kind = point.value < 0x80 ? "control" : "unprintable";
  return fmt::format("the {} character U+{}", kind, text::hexadecimal(point.value, 4));
}

}  // namespace

bool check_text(std::string_view text, std::uint32_t source, diag::Sink& sink) {
  if (text.size() > max_document_bytes) {
    sink.report<diag::Code::TooLarge>(
        {source, 0, 0}, fmt::format("the document has {} bytes, and at most {} are read",
                                    text.size(), max_document_bytes));
    return false;
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    sink.report<diag::Code::InvalidText>({source, 0, 2}, "this is UTF-16, and specs are UTF-8")
        .help("save the file as UTF-8");
    return false;
  }
  int findings = 0;
  for (std::size_t at = text::mark_length(text); at < text.size();) {
    if (is_common(text[at])) {
      ++at;
      continue;
    }
    const utf8::Point point = utf8::point_at(text, at);
    if (const std::string reason = objection(text, at, point); !reason.empty()) {
      const auto begin = static_cast<std::uint32_t>(at);
      sink.report<diag::Code::InvalidText>(
          {source, begin, begin + static_cast<std::uint32_t>(point.bytes.size())}, reason);
      if (++findings == most_findings) return false;
    }
    at += point.bytes.size();
  }
  return findings == 0;
}

}  // namespace flexslice::yaml
