// The loops of a script: what they go over, and which variables they leave unknown. commands.cpp
// calls it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/lists.hpp"
#include "extract/branches.hpp"
#include "extract/shell.hpp"

namespace flexslice::extract {

struct ScriptLoop {
  std::vector<std::string> names;   // of the variables that it sets; empty: of `while`
  std::vector<std::string> values;  // of its one variable, if all are literal and not too many
  std::size_t next = 0;             // of the values
  std::size_t body = 0;             // where it begins
  std::size_t first_command = 0;
  Span where;
  bool is_unrolled = false;
};

class OpenLoops {
 public:
  OpenLoops(std::string_view script, Branches& variables, Loops loops)
      : script_(script), variables_(variables), unrolls_(loops == Loops::unrolled) {}

  // Opens or closes a loop by the words of a command that ends at `end`, or by a keyword in front
  // of them. `commands`: how many are read above it.
  void follow_keyword(const Word& keyword, std::span<const Word> words, std::size_t end,
                      std::size_t commands);
  void follow(std::span<const Word> words, std::size_t end, std::size_t commands);
  // Where the body is that is to be read again, with the next value.
  std::optional<std::size_t> take_repeat() { return std::exchange(repeat_from_, {}); }
  // The loop that sets a variable of the command to what is not known.
  Span unknown_loop(const Command& command) const;
  // Whether what is read runs more often than it is read.
  bool runs_again() const {
    return any_of(open_, [](const ScriptLoop& loop) { return !loop.is_unrolled; });
  }
  // Whether the loop that is read again has given the same command before.
  bool is_repeated(const Command& command, std::span<const Command> commands) const;

 private:
  void open(ScriptLoop loop, const Word& first, std::size_t end, std::size_t commands);
  void close(std::size_t end);

  std::string_view script_;
  Branches& variables_;
  bool unrolls_;
  std::vector<ScriptLoop> open_;                   // from the outermost
  std::size_t repeatable_ = std::size_t{1} << 16;  // bytes of bodies that may still be read again
  std::optional<std::size_t> repeat_from_;
};

}  // namespace flexslice::extract
