// The here-documents of a script: where they end, and what a shell makes of their text. shell.cpp
// calls it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "extract/shell.hpp"

namespace flexslice::extract {

struct HereDocument {
  std::string_view delimiter;
  bool strips_tabs = false;  // `<<-`
  bool is_quoted = false;    // `<<'EOF'`: its text is literal
};

// What a shell replaces in the text from `begin` to `end`: backslashes that quote, and variables
// whose values are known, which have `budget` bytes at most and take them from it. `$(…)` stays as
// it is.
std::vector<Replacement> expand_here_document(std::string_view text, std::size_t begin,
                                              std::size_t end, const Variables& variables,
                                              std::size_t& budget);

// The lines of a script that may end one, so that it need not be searched for each.
class HereLines {
 public:
  struct End {
    std::size_t end = 0;   // of the here-document
    std::size_t next = 0;  // line after the delimiter
  };

  explicit HereLines(std::string_view text) : text_(text) {}

  // The delimiter at `at`, after `<<`; `at` moves behind it. Nothing when there is none.
  std::optional<HereDocument> take_delimiter(std::size_t& at) const;
  // The end of one that begins at `begin`. A delimiter that is indented as a shell would not accept
  // it is one where there is no better: pages are.
  std::optional<End> find(const HereDocument& document, std::size_t begin);

 private:
  struct Lines {
    std::vector<std::size_t> exact;   // where they begin
    std::vector<std::size_t> tabbed;  // after tabs
    std::vector<std::size_t> any;
  };

  void index_lines();

  std::string_view text_;
  std::map<std::string_view, Lines> lines_;
  bool is_indexed_ = false;
};

}  // namespace flexslice::extract
