// The state of reading one script. shell.cpp cuts words and commands, shell_blocks.cpp follows
// branches, loops and functions, shell_builtins.cpp does what single commands do to variables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extract/parameters.hpp"
#include "extract/shell.hpp"

namespace flexslice::extract {

// A function has arguments of its own.
inline constexpr std::string_view own_arguments[] = {"@", "*", "#", "1", "2", "3",
                                                     "4", "5", "6", "7", "8", "9"};

class ShellReader {
 public:
  ShellReader(std::string_view text, std::uint32_t index, Variables& variables,
              const std::vector<std::string_view>& names, Loops loops, const ReadBeside& beside);

  // Other shells begin at these offsets.
  void begin_shells_at(std::span<const std::size_t> shells) { shells_ = shells; }
  Script read();

 private:
  static constexpr std::size_t nowhere = std::string_view::npos;

  struct Token {
    Word word;
    bool is_assignment = false;
    std::optional<std::vector<Word>> array = {};  // `NAME=(…)`
  };

  // A command so far, of the script or of a `$(…)`.
  struct ShellLine {
    std::string_view text;  // up to the end of what is read
    std::vector<Token> tokens;
    Span broken = {};
    BrokenBy broken_by = {};
    bool has_gap = false;    // a word is missing, where a variable is set to nothing
    bool is_target = false;  // the next word is of a redirection
    bool has_redirection = false;
    bool is_here_string = false;  // of `<<<`
    std::optional<Word> here_string = {};

    // The word so far: several, where the value of a variable has spaces.
    bool in_word = false;
    bool has_quotes = false;  // the word is one even when it is empty
    std::size_t word_begin = 0;
    std::vector<Word> pieces;
    std::optional<std::vector<Word>> array = {};
    // Assignments before the command, which have been done.
    std::optional<Variables::Mark> assigned = {};

    struct Pending {
      HereDocument document;
      std::size_t command_begin = 0;
    };
    std::vector<Pending> pending;  // here-documents that begin on the next line
    bool continued = false;        // only blanks since a `\` at the end of a line
  };

  // How a command ended, if that is known. `never`: by `false` itself.
  enum class ShellStatus : std::uint8_t { unknown, yes, no, never };

  // Commands joined by `&&`, `||` and `|`.
  struct CommandList {
    Variables::Mark begin = 0;
    Variables::Mark pipe = 0;                   // where the pipeline began
    std::optional<Variables::Mark> maybe = {};  // since then it may not be run
    bool after_or = false;                      // the last operator is `||`
    bool in_pipe = false;
    bool is_negated = false;
    bool goes_on = false;     // an operator ends what is read
    bool is_skipped = false;  // the pipeline is not run
    bool is_never = false;
    Variables::Mark skipped = 0;
    ShellStatus before = ShellStatus::unknown;  // of what is skipped
  };

  enum class BlockKind : std::uint8_t { group, subshell, branches, cases, loop };

  // An `if`, a loop, a function, parentheses: what is set in it may not hold after it.
  struct ShellBlock {
    std::string_view end;
    BlockKind kind = BlockKind::group;
    Span where = {};
    CommandList outer = {};
    Variables::Mark mark = 0;    // where it began
    Variables::Mark branch = 0;  // where the branch began
    std::vector<Variables::Writes> ways = {};
    bool has_else = false;
    bool is_left = false;   // the branch does not reach its end
    bool is_taken = false;  // a branch is the one that is run
    bool is_dead = false;   // this branch is not run
    bool is_never = false;  // for `false`
    bool in_pattern = false;
    std::optional<std::string> subject = {};        // of `case`
    std::set<std::string, std::less<>> names = {};  // that a loop sets
    std::vector<std::string> values = {};           // of a loop that is read for each
    std::size_t next = 0;                           // of the values
    std::size_t body = 0;                           // where the loop is read again
    bool has_jumps = false;
    bool is_unordered = false;  // the values come in any order
  };

