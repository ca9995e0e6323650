// Single words of a script are read here, without a shell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flexslice::extract {

// Bytes of `NAME=`, `NAME+=` or `NAME[…]=` at the beginning, or 0.
std::size_t assignment_length(std::string_view raw);
std::string_view assigned_value(std::string_view assignment);
std::string_view variable_name(std::string_view text);  // at the beginning; may be empty

// A word with a placeholder needs a value from its reader: `<zone>`, `[ZONE]`, ZONE_NAME.
bool has_placeholder(std::string_view word);
// Bytes of a `<zone>` at the beginning, which redirects nothing, or 0.
std::size_t angle_placeholder_length(std::string_view text);

// `4`, `-1`
std::optional<std::int64_t> integer(std::string_view word);
// The numbers that `seq` prints; nothing where they are too many.
std::optional<std::vector<std::string>> numbers_between(std::int64_t first, std::int64_t last,
                                                        std::int64_t step);
// The words of `{1..4}` and of `us-{a,b}`; nothing where the braces are not that simple.
std::optional<std::vector<std::string>> expand_braces(std::string_view word);

// Words in front of a command that leave it a command: `!`, `sudo`; the latter takes options.
bool is_keyword(std::string_view word);
bool is_wrapper(std::string_view word);
bool takes_argument(std::string_view wrapper_option);
// `export`, `local` …, and commands such as `read` that set variables to what nobody knows.
bool is_declaration(std::string_view word);
bool is_input(std::string_view word);
// A program or builtin that sets no variable of a shell.
bool is_program(std::string_view word);
// A file that a script sources and that sets no variable of it.
bool sets_up_a_shell(std::string_view file);

}  // namespace flexslice::extract
