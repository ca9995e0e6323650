// Says in plain words why a text is not YAML: yaml-cpp's messages name its own states.
#pragma once

#include <cstdint>
#include <string_view>

#include "diag/diag.hpp"

namespace flexslice::yaml {

// Everything that was known when the reader gave up is here, so that the cause can be found.
struct Rejection {
  std::string_view text;  // of the whole source
  std::uint32_t source = 0;
  std::string_view reason;          // the reader's own message
  std::size_t at = 0;               // where it gave up
  std::size_t last_end = 0;         // behind the last node it had understood
  std::size_t last_begin = 0;       // of that node, when it was a scalar; else equal to last_end
  std::size_t open_bracket = npos;  // the innermost `[` or `{` without its end

  static constexpr std::size_t npos = std::string_view::npos;
};

void blame(const Rejection& rejection, diag::Sink& sink);

// `name` or `name:train`, where a key and `: ` are needed.
void blame_missing_colon(std::string_view text, Span key, diag::Sink& sink);

}  // namespace flexslice::yaml
