// `$X` and `${X…}` in a script and in its here-documents, and what they stand for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "extract/shell.hpp"

namespace flexslice::extract {

struct Parameter {
  std::size_t length = 0;      // of all of it; 0: there is none, the `$` is a character
  std::string_view name = {};  // empty: only a shell knows the value; `1`, `@`: an argument, all
  std::size_t from = 0;        // of `${@:2}`
  std::string_view subscript = {};  // of an array: `@`, `0`
  char change = '\0';               // `-`, `=` or `?`: what becomes of an X that is not set
  bool for_empty = false;           // `:-`: of an empty one too
  std::string_view fallback = {};
  std::string_view edited = {};  // the variable that `${X%…}` and its like take; then X has no name
  std::string_view edit = {};    // from the sign on; `#` alone: the length
};

// The one that begins at `at`; up to the end of the line where a brace is not closed.
Parameter parameter_at(std::string_view text, std::size_t at);

struct Expansion {
  std::string text;
  Span set_at = {};  // where the variable is set; empty: it has its fallback
};

// Returns nothing if the value is not literal or has more than `longest` bytes. A fallback is the
// value unless the script has set the variable to something else.
std::optional<Expansion> expand_parameter(const Parameter& parameter, const Variables& variables,
                                          std::size_t longest);

struct HereDocument {
  std::string_view delimiter;
  bool strips_tabs = false;  // `<<-`
  bool is_quoted = false;    // `<<'EOF'`: its text is literal
};

// The delimiter at `at`, after `<<`; `at` moves behind it. Nothing when there is none.
std::optional<HereDocument> take_delimiter(std::string_view text, std::size_t& at);
// The line that ends the one that begins at `begin`; npos: there is none. A delimiter that is
// indented as a shell would not accept it ends it where there is no better: pages are.
std::size_t end_of_here_document(std::string_view text, const HereDocument& document,
                                 std::size_t begin);

// Writes what a shell replaces in the document: backslashes that quote, and variables whose values
// are known, which have `budget` bytes at most and take them from it. Other variables and `$(…)`
// stay as they are.
void expand_here_document(std::string_view text, HereText& document, const Variables& variables,
                          std::size_t& budget);

}  // namespace flexslice::extract
