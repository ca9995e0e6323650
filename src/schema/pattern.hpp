// The forms that texts must have: names, labels, versions, durations. One row each with a regular
// expression, which the JSON Schema shows and `matches` reads. Used by the field table and by
// resolve for derived names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace flexslice::schema {

enum class Pattern : std::uint8_t {
#define FS_PATTERN(name, pattern, max, words) name,
#include "schema/patterns.def"
#undef FS_PATTERN
};

constexpr bool is_quantity(Pattern pattern) {
  return pattern == Pattern::quantity || pattern == Pattern::positive_quantity;
}

struct PatternRow {
  std::string_view name;
  std::string_view pattern;  // ECMA 262, whole value; empty: any text
  std::size_t max;           // characters
  std::string_view words;    // `lower-case letters, digits and …`
};

const PatternRow& row(Pattern pattern);
std::optional<Pattern> pattern_named(std::string_view name);

// Returns whether the text has the pattern, its length included.
bool matches(Pattern pattern, std::string_view text);
// Matches an expression of the form that patterns.def has, `^…$`.
bool matches_expression(std::string_view expression, std::string_view text);

// `90s`, `10m`, `2h`, `7d` and sums such as `1h30m` in seconds; a bare number is not a duration.
std::optional<std::int64_t> duration_seconds(std::string_view text);
// `10m`, `7d`, `1h30m`: the shortest text of that many seconds.
std::string duration_text(std::int64_t seconds);

}  // namespace flexslice::schema
