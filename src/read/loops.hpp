// What the loops of a script go over. shell.cpp calls it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "read/shell.hpp"

namespace flexslice::read {

struct ScriptLoop {
  std::vector<std::string> names;   // of the variables that it sets; empty: of `while`
  std::vector<std::string> values;  // of its one variable, if all are literal and not too many
  std::size_t next = 0;             // of the values
  std::size_t body = 0;             // where it begins
  std::size_t first_command = 0;
  Span where;
  bool is_unrolled = false;
};

// Of `for X in …`; names are empty where the words are none of a loop.
ScriptLoop read_loop(std::string_view script, std::span<const Word> words);

bool uses(const Word& word, const ScriptLoop& loop);

}  // namespace flexslice::read
