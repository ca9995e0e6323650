// What the formats share: where a finding is, and how text is made safe to print. Only the render_*.cpp files call it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "diag/diag.hpp"
#include "diag/render.hpp"

namespace flexslice::diag {

struct LineColumn {
  int line = 1;
  int column = 1;

  friend bool operator==(const LineColumn&, const LineColumn&) = default;
};

struct Place {
  std::string_view file;                 // empty: the finding belongs to no input
  std::optional<LineColumn> begin, end;  // nothing: it belongs to the file as a whole, or to the command line

  // Programs can open the file; not so `--set`.
  bool is_file() const { return !file.empty() && !file.starts_with("--"); }
};

// Finds lines and columns, the same that Sources finds, without reading the text from its start for every finding.
class Locator {
 public:
  explicit Locator(const Sources& sources) : sources_(sources) {}

  Place place(Span span);

 private:
  struct Mark {
    std::size_t offset = 0;
    LineColumn at;
  };

  void read(std::uint32_t source);
  LineColumn at(std::size_t offset) const;

  const Sources& sources_;
  std::optional<std::uint32_t> marked_;  // the source that marks_ are of
  std::vector<Mark> marks_;
};

// One code point, or one byte that is not UTF-8, as it may be printed.
struct Glyph {
  std::string text;
  std::size_t bytes = 1;  // that it takes in the source
  int columns = 1;        // that it takes on a terminal; a tab counts 0, the caller knows where it stands
};
Glyph glyph(std::string_view text, std::size_t offset);

// For one line on a terminal: escapes where text would act on the terminal or be mistaken for nothing.
void append_visible(std::string_view text, std::string& out);
// The same with its line breaks kept.
void append_visible_lines(std::string_view text, std::string& out);
// With its quotes.
void append_json(std::string_view text, std::string& out);

std::string_view level_text(Level level);  // `error` or `warning`

// The message, and behind it each note and help on a line of its own; what is not of a file is named first.
std::string whole_message(const Place& place, const Diagnostic& finding);

// One format: what it writes before all findings, for each, and after all.
struct FormatRow {
  Format format;
  void (*begin)(const Rendering&, std::string& out);
  void (*finding)(const Rendering&, const Sources&, Locator&, const Diagnostic&, std::string& out);
  void (*end)(const Rendering&, std::string& out);
};

extern const FormatRow text_format, brief_format, json_format, sarif_format, github_format;

}  // namespace flexslice::diag
