// Characters that word processors and web pages put in place of those of YAML: spaces and quotation
// marks. To YAML they are letters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "diag/diag.hpp"

namespace flexslice::yaml {

// Returns whether such a character begins at `at`, or for `before`, ends there: a space that is not
// one.
bool is_space_lookalike(std::string_view text, std::size_t at);
bool is_space_lookalike_before(std::string_view text, std::size_t end);
bool is_quote_lookalike(std::string_view text, std::size_t at);

// Reports the one at `at`, with as many spaces as follow each other, or with its closing quote if
// text[at, end) ends with one.
void report_lookalike(std::string_view text, std::size_t at, std::size_t end, std::uint32_t source,
                      diag::Sink& sink);

// The first one in the line of `at` where YAML expects a space or the beginning of a value, or
// npos.
std::size_t find_lookalike(std::string_view text, std::size_t at);

}  // namespace flexslice::yaml
