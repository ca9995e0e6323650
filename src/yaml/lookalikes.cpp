#include "yaml/lookalikes.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/lines.hpp"
#include "base/utf8.hpp"

namespace flexslice::yaml {

namespace {

using std::size_t;

struct Space {
  std::uint32_t point;
  std::string_view name;
};
constexpr Space spaces[] = {
    {0x00A0, "no-break space"}, {0x2002, "en space"},          {0x2003, "em space"},
    {0x2007, "figure space"},   {0x2009, "thin space"},        {0x200B, "zero-width space"},
    {0x202F, "narrow space"},   {0x3000, "ideographic space"},
};

// ‘ ’ ‚ ‛ “ ” „ ‟ « »
bool is_typed_quote(std::uint32_t point) {
  return (point >= 0x2018 && point <= 0x201F) || point == 0xAB || point == 0xBB;
}

const Space* space_at(std::string_view text, size_t at) {
  if (at >= text.size() || static_cast<unsigned char>(text[at]) < 0x80) return nullptr;
  const auto* space = std::ranges::find(spaces, utf8::point_at(text, at).value, &Space::point);
  return space == std::end(spaces) ? nullptr : space;
}

size_t point_before(std::string_view text, size_t end) {
  size_t begin = end;
  while (begin > 0 && end - begin < 4 && utf8::continues(text[begin - 1])) --begin;
  return begin > 0 ? begin - 1 : 0;
}

}  // namespace

bool is_space_lookalike(std::string_view text, size_t at) { return space_at(text, at) != nullptr; }

bool is_space_lookalike_before(std::string_view text, size_t end) {
  return is_space_lookalike(text, point_before(text, end));
}

bool is_quote_lookalike(std::string_view text, size_t at) {
  return at < text.size() && static_cast<unsigned char>(text[at]) >= 0x80 &&
         is_typed_quote(utf8::point_at(text, at).value);
}

void report_lookalike(std::string_view text, size_t at, size_t end, std::uint32_t source,
                      diag::Sink& sink) {
  const utf8::Point point = utf8::point_at(text, at);
  const Space* space = space_at(text, at);
  if (space == nullptr) {
    const Span opening{source, at, at + point.bytes.size()};
    diag::Diagnostic& report = sink.report<diag::Code::TypographicQuote>(opening, point.bytes);
    report.help("write `\"`");
    const size_t last = point_before(text, end);
    if (last > at && is_quote_lookalike(text, last) &&
        text.substr(at, end - at).find_first_of("\"\\\n") == std::string_view::npos)
      report.fix(opening, "\"").fix({source, last, end}, "\"");
    return;
  }
  size_t after = at;
  std::string blanks;
  for (; space_at(text, after) == space; after += point.bytes.size())
    blanks += space->point == 0x200B ? "" : " ";
  sink.report<diag::Code::UnicodeSpace>({source, at, after}, fmt::format("{:04X}", space->point),
                                        space->name)
      .help(blanks.empty() ? "delete it" : "write a space")
      .fix({source, at, after}, blanks);
}

size_t find_lookalike(std::string_view text, size_t at) {
  const size_t end = text::line_end(text, at);
  bool expected = true;
  for (at = text::line_begin(text, at); at < end;) {
    const utf8::Point point = utf8::point_at(text, at);
    if (expected && (space_at(text, at) != nullptr || is_typed_quote(point.value))) return at;
    if (point.value == '#' && expected) break;
    expected = std::string_view(" \t:-,[{").find(text[at]) != std::string_view::npos;
    at += point.bytes.size();
  }
  return std::string_view::npos;
}

}  // namespace flexslice::yaml
