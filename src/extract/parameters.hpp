// `$X` and `${X…}` in a script, what they stand for, and how that is set. shell.cpp,
// commands.cpp and loops.cpp call it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/source.hpp"
#include "extract/shell.hpp"

namespace flexslice::extract {

struct Parameter {
  std::size_t length = 0;      // of all of it; 0: there is none, the `$` is a character
  std::string_view name = {};  // empty: only a shell knows the value
  char change = '\0';          // `-`, `=` or `?`: what becomes of an X that is not set
  bool for_empty = false;      // `:-`: of an empty one too
  std::string_view fallback = {};
};

// The one that begins at `at`; up to the end of the line where a brace is not closed.
Parameter parameter_at(std::string_view text, std::size_t at);

struct Expansion {
  std::string text;
  Span set_at = {};  // where the variable is set; empty: it has its fallback
};

// Nothing where the value is not literal or has more than `longest` bytes. A fallback is the value
// unless the script has set the variable to something else.
std::optional<Expansion> expand(const Parameter& parameter, const Variables& variables,
                                std::size_t longest);

// Does nothing without a name. `known`: the value is literal. A long one is kept as not known.
void set_variable(Variables& variables, std::string_view name, std::string_view value, Span where,
                  bool known, std::shared_ptr<const HostText> host = {});

}  // namespace flexslice::extract
