#include "yaml/check_text.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/lines.hpp"
#include "base/utf8.hpp"
#include "yaml/parse.hpp"

namespace flexslice::yaml {

namespace {

constexpr std::size_t most_findings = 5;

// Git takes a file with a NUL so near its beginning for a binary one.
constexpr std::size_t binary_bytes = 8000;

// Returns the problem with the code point at `at`, or an empty text.
std::string objection(std::string_view text, std::size_t at, std::uint32_t value) {
  if (value == '\r')
    return text.substr(at + 1).starts_with('\n') ? "" : "a carriage return without a line feed";
  if (value == 0) return "NUL";
  if (value == 0xfeff) return "a byte order mark in the middle of the text";
  const bool control = value < ' ' && value != '\t';
  if (!control && (value < 0x7f || value == 0x85 || value >= 0xa0) && value != 0xfffe &&
      value != 0xffff)
    return {};
  return value < 0x80 ? "a control character" : "not printable";
}

}  // namespace

bool check_text(std::string_view text, std::uint32_t source, diag::Sink& sink) {
  if (text.size() > max_document_bytes) {
    sink.report<diag::Code::TooLarge>({source, 0, 0}, fmt::format("{} bytes", max_document_bytes));
    return false;
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    sink.report<diag::Code::Utf16>(Span{source, 0, 2}).help("save the file as UTF-8");
    return false;
  }
  diag::Sink found;
  // Nearly all characters are, and need no closer look.
  const auto is_usual = [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; };
  for (std::size_t at = text::mark_length(text);;) {
    const auto unusual = std::find_if_not(text.begin() + at, text.end(), is_usual);
    if (unusual == text.end()) break;
    at = static_cast<std::size_t>(unusual - text.begin());
    const utf8::Point point = utf8::point_at(text, at);
    const Span where{source, at, at + point.bytes.size()};
    if (!point.valid) {
      found.report<diag::Code::NotUtf8>(where, utf8::hex(text[at]));
    } else if (const std::string reason = objection(text, at, point.value); !reason.empty()) {
      found.report<diag::Code::InvalidCharacter>(where,
                                                 fmt::format("U+{:04X} ({})", point.value, reason));
    }
    if (found.found().size() == most_findings) break;
    at += point.bytes.size();
  }
  if (found.found().size() == most_findings &&
      text.substr(0, binary_bytes).find('\0') != std::string_view::npos) {
    sink.report<diag::Code::BinaryFile>(Span{source, 0, 0});
    return false;
  }
  const bool good = found.found().empty();
  for (diag::Diagnostic& each : found.take()) sink.add(std::move(each));
  return good;
}

}  // namespace flexslice::yaml
