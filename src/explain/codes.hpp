// Explains a diagnostic and how to fix it. `flexslice explain FS3002` prints it.
#pragma once

#include <string>

#include "diag/diag.hpp"

namespace flexslice::explain {

std::string diagnostic_text(const diag::Row& row);

}  // namespace flexslice::explain
