// Text for people: wrapped lines, aligned tables, sheets of labelled entries. explain/ and the help
// texts of cli/ are laid out with it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace flexslice::explain {

inline constexpr std::size_t page_width = 80;

// Lines of at most `width` columns, broken at blanks; a longer word stays whole. Empty text gives
// one empty line.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

// Cells below a heading, two blanks apart, no blank at the end of a line. A column whose heading
// begins with `>` is aligned to the right (the `>` is not printed).
std::string table(const std::vector<std::string>& headings,
                  const std::vector<std::vector<std::string>>& rows);

// One line of a sheet, `label  value  text`, and behind or below it where the fact comes from. Any
// part may be empty; line breaks in the source are kept.
struct Entry {
  std::string label;
  std::string value = {};
  std::string text = {};
  std::string source = {};
};

// Headings with entries below them. Labels and values of one section are aligned; what does not fit
// into the page's width goes on below.
class Sheet {
 public:
  void title(std::string_view text);
  void section(std::string_view heading);
  // Wrapped to the page, indented like an entry.
  void paragraph(std::string_view text);
  void entry(Entry entry) { entries_.push_back(std::move(entry)); }
  std::string take();

 private:
  void flush();
  void lay(const Entry& entry, std::size_t label_width, std::size_t value_width);

  std::string out_;
  std::vector<Entry> entries_;
};

}  // namespace flexslice::explain