  // A part of the script may change these variables.
  struct Effects {
    std::set<std::string, std::less<>> names;
    std::set<std::string, std::less<>> locals;
    std::set<std::string, std::less<>> calls;
    bool all = false;
    bool jumps = false;
  };
  struct Function {
    std::size_t begin = 0;
    std::size_t end = 0;
    Effects effects = {};
    bool was_called = false;
  };
  struct Call {
    std::size_t blocks = 0;
    std::vector<std::pair<std::string, std::optional<Variable>>> saved = {};  // by `local`
    bool returns_early = false;
  };
  // The reader leaves this part to read another one, and comes back to it.
  struct LeftPart {
    std::size_t at;
    ShellLine line;
    CommandList list;
    std::size_t base;
    std::optional<std::size_t> broken;
  };

  // shell.cpp
  void read_line();
  void begin_shell();
  std::string_view text() const { return line_.text; }
  char peek(std::size_t ahead) const { return peek_at(at_ + ahead); }
  char peek_at(std::size_t at) const { return at < text().size() ? text()[at] : '\0'; }
  bool follows(std::string_view expected) const { return text().substr(at_).starts_with(expected); }
  Span span(std::size_t begin, std::size_t end) const {
    return place_ ? *place_ : Span{index_, begin, end};
  }
  std::size_t break_length(std::size_t at) const;
  std::size_t end_of_string(std::size_t at, int depth = 0) const;
  std::size_t end_of_parentheses(std::size_t at, int depth = 0) const;
  // An end, unless too many were searched for in vain.
  template <class Search>
  std::size_t find_end(Search search) {
    if (failures_ == most_failures) return nowhere;
    const std::size_t end = search();
    if (end == nowhere) ++failures_;
    return end;
  }
  void begin_word();
  void add(std::string_view text);
  void take(std::size_t length);
  void take_unfilled(std::size_t end);
  bool in_assignment() const;
  void keep_text(std::size_t begin, std::size_t end, bool is_expanded);
  bool in_test() const;
  void end_word();
  void end_command();
  void add_command(std::vector<Token> tokens, Span broken);
  bool is_repeated(const Command& command) const;
  void record(Command command, bool is_broken);
  std::size_t command_begin(const std::vector<Token>& tokens) const;
  bool adds_words(std::string_view name) const;
  bool is_wanted(std::string_view word) const;
  bool calls_program(const std::vector<Token>& tokens, std::size_t begin) const;
  bool may_move() const;
  void step();
  void separator();
  void line_break();
  void end_documents(std::size_t line_end);
  void double_quotes();
  void single_quotes();
  void end_string(std::size_t begin, std::size_t end);
  void dollar(bool in_quotes);
  void backquote(bool in_quotes);
  void substitution(std::size_t opening, std::size_t end, bool in_quotes);
  bool arithmetic(std::size_t opening);
  void parameter(bool in_quotes);
  bool add_items(const Parameter& found, bool in_quotes);
  void add_value(std::string_view value, Span set_at, bool splits);
  bool options_follow(std::size_t at) const;
  void end_early(std::size_t begin, std::size_t end, BrokenBy by);
  bool is_option_line(std::size_t at) const;
  void end_without_backslash();
  void backslash();
  void hash();
  void parenthesis();
  void close_parenthesis();
  void array(std::size_t end);
  void redirection();

  // shell_blocks.cpp
  bool is_dead() const;    // what is read is not run
  bool is_hidden() const;  // nothing of it is recorded
  bool keyword();
  void open(ShellBlock block);
  void close(std::string_view end);
  void drop_blocks(std::size_t count);
  void next_branch(ShellBlock& block);
  void end_branches(ShellBlock& block);
  void begin_loop(ShellBlock loop, std::size_t from);
  void follow(const std::vector<Word>& words);
  std::optional<std::vector<std::string>> loop_values(const Word& word) const;
  std::optional<std::vector<std::string>> parts_of_map(std::string_view word) const;
  void set_loop_value(ShellBlock& loop);
  void begin_cases(const std::vector<Word>& words);
  void take_pattern();
  void end_pattern();
  void begin_list();
  void end_pipeline();
  void end_list();
  void join_list(bool is_or);
  struct ScannedBlock {
    std::size_t end = 0;
    bool is_closed = false;
    Effects effects = {};
  };
  ScannedBlock scan(std::size_t begin, const ShellBlock* opened);
  void apply(const Effects& effects, Span where);
  void add_closure(std::string_view function, Effects& effects,
                   std::set<std::string, std::less<>>& seen) const;
  void define_function(std::string_view name);
  void call(const std::string& name, std::vector<Word> arguments, const std::vector<Token>& prefix);
  void read_uncalled();
  LeftPart begin_part(std::size_t begin, std::size_t end);
  void end_part(LeftPart part);
  void read_part(std::size_t begin, std::size_t end);
  void leave(std::string_view by);  // `return`, `exit`, `break`, `continue`

