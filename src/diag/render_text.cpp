#include <fmt/core.h>

#include <algorithm>

#include "base/lines.hpp"
#include "diag/format.hpp"
#include "diag/visible.hpp"

namespace flexslice::diag {

namespace {

constexpr int line_columns = 160;            // more of a source line is cut
constexpr int columns_before_span = 60;      // that a cut line keeps
constexpr std::size_t message_bytes = 4000;  // more of a message is cut
constexpr int tab_stop = 8;
constexpr std::string_view ellipsis = "\xE2\x80\xA6";

struct Ink {
  std::string_view level, strong, gutter, note, help, off;
};
constexpr Ink plain = {};

Ink ink_for(const Rendering& run, Level level) {
  if (!run.options.color) return plain;
  return {level == Level::warning ? "\x1b[1;33m" : "\x1b[1;31m",
          "\x1b[1m",
          "\x1b[1;34m",
          "\x1b[1;36m",
          "\x1b[1;32m",
          "\x1b[0m"};
}

void append_painted(std::string_view color, std::string_view text, std::string_view off,
                    std::string& out) {
  out += color;
  out += text;
  out += off;
}

std::string shortened(std::string_view text) {
  if (text.size() <= message_bytes) return std::string(text);
  std::size_t end = message_bytes;
  while (end > message_bytes - 4 && utf8::continues(text[end])) --end;
  return std::string(text.substr(0, end)) + std::string(ellipsis);
}

// `file:line:col: error[FS3002]: message`
void append_heading(const Place& place, const Diagnostic& finding, const Ink& ink,
                    std::string& out) {
  std::string where;
  append_visible(place.file.empty() ? "flexslice" : place.file, where);
  if (place.begin) where += fmt::format(":{}:{}", place.begin->line, place.begin->column);
  append_painted(ink.strong, where + ":", ink.off, out);
  out += ' ';
  append_painted(ink.level,
                 fmt::format("{}[{}]:", level_text(finding.level), code_text(finding.code)),
                 ink.off, out);
  out += ' ';
  std::string message;
  append_visible(shortened(finding.message), message);
  append_painted(ink.strong, message, ink.off, out);
  out += '\n';
}

// The part of a line that is shown, and the part of that which is marked, as offsets in the line.
struct Window {
  std::size_t begin = 0, end = 0;
  std::size_t marked_begin = 0, marked_end = 0;
};

// The offset behind at most `columns` columns of `line` from `offset`.
std::size_t advance(std::string_view line, std::size_t offset, int columns) {
  // Code points without a width count too, or a line of nothing else would have no end.
  for (int points = 4 * columns; offset < line.size() && points > 0; --points) {
    const utf8::Point point = utf8::point_at(line, offset);
    columns -= point.value == '\t' ? tab_stop : glyph(point).columns;
    if (columns < 0) break;
    offset += point.bytes.size();
  }
  return offset;
}

std::size_t retreat(std::string_view line, std::size_t offset, int columns) {
  for (int points = columns; offset > 0 && points > 0; --points) {
    std::size_t before = offset - 1;
    while (before > 0 && offset - before < 4 && utf8::continues(line[before])) --before;
    columns -= glyph(utf8::point_at(line, before)).columns;
    if (columns < 0) break;
    offset = before;
  }
  return offset;
}

Window window_of(std::string_view line, std::size_t begin, std::size_t bytes) {
  Window window;
  const std::size_t text_end = line.find_last_not_of(" \t\r") + 1;
  window.marked_begin = std::min(begin, line.size());
  window.marked_end = std::min(line.size(), window.marked_begin + bytes);
  // A span that goes on below is marked to the end of the text, not of the blanks behind it.
  if (bytes > line.size() - window.marked_begin)
    window.marked_end = std::max(window.marked_begin, text_end);
  const std::size_t shown_end = std::max(text_end, window.marked_end);
  line = line.substr(0, shown_end);
  window.end = shown_end;
  if (line.size() <= line_columns || advance(line, 0, line_columns) == shown_end) return window;
  // Where the span and its line's start fit together, the start stays, because it has the key.
  if (advance(line, 0, line_columns - columns_before_span) < window.marked_begin) {
    window.begin = retreat(line, std::min(window.marked_begin, shown_end), columns_before_span);
  }
  window.end = advance(line, window.begin, line_columns);
  window.marked_end = std::min(window.marked_end, window.end);
  return window;
}

struct Snippet {
  std::string line;   // as printed
  std::string marks;  // spaces and carets below it
};

Snippet snippet_of(std::string_view line, const Window& window, int gutter) {
  Snippet snippet;
  int column = gutter;
  const auto put = [&](const Glyph& next, std::size_t offset) {
    const bool tab = next.text == "\t";
    const int columns = tab ? tab_stop - column % tab_stop : next.columns;
    snippet.line += next.text;
    if (offset < window.marked_begin) {
      snippet.marks.append(tab ? 1u : static_cast<std::size_t>(columns), tab ? '\t' : ' ');
    } else if (offset < window.marked_end) {
      snippet.marks.append(static_cast<std::size_t>(columns), '^');
    }
    column += columns;
  };
  if (window.begin > 0) put({std::string(ellipsis), 1}, 0);
  for (std::size_t offset = window.begin; offset < window.end;) {
    const utf8::Point point = utf8::point_at(line, offset);
    put(glyph(point), offset);
    offset += point.bytes.size();
  }
  if (window.end < line.find_last_not_of(" \t\r") + 1) snippet.line += ellipsis;
  if (snippet.marks.find('^') == std::string::npos) snippet.marks += '^';
  return snippet;
}

void append_snippet(const Sources& sources, Span where, const std::string& number, const Ink& ink,
                    std::string& out) {
  const std::string_view text = sources[where.source].text;
  const std::size_t offset = std::min<std::size_t>(where.begin, text.size());
  const std::size_t begin = text::line_begin(text, offset);
  const std::string_view line =
      text.substr(begin, std::max(text::line_end(text, offset), begin) - begin);
  const Window window =
      window_of(line, offset - begin, where.end > where.begin ? where.end - where.begin : 0);
  const Snippet snippet = snippet_of(line, window, static_cast<int>(number.size()) + 4);
  const std::string blank(number.size(), ' ');
  append_painted(ink.gutter, " " + blank + " |", ink.off, out);
  out += '\n';
  append_painted(ink.gutter, " " + number + " |", ink.off, out);
  if (!snippet.line.empty()) out += " " + snippet.line;
  out += '\n';
  append_painted(ink.gutter, " " + blank + " |", ink.off, out);
  out += ' ';
  const std::size_t first = snippet.marks.find('^');
  out += snippet.marks.substr(0, first);
  append_painted(ink.level, snippet.marks.substr(first), ink.off, out);
  out += '\n';
}

// `= note: text`, further lines below the first one's text.
void append_remark(std::string_view word, std::string_view color, const std::string& text,
                   std::size_t digits, const Ink& ink, std::string& out) {
  const std::string shown = shortened(text);
  const std::string indent(digits + 2, ' ');
  out += indent;
  append_painted(ink.gutter, "=", ink.off, out);
  out += ' ';
  append_painted(color, fmt::format("{}:", word), ink.off, out);
  bool first = true;
  for (std::string_view line : text::split(shown, '\n')) {
    if (!first) out += '\n';
    if (!line.empty()) {
      out += first ? " " : indent + std::string(word.size() + 4, ' ');
      append_visible(line, out);
    }
    first = false;
  }
  out += '\n';
}

void text_finding(const Rendering& run, const Sources& sources, Locator& locator,
                  const Diagnostic& finding, std::string& out) {
  const Ink ink = ink_for(run, finding.level);
  const Place place = locator.place(finding.where);
  const std::string number = place.begin ? std::to_string(place.begin->line) : " ";
  if (run.shown > 0) out += '\n';
  append_heading(place, finding, ink, out);
  const bool has_text =
      finding.where.source < sources.size() && !sources[finding.where.source].text.empty();
  if (has_text) append_snippet(sources, finding.where, number, ink, out);
  for (const std::string& note : finding.notes)
    append_remark("note", ink.note, note, number.size(), ink, out);
  for (const std::string& help : finding.helps)
    append_remark("help", ink.help, help, number.size(), ink, out);
}

void brief_finding(const Rendering& run, const Sources&, Locator& locator,
                   const Diagnostic& finding, std::string& out) {
  append_heading(locator.place(finding.where), finding, ink_for(run, finding.level), out);
}

void count_hidden(const Rendering& run, std::string& out) {
  if (run.hidden == 0) return;
  if (run.options.format == Format::text) out += '\n';
  out += fmt::format("{} and {} more\n", ellipsis, run.hidden);
}

}  // namespace

const FormatRow text_format = {nullptr, text_finding, count_hidden};
const FormatRow brief_format = {nullptr, brief_finding, count_hidden};

}  // namespace flexslice::diag
