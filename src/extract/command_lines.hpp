// The commands of a script, from their words: which programs they call, which variables they set,
// and which options a broken line has cut off. shell.cpp calls it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "extract/branches.hpp"
#include "extract/loops.hpp"
#include "extract/shell.hpp"

namespace flexslice::extract {

struct Token {
  Word word;
  bool is_assignment = false;
};

class ScriptCommands {
 public:
  struct End {
    std::size_t at = 0;
    bool is_nested = false;       // in `$(…)`, backquotes or parentheses
    bool is_conditional = false;  // after `&&` or `||`
    Span broken = {};             // as in Command
    BrokenBy broken_by = {};
  };

  ScriptCommands(std::string_view script, Variables& variables,
                 const std::vector<std::string_view>& names, Loops loops)
      : variables_(variables), names_(names), loops_(script, variables_, loops) {}

  // The next command, with all words that are in front of it. There is one token at least.
  void add(std::vector<Token> tokens, const End& end);
  // Whether options in the next line belong to the command that these tokens begin or continue.
  bool takes_options(std::span<const Token> tokens) const;
  void end_broken() { broken_.reset(); }
  // `name()`: what follows in braces is the body of a function.
  void begin_function(std::string_view name) { function_ = name; }
  // `;;`
  void end_arm();
  Branches& variables() { return variables_; }
  // Where to read on when the body of a loop is to be read again.
  std::optional<std::size_t> take_repeat() { return loops_.take_repeat(); }

  std::size_t size() const { return commands_.size(); }
  void go_back(std::size_t size, std::size_t depth) {
    commands_.resize(size);
    variables_.close_to(depth);
  }
  std::vector<Command> take();  // in the order of the script

 private:
  std::size_t command_begin(std::span<const Token> tokens) const;
  bool is_wanted(std::string_view word) const;
  bool calls_program(std::span<const Token> tokens, std::size_t begin) const;
  void follow_keyword(std::string_view keyword, bool is_conditional);
  void follow(std::span<const Word> words, bool is_conditional);
  void read_pattern(std::span<const Token> tokens);
  void assign(const Token& token);
  void append(std::string_view name, const Word& word);
  void set_variables(std::span<const Token> tokens, std::size_t begin);

  Branches variables_;
  const std::vector<std::string_view>& names_;
  OpenLoops loops_;
  std::vector<Command> commands_;
  std::optional<std::size_t> broken_;  // the command whose options may follow
  std::string function_;               // whose body follows
};

}  // namespace flexslice::extract
