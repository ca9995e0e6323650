#include "yaml/check.hpp"

#include <fmt/core.h>

#include "base/lines.hpp"
#include "base/utf8.hpp"
#include "yaml/parse.hpp"

namespace flexslice::yaml {

namespace {

constexpr int most_findings = 5;

// Why the text cannot go on at the code point `at`, or nothing.
std::string objection(std::string_view text, std::size_t at, const utf8::Point& point) {
  const std::uint32_t value = point.value;
  if (!point.valid)
    return fmt::format("the byte 0x{:02X} is not valid UTF-8",
                       static_cast<unsigned char>(text[at]));
  if (value == '\r')
    return text.substr(at + 1).starts_with('\n')
               ? ""
               : "a carriage return without a line feed behind it";
  if (value == 0) return "a NUL byte";
  if (value == 0xfeff) return "a byte order mark in the middle of the text";
  const bool control = value < ' ' && value != '\t';
  if (!control && (value < 0x7f || value == 0x85 || value >= 0xa0) && value != 0xfffe &&
      value != 0xffff)
    return {};
  return fmt::format("the {} character U+{:04X}", value < 0x80 ? "control" : "unprintable", value);
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
    // As nearly all characters are.
    if ((text[at] >= ' ' && text[at] <= '~') || text[at] == '\n') {
      ++at;
      continue;
    }
    const utf8::Point point = utf8::point_at(text, at);
    if (const std::string reason = objection(text, at, point); !reason.empty()) {
      sink.report<diag::Code::InvalidText>({source, at, at + point.bytes.size()}, reason);
      if (++findings == most_findings) return false;
    }
    at += point.bytes.size();
  }
  return findings == 0;
}

}  // namespace flexslice::yaml
