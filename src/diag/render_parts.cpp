#include "diag/render_parts.hpp"

#include <algorithm>
#include <cstdio>

namespace flexslice::diag {

namespace {

constexpr std::size_t mark_distance = 4096;

struct Range {
  char32_t first, last;
};

// From EastAsianWidth.txt and DerivedGeneralCategory.txt of Unicode 14, blocks rounded.
constexpr Range wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},   {0x23F3, 0x23F3},
    {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},   {0x2693, 0x2693},   {0x26A1, 0x26A1},
    {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},   {0x26D4, 0x26D4},   {0x26EA, 0x26EA},
    {0x26F2, 0x26F3},   {0x26F5, 0x26F5},   {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},
    {0x2728, 0x2728},   {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
    {0x27B0, 0x27B0},   {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},
    {0x3041, 0x3247},   {0x3250, 0x4DBF},   {0x4E00, 0xA4C6},   {0xA960, 0xA97C},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},
    {0xFE10, 0xFE19},   {0xFE30, 0xFE6B},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x1B2FB}, {0x1F18E, 0x1F18E},
    {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA},
    {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4}, {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC},
    {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F},
    {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6DF}, {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC},
    {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945}, {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAF6}, {0x20000, 0x3FFFD},
};

constexpr Range joined[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},   {0x064B, 0x065F}, {0x06D6, 0x06DC},
    {0x093C, 0x093C}, {0x0941, 0x0948}, {0x094D, 0x094D}, {0x0E31, 0x0E31},   {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E},
    {0x1160, 0x11FF}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200C, 0x200D},   {0x20D0, 0x20F0}, {0x302A, 0x302D},
    {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF},
};

// Acts on the terminal, turns the direction of text around, or looks like nothing.
constexpr Range unprintable[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F}, {0x00AD, 0x00AD}, {0x061C, 0x061C}, {0x200B, 0x200B},   {0x200E, 0x200F},
    {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F},
};

bool in(std::span<const Range> ranges, char32_t point) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), point, [](char32_t p, const Range& r) { return p < r.first; });
  return after != ranges.begin() && point <= (after - 1)->last;
}

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

void append_hex(std::string_view format, char32_t point, std::string& out) {
  char buffer[16];
  const int length = std::snprintf(buffer, sizeof buffer, format.data(), static_cast<unsigned>(point));
  out.append(buffer, static_cast<std::size_t>(std::max(length, 0)));
}

void append_json_escape(char32_t point, std::string& out) {
  if (point < 0x10000) return append_hex("\\u%04x", point, out);
  append_hex("\\u%04x", 0xD800 + ((point - 0x10000) >> 10), out);
  append_hex("\\u%04x", 0xDC00 + ((point - 0x10000) & 0x3FF), out);
}

void append_json_point(std::string_view text, std::size_t offset, std::size_t length, std::string& out) {
  const char32_t point = text::utf8_decode(text, offset, length);
  if (point == '"' || point == '\\') {
    out += '\\';
    out += static_cast<char>(point);
  } else if (point == '\n') {
    out += "\\n";
  } else if (point == '\t') {
    out += "\\t";
  } else if (in(unprintable, point)) {
    append_json_escape(point, out);
  } else {
    out += text.substr(offset, length);
  }
}

}  // namespace

Glyph glyph(std::string_view text, std::size_t offset) {
  const std::size_t length = text::utf8_length(text, offset);
  if (length == 0) return {std::string(replacement), 1, 1};
  const char32_t point = text::utf8_decode(text, offset, length);
  if (point == '\t') return {"\t", 1, 0};
  if (in(unprintable, point)) {
    Glyph escaped{{}, length, 0};
    append_hex("<U+%04X>", point, escaped.text);
    escaped.columns = static_cast<int>(escaped.text.size());
    return escaped;
  }
  const int columns = in(wide, point) ? 2 : in(joined, point) ? 0 : 1;
  return {std::string(text.substr(offset, length)), length, columns};
}

void append_visible(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size();) {
    const Glyph next = glyph(text, i);
    switch (text[i]) {
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += next.text;
    }
    i += next.bytes;
  }
}

void append_visible_lines(std::string_view text, std::string& out) {
  const char* separator = "";
  for (std::string_view line : text::split(text, '\n')) {
    out += separator;
    append_visible(line, out);
    separator = "\n";
  }
}

void append_json(std::string_view text, std::string& out) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = text::utf8_length(text, i);
    if (length == 0) {
      out += replacement;
    } else {
      append_json_point(text, i, length, out);
    }
    i += std::max<std::size_t>(length, 1);
  }
  out += '"';
}

std::string_view level_text(Level level) { return level == Level::warning ? "warning" : "error"; }

std::string whole_message(const Place& place, const Diagnostic& finding) {
  std::string whole = finding.message;
  if (!place.file.empty() && !place.is_file()) whole = text::format("{}: {}", place.file, finding.message);
  for (const std::string& note : finding.notes) whole += "\nnote: " + note;
  for (const std::string& help : finding.helps) whole += "\nhelp: " + help;
  return whole;
}

Place Locator::place(Span span) {
  if (span.source >= sources_.size()) return {};
  const Source& source = sources_[span.source];
  // `--set` and its kind: the text is an argument, and a line in it means nothing to anybody.
  if (source.text.empty() || source.name.starts_with("--")) return {source.name, std::nullopt, std::nullopt};
  if (marked_ != span.source) read(span.source);
  const std::size_t begin = std::min<std::size_t>(span.begin, source.text.size());
  const std::size_t end = std::clamp<std::size_t>(span.end, begin, source.text.size());
  return {source.name, at(begin), at(end)};
}

void Locator::read(std::uint32_t source) {
  const std::string_view text = sources_[source].text;
  marked_ = source;
  marks_.assign(1, {0, {sources_[source].first_line, 1}});
  LineColumn here = marks_.front().at;
  for (std::size_t i = 0; i < text.size();) {
    here = text[i] == '\n' ? LineColumn{here.line + 1, 1} : LineColumn{here.line, here.column + 1};
    i += std::max<std::size_t>(1, text::utf8_length(text, i));
    if (i >= marks_.size() * mark_distance) marks_.push_back({i, here});
  }
}

LineColumn Locator::at(std::size_t offset) const {
  const std::string_view text = sources_[*marked_].text;
  std::size_t index = std::min(offset / mark_distance, marks_.size() - 1);
  if (marks_[index].offset > offset) --index;
  LineColumn here = marks_[index].at;
  for (std::size_t i = marks_[index].offset; i < offset;) {
    here = text[i] == '\n' ? LineColumn{here.line + 1, 1} : LineColumn{here.line, here.column + 1};
    i += std::max<std::size_t>(1, text::utf8_length(text, i));
  }
  return here;
}

}  // namespace flexslice::diag
