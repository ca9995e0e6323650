// Arithmetic of a shell, `$((…))`, `((…))` and `let`, over variables whose values are known.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "extract/variables.hpp"

namespace flexslice::extract {

// The value, and what the expression assigns is set. Nothing where it is not known; then all that
// the expression may assign is not known either. `is_blind`: no value of a variable counts.
std::optional<std::int64_t> calculate(std::string_view expression, Variables& variables, Span where,
                                      bool is_blind);

}  // namespace flexslice::extract
