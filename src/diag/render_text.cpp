#include <algorithm>

#include "base/credentials.hpp"
#include "base/lines.hpp"
#include "base/text.hpp"
#include "diag/format.hpp"
#include "diag/visible.hpp"

namespace flexslice::diag {

namespace {

using std::size_t;

constexpr int line_columns = 160;        // more of a source line is cut
constexpr int columns_before_span = 60;  // that a cut line keeps
constexpr size_t message_bytes = 4000;   // more of a message is cut
constexpr size_t value_bytes = 120;      // a longer one in it is outlined
constexpr int tab_stop = 8;
constexpr std::string_view ellipsis = "\xE2\x80\xA6";

// Parameters of the terminal's command for colors.
constexpr std::string_view strong = "1", gutter = "1;34", note = "1;36", help = "1;32";
std::string_view style_of(Level level) {
  return level == Level::note ? note : level == Level::warning ? "1;33" : "1;31";
}

std::string painted(const Rendering& run, std::string_view style, std::string_view text) {
  return run.options.color ? fmt::format("\x1b[{}m{}\x1b[0m", style, text) : std::string(text);
}

// A value without what is more than `depth` brackets deep.
std::string outline(std::string_view value, int depth) {
  std::string out;
  int level = 0;
  for (const char c : value) {
    if (c == '}' || c == ']') --level;
    if (level <= depth) {
      out += c;
    } else if (!out.ends_with(ellipsis)) {
      out += ellipsis;
    }
    if (c == '{' || c == '[') ++level;
  }
  return out;
}

// Long values in backticks keep their outline: `affinity: {podAffinity: {…}}`. A help has what is
// to be written, and formats for programs have the whole.
std::string outlined(std::string_view message) {
  std::string all;
  for (bool in_value = false; std::string_view part : text::split(message, '`')) {
    const size_t key = std::min(part.find(": "), part.size());
    std::string value(part);
    for (int depth = 3; in_value && value.size() > key + value_bytes && depth >= 0; --depth)
      value = outline(part, depth);
    all.append(in_value || !all.empty() ? "`" : "").append(value);
    in_value = !in_value;
  }
  return all;
}

std::string shortened(std::string_view text) {
  if (text.size() <= message_bytes) return std::string(text);
  size_t end = message_bytes;
  while (end > message_bytes - 4 && utf8::continues(text[end])) --end;
  return fmt::format("{}{}", text.substr(0, end), ellipsis);
}

// `file:line:col: error[FS3002]: message`
void brief_finding(const Rendering& run, Locator& locator, const Diagnostic& finding,
                   std::string& out) {
  const Place place = locator.place(finding.where);
  const std::string where = visible(place_text(place));
  const std::string label =
      fmt::format("{}[{}]:", level_text(finding.level), code_text(finding.code));
  out += fmt::format("{} {} {}\n", painted(run, strong, where + ":"),
                     painted(run, style_of(finding.level), label),
                     painted(run, strong, visible(shortened(outlined(finding.message)))));
}

// The part of a line that is shown, and the part of that which is marked, as offsets in the line.
struct Window {
  size_t begin = 0, end = 0;
  size_t marked_begin = 0, marked_end = 0;
};

// The offset after at most `columns` columns of `line` from `offset`.
size_t advance(std::string_view line, size_t offset, int columns) {
  // Code points without a width count too, or a line of nothing else would have no end.
  for (int points = 4 * columns; offset < line.size() && points > 0; --points) {
    const utf8::Point point = utf8::point_at(line, offset);
    columns -= point.value == '\t' ? tab_stop : glyph(point).columns;
    if (columns < 0) break;
    offset += point.bytes.size();
  }
  return offset;
}

size_t retreat(std::string_view line, size_t offset, int columns) {
  for (int points = columns; offset > 0 && points > 0; --points) {
    size_t before = offset - 1;
    while (before > 0 && offset - before < 4 && utf8::continues(line[before])) --before;
    columns -= glyph(utf8::point_at(line, before)).columns;
    if (columns < 0) break;
    offset = before;
  }
  return offset;
}

Window window_of(std::string_view line, size_t marked_begin, size_t bytes) {
  const size_t text_end = line.find_last_not_of(" \t\r") + 1;
  marked_begin = std::min(marked_begin, line.size());
  // A span that goes on below is marked to the end of the text, not of the spaces after it.
  const size_t marked_end =
      bytes > line.size() - marked_begin ? std::max(marked_begin, text_end) : marked_begin + bytes;
  line = line.substr(0, std::max(text_end, marked_end));
  if (line.size() <= line_columns || advance(line, 0, line_columns) == line.size())
    return {0, line.size(), marked_begin, marked_end};
  // The start of the line stays if the span fits next to it, because it has the key.
  const bool far = advance(line, 0, line_columns - columns_before_span) < marked_begin;
  const size_t begin = far ? retreat(line, marked_begin, columns_before_span) : 0;
  const size_t end = advance(line, begin, line_columns);
  return {begin, end, marked_begin, std::min(marked_end, end)};
}

struct Snippet {
  std::string line;           // as printed
  std::string before, marks;  // spaces and carets below it
};

Snippet snippet_of(std::string_view line, const Window& window, size_t margin) {
  Snippet snippet;
  size_t column = margin;
  if (window.begin > 0) {
    snippet.line = ellipsis;
    snippet.before = " ";
    ++column;
  }
  for (size_t offset = window.begin; offset < window.end;) {
    const utf8::Point point = utf8::point_at(line, offset);
    const Glyph shown = glyph(point);
    const bool tab = point.value == '\t';
    const size_t columns = tab ? tab_stop - column % tab_stop : static_cast<size_t>(shown.columns);
    snippet.line += shown.text;
    if (offset < window.marked_begin) {
      snippet.before += tab ? "\t" : std::string(columns, ' ');
    } else if (offset < window.marked_end) {
      snippet.marks.append(columns, '^');
    }
    column += columns;
    offset += point.bytes.size();
  }
  if (window.end < line.find_last_not_of(" \t\r") + 1) snippet.line += ellipsis;
  if (snippet.marks.empty()) snippet.marks = "^";
  return snippet;
}

// A line of a private key is known only by the lines above it, so that the whole text is masked.
std::string masked_line(std::string_view text, size_t begin, size_t end) {
  if (text.find("PRIVATE KEY-----") != text.npos)
    return masked(std::string(text)).substr(begin, end - begin);
  return masked(std::string(text.substr(begin, end - begin)));
}

void append_snippet(const Rendering& run, std::string_view text, const Diagnostic& finding,
                    const std::string& number, std::string& out) {
  const Span where = finding.where;
  const size_t offset = std::min<size_t>(where.begin, text.size());
  const size_t begin = text::line_begin(text, offset);
  const std::string line = masked_line(text, begin, std::max(text::line_end(text, offset), begin));
  const Window window =
      window_of(line, offset - begin, where.end > where.begin ? where.end - where.begin : 0);
  const Snippet snippet = snippet_of(line, window, number.size() + 4);
  const auto bar = [&](std::string_view label) {
    return painted(run, gutter, fmt::format(" {:>{}} |", label, number.size()));
  };
  out += fmt::format("{}\n{}{}{}\n{} {}{}\n", bar(""), bar(number), snippet.line.empty() ? "" : " ",
                     snippet.line, bar(""), snippet.before,
                     painted(run, style_of(finding.level), snippet.marks));
}

// `= note: text`, further lines below the first one's text.
void append_remarks(const Rendering& run, std::string_view word, std::string_view style,
                    const std::vector<std::string>& remarks, size_t digits, std::string& out) {
  for (const std::string& remark : remarks) {
    out.append(digits + 2, ' ').append(painted(run, gutter, "=")).append(" ");
    out += painted(run, style, fmt::format("{}:", word));
    size_t indent = 1;
    const std::string shown = shortened(remark);
    for (std::string_view line : text::split(shown, '\n')) {
      if (indent > 1) out += '\n';
      if (!line.empty()) out.append(indent, ' ').append(visible(line));
      indent = digits + word.size() + 6;
    }
    out += '\n';
  }
}

void text_finding(const Rendering& run, Locator& locator, const Diagnostic& finding,
                  std::string& out) {
  const Place place = locator.place(finding.where);
  const std::string number = place.begin ? std::to_string(place.begin->line) : " ";
  const std::uint32_t source = finding.where.source;
  const bool is_line = run.options.short_notes && finding.level == Level::note;
  if (run.shown > 0 && !(is_line && run.last == Level::note)) out += '\n';
  brief_finding(run, locator, finding, out);
  if (!is_line && source < locator.sources().size() && !locator.sources()[source].text.empty())
    append_snippet(run, locator.sources()[source].text, finding, number, out);
  append_remarks(run, "note", note, all_notes(locator, finding), number.size(), out);
  append_remarks(run, "help", help, finding.helps, number.size(), out);
}

void count_hidden(const Rendering& run, std::string& out) {
  if (run.hidden == 0) return;
  if (run.options.format == Format::text) out += '\n';
  out += fmt::format("{} and {} more\n", ellipsis, run.hidden);
}

}  // namespace

const FormatRow text_format = {.finding = text_finding, .end = count_hidden};
const FormatRow brief_format = {.finding = brief_finding, .end = count_hidden};

}  // namespace flexslice::diag
