// Findings that the user has allowed in the file itself: `# flexslice: allow FS3012 - reason`.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.hpp"
#include "diag/diag.hpp"

namespace flexslice::diag {

// Says whether suppress has anything to do for this text: a cheap test that spares the caller the
// collecting of spans.
bool may_suppress(std::string_view text);

// Takes what the comments of sources[index] allow out of `findings`, and adds what is wrong with
// the comments themselves.
//
// At the end of a line a comment covers that line; on a line of its own, the next line that is
// neither blank nor a comment nor a mere
// `---`; above the first such line of the document, the whole document. A finding is on the line
// where its span begins. Warnings and soft errors go; errors stay and get a note. One that allows
// nothing is reported only when no errors are left, because errors end the search before all
// warnings are found.
//
// `scalars` are the spans of the document's scalars, keys too, in any order: `#` in them begins no
// comment. Without them, because the text is not readable as YAML, do not call this.
//
// A comment about a code that `comes_later` covers lines in which that may be found: these are
// added to `later`, whose owner drops what is found there, and reports comments without any.
struct AllowedLine {
  Code code;
  Span lines;
  Span token, removal;     // of the code as it is written, and of the comment
  bool is_needed = false;  // for another finding, or because errors are left
};
using AllowedLines = std::vector<AllowedLine>;
Diagnostic& report_unused(const AllowedLine& line, Sink& sink);
std::vector<Diagnostic> suppress(
    const Sources& sources, std::uint32_t index, std::span<const Span> scalars,
    std::vector<Diagnostic> findings,
    const std::function<bool(Code)>& comes_later = [](Code) { return false; },
    AllowedLines* later = nullptr);

}  // namespace flexslice::diag