  // shell_builtins.cpp
  void assign(const Token& token);
  void assign_text(std::string_view text, const Word& word, bool known);
  void assign_item(std::string_view name, std::string_view subscript, bool appends, Word value,
                   bool known);
  void assign_map_item(std::string_view map, std::string_view key, bool appends, const Word& value,
                       bool known);
  void assign_map(std::string_view map, bool adds, const std::vector<Word>& items, Span where);
  void declare_map(std::string_view name, Span where);
  bool becomes_map(const Token& token, std::string_view name, bool is_local);
  void declare(std::string_view command, std::span<const Token> arguments);
  void run(const std::vector<Token>& tokens);
  std::optional<std::string> called_argument(std::string_view text) const;
  void run_program(const std::string& command, const std::vector<Token>& tokens, std::size_t at);
  bool run_builtin(std::string_view command, std::span<const Token> arguments, Span where);
  void set_inputs(std::string_view command, std::span<const Token> arguments);
  std::optional<std::string> own_file(const Word& word) const;
  bool is_written(std::string_view name) const;
  bool is_beside(const Word& file) const;
  void read_flags_file(std::vector<Word>& words) const;
  void source(std::span<const Token> arguments);
  void evaluate(std::span<const Token> arguments);
  bool run_settings(std::string_view settings, Span where);
  void set_arguments(std::vector<Word> arguments, Span where);
  void shift(std::span<const Token> arguments, Span where);
  void print_variable(std::span<const Token> arguments, Span where);
  void trap(std::span<const Token> arguments);
  void print_numbers(std::span<const Token> arguments);
  void let(std::span<const Token> arguments, Span where);
  bool is_never_set(const Word& word) const;
  ShellStatus judge_test(std::span<const Token> tokens);
  void open_all();

  static constexpr int most_failures = 8;  // after those, what opens is a character

  std::uint32_t index_;
  Variables& variables_;
  const std::vector<std::string_view>& names_;
  bool unrolls_;
  const ReadBeside& beside_;
  std::string_view whole_;
  std::size_t budget_;  // of bytes that variables may still give
  std::size_t reads_;   // of bytes that may still be read again

  std::span<const std::size_t> shells_ = {};
  std::size_t next_shell_ = 0;
  Variables::Mark start_ = 0;

  std::size_t at_ = 0;
  int depth_ = 0;  // of `$(…)`
  bool in_array_ = false;
  std::vector<Word> array_;  // that is being read
  bool has_gap_ = false;     // of the command that ends
  bool has_redirection_ = false;
  int failures_ = 0;
  std::optional<std::size_t> broken_;  // the command whose options may follow
  ShellLine line_;
  CommandList list_;
  ShellStatus status_ = ShellStatus::unknown;
  std::vector<ShellBlock> blocks_;
  std::size_t base_ = 0;  // blocks that are not of this part
  std::vector<Call> calls_;
  std::map<std::string, Function, std::less<>> functions_;
  Effects* effects_ = nullptr;         // of what is only looked at
  std::string tested_ = {};            // the variable that a condition finds empty
  bool is_tested_for_text_ = false;    // `-n`: what comes after `||`
  bool has_foreign_ = false;           // functions of files that were not read
  bool keeps_last_ = false;            // the last command of a pipeline may be run in this shell
  bool was_moved_ = false;             // `cd`
  std::optional<Span> place_;          // of all that is read
  bool is_over_ = false;               // `exit` or `exec` ended the shell
  bool is_quiet_ = false;              // reads settings: no command counts
  bool has_commands_ = false;          // other than settings
  std::size_t runs_ = 0;               // commands so far
  std::optional<std::string> output_;  // of the last command, an `echo`
  std::map<std::size_t, std::vector<std::size_t>> at_places_;  // commands by where they begin
  Script script_;
};

}  // namespace flexslice::extract
