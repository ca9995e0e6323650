// The syntax of holes, the keys that begin with `$`, shared by expansion and check.
#pragma once

#include <optional>
#include <string_view>

namespace flexslice::templates {

inline constexpr std::string_view when_key = "$when";
inline constexpr std::string_view each_key = "$each";
inline constexpr std::string_view merge_key = "$merge";
inline constexpr std::string_view value_key = "$value";
inline constexpr std::string_view comment_key = "$comment";

// A stretch of a scalar: literal text, or the path inside `${…}`.
struct Piece {
  bool is_hole = false;
  std::string_view text;
};

// Takes the first piece off the rest of a scalar; nothing when there is none left. `$(` and a lone `$` are literal text; so is a `${` that
// is not closed.
std::optional<Piece> take_piece(std::string_view& rest);

// `NAME in PATH`.
struct Loop {
  std::string_view name;
  std::string_view list;
};
std::optional<Loop> loop_of(std::string_view text);

}  // namespace flexslice::templates
