// Applies the fixes that diagnostics carry to the text they are about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "diag/diag.hpp"

namespace flexslice::diag {

// Fixes may uncover others, but two that undo each other must come to an end.
inline constexpr int max_fix_rounds = 10;

struct Fixed {
  std::string text;
  std::size_t applied = 0;  // findings whose edits are in the text
  // Findings whose edits overlap those of an earlier one; another run may apply them.
  std::size_t skipped = 0;
};

// `text` is that of source `index`; every byte outside the edits stays. The edits of one finding
// belong together: all or none. A finding with an edit in another source, or outside of the text,
// is left alone.
Fixed apply_fixes(std::string_view text, std::uint32_t index, std::span<const Diagnostic> findings);

}  // namespace flexslice::diag
