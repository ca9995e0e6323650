// Text for people: wrapped lines, aligned tables, sheets of labelled entries.
#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace flexslice::explain {

inline constexpr std::size_t page_width = 80;

// Lines of at most `width` columns, broken at spaces; a longer word stays whole. Empty text gives
// one empty line.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

// Cells below a heading, two spaces apart, no space at the end of a line. A column whose heading
// begins with `>` is aligned to the right (the `>` is not printed).
std::string aligned_table(std::vector<std::string> headings,
                          const std::vector<std::vector<std::string>>& rows);

// One line of a sheet, `label  value  text`, and after or below it where the fact comes from. Any
// part may be empty; line breaks in the source are kept.
struct SheetEntry {
  std::string label, text, source = {}, value = {};

  SheetEntry& from(std::string_view cited) { return source = cited, *this; }
  SheetEntry& with(std::string_view shown) { return value = shown, *this; }
};

// Headings with entries below them. Labels and values of one section are aligned; what does not fit
// into the page's width continues on the next line.
class Sheet {
 public:
  void title(std::string_view text);
  // Printed with the first line below it; a section without any is not printed.
  void section(std::string_view heading);
  // Wrapped to the page, indented like an entry.
  void paragraph(std::string_view text);
  // As it is, indented like an entry.
  void line(std::string_view text);
  // Valid until the next entry.
  SheetEntry& entry(std::string_view label, std::string_view text);

  // The same with a format and its arguments.
  template <class First, class... Rest>
  void title(fmt::format_string<const First&, const Rest&...> text, const First& first,
             const Rest&... rest) {
    title(fmt::format(text, first, rest...));
  }
  template <class First, class... Rest>
  SheetEntry& entry(std::string_view label, fmt::format_string<const First&, const Rest&...> text,
                    const First& first, const Rest&... rest) {
    return entry(label, fmt::format(text, first, rest...));
  }

  bool empty() const { return out_.empty() && entries_.empty(); }
  std::string take();

 private:
  void flush();
  void begin_section();
  void lay(const SheetEntry& entry, std::size_t value_column, std::size_t text_column);

  std::string out_, section_;
  std::vector<SheetEntry> entries_;
};

}  // namespace flexslice::explain
