// The syntax of placeholders and of the keys that begin with `$`, shared by expansion and check.
#pragma once

#include <optional>
#include <string_view>

namespace flexslice::templates {

inline constexpr std::string_view when_key = "$when";
inline constexpr std::string_view each_key = "$each";
inline constexpr std::string_view key_key = "$key";
inline constexpr std::string_view with_key = "$with";
inline constexpr std::string_view merge_key = "$merge";
inline constexpr std::string_view put_key = "$put";
inline constexpr std::string_view value_key = "$value";
inline constexpr std::string_view comment_key = "$comment";

// A placeholder names a path such as `tpu.hosts`, or another template, whose name always has a `/`.
struct Placeholder {
  std::string_view name;
  bool optional = false;  // `?name`: there may be no value

  bool is_template() const { return name.find('/') != std::string_view::npos; }
};
Placeholder placeholder_of(std::string_view text);

// A stretch of a scalar: literal text, or what is inside `${…}`.
struct Piece {
  bool is_placeholder = false;
  std::string_view text;
};

// Takes the first piece off the rest of a scalar; nothing when there is none left. `$(` and a lone
// `$` are literal text; so is a `${` that is not closed.
std::optional<Piece> take_piece(std::string_view& rest);

// `!PATH` holds where PATH has no value, or one that is false or empty.
struct Condition {
  std::string_view path;
  bool negated = false;
};
Condition condition_of(std::string_view text);

// `NAME in TARGET`.
struct Loop {
  std::string_view name;
  Placeholder list;
};
std::optional<Loop> loop_of(std::string_view text);

}  // namespace flexslice::templates
