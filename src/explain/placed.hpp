// Writes where pods are placed, of a spec or of files.
#pragma once

#include <span>

#include "diag/diag.hpp"
#include "explain/layout.hpp"

namespace flexslice::explain {

// Adds a section for each of the findings that say where pods are placed.
void add_placement(std::span<const diag::Diagnostic> rows, Sheet& sheet);

}  // namespace flexslice::explain
