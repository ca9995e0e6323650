// The commands of a script, from their words: which programs they call, which variables they set,
// and which options a broken line has cut off. shell.cpp calls it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "read/loops.hpp"
#include "read/shell.hpp"

namespace flexslice::read {

struct Token {
  Word word;
  bool is_assignment = false;
};

class ScriptCommands {
 public:
  struct End {
    std::size_t at = 0;
    bool is_nested = false;  // in `$(…)`, backquotes or parentheses
    Span broken = {};        // as in Command
    BrokenBy broken_by = {};
  };

  ScriptCommands(std::string_view script, Variables& variables,
                 const std::vector<std::string_view>& names, Loops loops)
      : variables_(variables), names_(names), loops_(script, variables, loops) {}

  // The next command, with all words that are in front of it. There is one token at least.
  void add(std::vector<Token> tokens, const End& end);
  // Whether options in the next line belong to the command that these tokens begin or continue.
  bool takes_options(std::span<const Token> tokens) const;
  void end_broken() { broken_.reset(); }
  // Where to read on when the body of a loop is to be read again.
  std::optional<std::size_t> take_repeat() { return loops_.take_repeat(); }

  std::size_t size() const { return commands_.size(); }
  void go_back(std::size_t size) { commands_.resize(size); }
  std::vector<Command> take();  // in the order of the script

 private:
  std::size_t command_begin(std::span<const Token> tokens) const;
  bool is_wanted(std::string_view word) const;
  bool calls_program(std::span<const Token> tokens, std::size_t begin) const;
  void assign(const Token& token);
  void set_variables(std::span<const Token> tokens, std::size_t begin);

  Variables& variables_;
  const std::vector<std::string_view>& names_;
  OpenLoops loops_;
  std::vector<Command> commands_;
  std::optional<std::size_t> broken_;  // the command whose options may follow
};

}  // namespace flexslice::read
