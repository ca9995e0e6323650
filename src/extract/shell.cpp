#include "extract/shell.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/parameters.hpp"
#include "extract/shell_words.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

constexpr size_t nowhere = std::string_view::npos;
// Deeper `$(` are not read.
constexpr int deepest_substitution = 8;
// Searches for ends that are nowhere; after those, what opens is a character. Keeps time linear.
constexpr int most_failures = 8;
constexpr size_t most_blocks = 64;
constexpr size_t most_loop_values = 32;  // of a loop
constexpr size_t most_words = 1024;      // of a command with arrays in it

struct Token {
  Word word;
  bool is_assignment = false;
};

// A command so far, of the script or of a `$(…)`.
struct ShellLine {
  std::string_view text;  // up to the end of what is read
  std::vector<Token> tokens;
  Span broken = {};
  BrokenBy broken_by = {};
  bool is_conditional = false;  // after `&&` or `||`
  bool has_gap = false;         // a word is missing, where a variable is set to nothing
  bool is_target = false;       // the next word is of a redirection

  // The word so far: several, where the value of a variable has spaces.
  bool in_word = false;
  bool has_quotes = false;  // the word is one even when it is empty
  size_t word_begin = 0;
  std::vector<Word> pieces;

  struct Pending {
    HereDocument document;
    size_t command_begin = 0;
  };
  std::vector<Pending> pending;  // here-documents that begin on the next line
  bool continued = false;        // only blanks since a `\` at the end of a line
};

// An `if`, a loop, a function, parentheses: what is set in it may not hold after it.
struct ShellBlock {
  std::string_view end;
  Span where;
  std::vector<std::string> names = {};   // that a loop sets
  std::vector<std::string> values = {};  // of a loop that is read for each
  size_t next = 0;                       // of the values
  size_t body = 0;                       // where the loop is read again
  size_t first_command = 0;
};

bool names_one_of(const Word& word, const std::vector<std::string>& names) {
  return any_of(word.unfilled, [&](const Unfilled& part) {
    std::string_view text = part.text;
    text.remove_prefix(text.starts_with("${") ? 2 : 1);
    const std::string_view name = variable_name(text);
    return !name.empty() && contains(names, name);
  });
}

class Reader {
 public:
  Reader(std::string_view text, std::uint32_t index, Variables& variables,
         const std::vector<std::string_view>& names, Loops loops)
      : index_(index),
        variables_(variables),
        names_(names),
        unrolls_(loops == Loops::unrolled),
        budget_(text.size() + (size_t{1} << 16)) {
    line_.text = text;
  }

  Script read() {
    read_line();
    std::ranges::stable_sort(script_.commands, {}, [](const Command& each) { return each.where; });
    std::ranges::sort(script_.strings);
    return std::move(script_);
  }

 private:
  void read_line() {
    do {
      while (at_ < text().size()) step();
      end_command();
    } while (at_ < text().size());  // a loop is read again
  }

  std::string_view text() const { return line_.text; }
  char peek(size_t ahead) const { return at_ + ahead < text().size() ? text()[at_ + ahead] : '\0'; }
  bool follows(std::string_view expected) const { return text().substr(at_).starts_with(expected); }
  Span span(size_t begin, size_t end) const { return {index_, begin, end}; }
  // Of a line break at `at`, or 0.
  size_t break_length(size_t at) const {
    const std::string_view rest = text().substr(std::min(at, text().size()), 2);
    return rest.starts_with('\n') ? 1 : rest == "\r\n" ? 2 : 0;
  }

  // After the quote that ends the string whose first character is at `at`.
  size_t end_of_string(size_t at, int depth = 0) const {
    for (; at < text().size(); ++at) {
      if (text()[at] == '\\') {
        ++at;
      } else if (text()[at] == '"') {
        return at + 1;
      } else if (text().substr(at).starts_with("${")) {
        at += parameter_at(text(), at).length - 1;
      } else if (text().substr(at).starts_with("$(")) {
        at = end_of_parentheses(at + 1, depth + 1);
        if (at == nowhere) return nowhere;
        --at;
      }
    }
    return nowhere;
  }

  // After the `)` of what begins with `(` at `at`.
  size_t end_of_parentheses(size_t at, int depth = 0) const {
    if (depth > deepest_substitution) return nowhere;
    std::optional<HereDocument> document;
    for (int open = 0; at < text().size(); ++at) {
      const char c = text()[at];
      if (c == '\\') {
        ++at;
      } else if (c == '\'' || c == '"') {
        const size_t end = c == '"' ? end_of_string(at + 1, depth) : text().find(c, at + 1);
        if (end == nowhere) return nowhere;
        at = c == '"' ? end - 1 : end;
      } else if (c == '(') {
        ++open;
      } else if (c == ')' && --open == 0) {
        return at + 1;
      } else if (c == '<' && text().substr(at).starts_with("<<") && peek_at(at + 2) != '<') {
        size_t after = at + 2;
        document = take_delimiter(text(), after);
        at = after - 1;
      } else if (c == '\n' && document) {
        const size_t end = end_of_here_document(text(), *std::exchange(document, {}), at + 1);
        if (end != nowhere) at = text::line_end(text(), end) - 1;
      } else if (c == '#' && at > 0 && ascii::is_space(text()[at - 1])) {
        at = text::line_end(text(), at) - 1;
      }
    }
    return nowhere;
  }

  char peek_at(size_t at) const { return at < text().size() ? text()[at] : '\0'; }

  // An end, unless too many were searched for in vain.
  template <class Search>
  size_t find_end(Search search) {
    if (failures_ == most_failures) return nowhere;
    const size_t end = search();
    if (end == nowhere) ++failures_;
    return end;
  }

  void begin_word() {
    line_.continued = false;
    if (std::exchange(line_.in_word, true)) return;
    line_.has_quotes = false;
    line_.word_begin = at_;
    line_.pieces.assign(1, {});
  }

  void add(std::string_view text) {
    begin_word();
    line_.pieces.back().text += text;
  }
  void take(size_t length) {
    add(text().substr(at_, length));
    at_ += length;
  }
  // What only a shell knows, up to `end`.
  void take_unfilled(size_t end) {
    const std::string_view part = text().substr(at_, end - at_);
    add(part);
    Word& word = line_.pieces.back();
    word.unknown = true;
    if (!any_of(word.unfilled, [&](const Unfilled& each) { return each.text == part; }))
      word.unfilled.push_back({std::string(part), span(at_, end)});
    at_ = end;
  }

  bool in_assignment() const {
    return assignment_length(text().substr(line_.word_begin, at_ - line_.word_begin)) > 0;
  }

  void end_word() {
    if (!std::exchange(line_.in_word, false)) return;
    if (std::exchange(line_.is_target, false)) return;
    const bool is_assignment = in_assignment();
    for (Word& piece : line_.pieces) {
      if (piece.text.empty() && !line_.has_quotes && !piece.unknown) {
        line_.has_gap = line_.has_gap || piece.set_at != Span{};
        continue;
      }
      piece.where = span(line_.word_begin, at_);
      piece.unknown =
          piece.unknown || has_placeholder(is_assignment ? assigned_value(piece.text) : piece.text);
      line_.tokens.push_back({std::move(piece), is_assignment});
    }
    line_.pieces.clear();
  }

  void end_command() {
    end_word();
    line_.is_target = false;
    std::vector<Token> tokens = std::exchange(line_.tokens, {});
    has_gap_ = std::exchange(line_.has_gap, false);
    const Span broken = std::exchange(line_.broken, {});
    const bool is_conditional = std::exchange(line_.is_conditional, false);
    if (!tokens.empty()) add_command(std::move(tokens), broken, is_conditional);
  }

  void add_command(std::vector<Token> tokens, Span broken, bool is_conditional) {
    const bool is_broken = broken.end > broken.begin;
    if (broken_ && (tokens[0].word.text.starts_with('-') ||
                    script_.commands[*broken_].broken_by == BrokenBy::in_flag)) {
      for (Token& token : tokens) script_.commands[*broken_].lost.push_back(std::move(token.word));
      if (!is_broken) broken_.reset();
      return;
    }
    broken_.reset();
    if (in_array_) {
      for (const Token& token : tokens) array_.push_back(token.word);
    } else {
      expand_arrays(tokens);
    }
    if (!script_.commands.empty() && script_.commands.back().next.empty())
      script_.commands.back().next = tokens[0].word.text;
    const size_t begin = command_begin(tokens);
    const bool is_call = calls_program(tokens, begin);
    for (size_t i = 0; i < begin; ++i) {
      const Word& word = tokens[i].word;
      if (word.text == "{") open({"}", word.where});
      if (word.text == "if") open({"fi", word.where});
      if (word.text == "while" || word.text == "until") {
        ShellBlock loop{"done", word.where};
        for (size_t name = begin + 1; name < tokens.size(); ++name)
          loop.names.push_back(tokens[name].word.text);
        open(std::move(loop));
      }
    }
    if (!in_array_) set_variables(tokens, begin, is_conditional);
    std::vector<Word> words;
    for (size_t i = begin; i < tokens.size(); ++i) words.push_back(std::move(tokens[i].word));
    if (!words.empty() && !in_array_) follow(words);
    if (!is_call) return;
    Command command{std::move(words), {}, broken, line_.broken_by, {}, {}};
    command.is_open = in_array_ || has_gap_;
    command.where = command.words[0].where;
    if (is_repeated(command)) return;
    for (const ShellBlock& block : blocks_) {
      const bool is_used = any_of(command.words, [&](const Word& word) {
        return word.unknown && names_one_of(word, block.names);
      });
      if (is_used && block.values.empty() && command.loop == Span{}) command.loop = block.where;
    }
    if (is_broken) broken_ = script_.commands.size();
    script_.commands.push_back(std::move(command));
  }

  // Puts the words of `"${NAME[@]}"` in its place.
  void expand_arrays(std::vector<Token>& tokens) const {
    for (size_t i = 0; i < tokens.size(); ++i) {
      const std::string_view text = tokens[i].word.text;
      if (!text.starts_with("${") || !text.ends_with("[@]}")) continue;
      const auto array = arrays_.find(text.substr(2, text.size() - 6));
      if (array == arrays_.end() || !array->second.known) continue;
      const std::vector<Word>& words = array->second.words;
      if (tokens.size() + words.size() > most_words) continue;
      auto at = tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i));
      for (const Word& word : words) at = tokens.insert(at, {word}) + 1;
      i += words.size() - 1;
    }
  }

  // `assigned`: `NAME=` or `NAME+=`. What is set where it may not be run is not known.
  void set_array(std::string_view assigned, std::vector<Word> words) {
    const std::string_view name = variable_name(assigned);
    if (name.empty()) return;
    const bool adds = assigned.ends_with("+=");
    const auto [entry, is_new] = arrays_.try_emplace(std::string(name));
    Array& array = entry->second;
    // What a `{` before it opens is known at the end of the command.
    const bool is_first = line_.tokens.empty() || is_declaration(line_.tokens[0].word.text);
    array.known = depth_ == 0 && blocks_.empty() && is_first && !line_.is_conditional &&
                  (!adds || (array.known && !is_new));
    if (!adds) array.words.clear();
    std::ranges::move(words, std::back_inserter(array.words));
  }

  void open(ShellBlock block) {
    if (blocks_.size() < most_blocks) blocks_.push_back(std::move(block));
  }

  // Closes the innermost block of that end, and all that is in it.
  void close(std::string_view end) {
    const auto block = std::find_if(blocks_.rbegin(), blocks_.rend(),
                                    [&](const ShellBlock& each) { return each.end == end; });
    if (block == blocks_.rend()) return;
    if (block->next < block->values.size()) {
      set_variable(variables_, block->names[0], block->values[block->next++], block->where, true);
      at_ = block->body;
      line_.pending.clear();
      blocks_.erase(block.base(), blocks_.end());
    } else {
      blocks_.erase(block.base() - 1, blocks_.end());
    }
  }

  void follow(const std::vector<Word>& words) {
    const std::string_view command = words[0].text;
    if (command == "fi" || command == "done" || command == "esac" || command == "}")
      return close(command);
    if (command == "case") open({"esac", words[0].where});
    if (command == "function" && words.back().text == "{") open({"}", words[0].where});
    if ((command != "for" && command != "select") || words.size() < 2) return;
    ShellBlock loop{"done", words[0].where};
    std::string_view name = words[1].text;
    text::take(name, [](char c) { return c == '(' || c == ' '; });  // `for ((i = 0; …))`
    if (words.size() > 2 && words[2].text != "in") return;
    loop.names.emplace_back(variable_name(name));
    for (size_t i = 3; i < words.size(); ++i) {
      const bool is_literal = unrolls_ && depth_ == 0 && blocks_.empty() && !words[i].unknown &&
                              words.size() <= most_loop_values + 3 &&
                              words[i].text.find_first_of("*?[{") == std::string::npos;
      if (!is_literal) {
        loop.values.clear();
        break;
      }
      loop.values.push_back(words[i].text);
    }
    loop.body = at_;
    loop.first_command = script_.commands.size();
    const bool is_literal = !loop.values.empty();
    set_variable(variables_, loop.names[0], is_literal ? loop.values[loop.next++] : "", loop.where,
                 is_literal);
    open(std::move(loop));
  }

  // A loop that is read again has given the same command before.
  bool is_repeated(const Command& command) const {
    if (blocks_.empty() || blocks_[0].next < 2) return false;
    const std::span<const Command> before = script_.commands;
    return any_of(before.subspan(blocks_[0].first_command), [&](const Command& each) {
      return std::ranges::equal(each.words, command.words, [](const Word& a, const Word& b) {
        return a.where == b.where && a.text == b.text;
      });
    });
  }

  // The first token after keywords, assignments and wrappers with their options.
  size_t command_begin(const std::vector<Token>& tokens) const {
    size_t at = 0;
    const auto text = [&] { return std::string_view(tokens[at].word.text); };
    while (at < tokens.size()) {
      if (tokens[at].is_assignment || is_keyword(text())) {
        ++at;
      } else if (is_wrapper(text())) {
        ++at;
        while (at < tokens.size() &&
               (text().starts_with('-') || (!text().empty() && ascii::is_digit(text()[0])))) {
          const bool skip_next = takes_argument(text());
          ++at;
          if (skip_next && at < tokens.size() && !is_wanted(text())) ++at;
        }
      } else {
        break;
      }
    }
    return at;
  }

  bool is_wanted(std::string_view word) const {
    return contains(names_, word.substr(word.rfind('/') + 1));
  }
  bool calls_program(const std::vector<Token>& tokens, size_t begin) const {
    return begin < tokens.size() && is_wanted(tokens[begin].word.text);
  }

  void assign(const Word& word, bool is_conditional) {
    const std::string_view name = variable_name(word.text);
    const std::string_view rest = std::string_view(word.text).substr(name.size());
    const bool is_certain =
        !is_conditional && depth_ == 0 && !word.unknown && !in_functions_.contains(name) &&
        std::ranges::none_of(blocks_, [](const ShellBlock& block) { return block.values.empty(); });
    if (any_of(blocks_, [](const ShellBlock& block) { return block.end == "}"; }))
      in_functions_.emplace(name);
    std::string value(assigned_value(word.text));
    const auto before = variables_.find(name);
    const bool appends = rest.starts_with("+=") && before != variables_.end();
    if (appends) value = before->second.value + value;
    set_variable(variables_, name, value, word.where,
                 is_certain && (rest.starts_with('=') || (appends && before->second.known)));
  }

  void set_variables(const std::vector<Token>& tokens, size_t begin, bool is_conditional) {
    // `X=v command` sets X for the command alone.
    const std::string_view command =
        begin == tokens.size() ? "export" : std::string_view(tokens[begin].word.text);
    for (size_t i = begin == tokens.size() ? 0 : begin + 1; i < tokens.size(); ++i) {
      const Word& word = tokens[i].word;
      if (is_declaration(command) && tokens[i].is_assignment) assign(word, is_conditional);
      if (!is_input(command)) continue;
      if (word.text == "in") break;
      if (variable_name(word.text) == word.text)
        set_variable(variables_, word.text, {}, word.where, false);
    }
  }

  void step() {
    const char c = text()[at_];
    if (c == '$') return dollar(false);
    if (c == '`') return backquote();
    if (break_length(at_) > 0) return line_break();
    if (ascii::is_space(c)) {
      end_word();
      ++at_;
      return;
    }
    switch (c) {
      case '\\':
        return backslash();
      case '#':
        return hash();
      case '\'':
        return single_quotes();
      case '"':
        return double_quotes();
      case ';':
      case '|':
      case '&':
        if (follows("&>")) return redirection();
        return separator(follows("&&") || follows("||"));
      case '(':
        return parenthesis();
      case ')':
        end_command();
        if (!blocks_.empty() && blocks_.back().end == ")") blocks_.pop_back();
        ++at_;
        return;
      case '<':
      case '>':
        return redirection();
      default:
        take(1);
    }
  }

  void separator(bool is_conditional) {
    end_word();
    at_ += is_conditional ? 2 : 1;
    end_command();
    line_.is_conditional = is_conditional;
  }

  void line_break() {
    const size_t length = break_length(at_);
    if (in_array_) {
      end_word();
      at_ += length;
      return;
    }
    end_without_backslash();
    end_word();
    line_.continued = false;
    const size_t line_end = at_;
    at_ += length;
    end_command();
    for (const auto& [document, begin] : std::exchange(line_.pending, {})) {
      const size_t end =
          find_end([&, &begun = document] { return end_of_here_document(text(), begun, at_); });
      if (end == nowhere) continue;
      HereText here{at_, end, span(begin, line_end), !document.is_quoted, {}};
      if (here.is_expanded) expand_here_document(text(), here, variables_, budget_);
      script_.here_documents.push_back(std::move(here));
      script_.strings.push_back(span(at_, end));
      at_ = text::next_line(text(), end);
    }
  }

  void double_quotes() {
    const int failures = failures_;
    const size_t end = find_end([&] { return end_of_string(at_ + 1); });
    begin_word();
    if (end == nowhere) {
      line_.pieces.back().unknown = true;
      line_.pieces.back().unfinished = failures_ > failures;
      return take(1);
    }
    line_.has_quotes = true;
    const size_t begin = at_++;
    while (at_ + 1 < end) {
      const char c = text()[at_];
      if (c == '$') {
        dollar(true);
      } else if (c == '`') {
        backquote();
      } else if (c == '\\' && break_length(at_ + 1) > 0) {
        at_ += 1 + break_length(at_ + 1);
      } else if (c == '\\') {
        if (contains(std::string_view("$`\"\\"), peek(1))) ++at_;
        take(1);
      } else {
        take(1);
      }
    }
    at_ = end;
    script_.strings.push_back(span(begin, end));
  }

  // An apostrophe that is not closed in its line, or nowhere, is a character.
  void single_quotes() {
    const size_t end = text().find('\'', at_ + 1);
    const bool in_letters =
        at_ > 0 && ascii::is_letter_or_digit(text()[at_ - 1]) && ascii::is_letter_or_digit(peek(1));
    if (end == nowhere || (in_letters && contains(text().substr(at_, end - at_), '\n'))) {
      begin_word();
      if (!in_letters) line_.pieces.back().unfinished = true;
      return take(1);
    }
    add(text().substr(at_ + 1, end - at_ - 1));
    end_string(at_, end + 1);
  }

  void end_string(size_t begin, size_t end) {
    line_.has_quotes = true;
    script_.strings.push_back(span(begin, end));
    at_ = end;
  }

  void dollar(bool in_quotes) {
    begin_word();
    if (follows("$((") && skip_arithmetic(3)) return;
    if (peek(1) == '(') {
      const size_t end = find_end([&] { return end_of_parentheses(at_ + 1); });
      if (end != nowhere) return substitution(2, end);
      line_.pieces.back().unknown = true;
      take(2);
    } else if (peek(1) == '\'' && !in_quotes) {
      ++at_;
      single_quotes();
    } else if (parameter_at(text(), at_).length > 0) {
      parameter(in_quotes);
    } else {
      take(1);
    }
  }

  void backquote() {
    begin_word();
    const size_t end = find_end([&] { return text().find('`', at_ + 1); });
    if (end == nowhere) {
      ++at_;
    } else {
      substitution(1, end + 1);
    }
  }

  // `$(…)`, `<(…)`, or backquotes: reads the commands in it, and takes it as what a shell fills in.
  void substitution(size_t opening, size_t end) {
    const size_t begin = at_;
    const bool was_in_array = opening == 2 && std::exchange(in_array_, false);
    if (depth_ < deepest_substitution) {
      const size_t blocks = blocks_.size();
      const auto broken = std::exchange(broken_, {});
      ShellLine outer = std::exchange(line_, {});
      line_.text = outer.text.substr(0, end - 1);
      ++depth_;
      at_ = begin + opening;
      read_line();
      --depth_;
      blocks_.resize(std::min(blocks, blocks_.size()));
      broken_ = broken;
      line_ = std::move(outer);
    }
    in_array_ = in_array_ || was_in_array;
    at_ = begin;
    take_unfilled(end);
  }

  // `((…))` with what is in front of it, when it ends in this line.
  bool skip_arithmetic(size_t begin) {
    const size_t line_end = text::line_end(text(), at_);
    const size_t end = text().substr(0, line_end).find("))", std::min(at_ + begin, line_end));
    if (end == nowhere) return false;
    take_unfilled(end + 2);
    return true;
  }

  void parameter(bool in_quotes) {
    const Parameter found = parameter_at(text(), at_);
    const auto value = expand_parameter(found, variables_, budget_);
    if (!value) return take_unfilled(at_ + found.length);
    budget_ -= value->text.size();
    const Span here = span(at_, at_ + found.length);
    const Span set_at = value->set_at == Span{} ? here : value->set_at;
    if (found.change == '=') set_variable(variables_, found.name, value->text, set_at, true);
    const bool splits = !in_quotes && !in_assignment();
    std::vector<Word>& pieces = line_.pieces;
    if (value->text.empty()) pieces.back().set_at = set_at;
    for (const char c : value->text) {
      if (splits && ascii::is_space(c)) {
        if (!pieces.back().text.empty()) pieces.emplace_back();
        continue;
      }
      pieces.back().text += c;
      pieces.back().set_at = set_at;
    }
    at_ += found.length;
  }

  // Whether options go on in the line after this one, which comments may precede.
  bool options_follow(size_t at) const {
    while ((at = text::next_line(text(), at)) < text().size()) {
      const size_t first = text().find_first_not_of(" \t", at);
      if (first == nowhere) return false;
      if (text()[first] != '#') return text()[first] == '-';
      at = first;
    }
    return false;
  }

  void end_early(size_t begin, size_t end, BrokenBy by) {
    if (line_.broken.end != 0 || !options_follow(end)) return;
    line_.broken = span(begin, end);
    line_.broken_by = by;
  }

  // A long option begins the line at `at`: no command does.
  bool is_option_line(size_t at) const {
    const size_t first = std::min(text().find_first_not_of(" \t", at), text().size());
    return text().substr(first, 2) == "--" && ascii::is_lower(peek_at(first + 2));
  }

  // The line of a command ends here without the `\` that the next one needs. In PowerShell
  // and cmd a line goes on after other characters, and in documentation after `...`.
  void end_without_backslash() {
    end_word();
    const bool may_end = !line_.continued && line_.pending.empty() && line_.broken.end == 0;
    if (!may_end || line_.tokens.empty()) return;
    // No flag ends with a dash.
    const std::string_view last_word = line_.tokens.back().word.text;
    const bool in_flag =
        last_word.starts_with("--") && last_word.ends_with('-') && last_word.size() > 2;
    if (!in_flag && !is_option_line(at_ + break_length(at_))) return;
    const bool goes_on = broken_ && line_.tokens[0].word.text.starts_with('-');
    if (!goes_on && !calls_program(line_.tokens, command_begin(line_.tokens))) return;
    const Span last = line_.tokens.back().word.where;
    const std::string_view rest = text::trim(text().substr(last.end, at_ - last.end));
    const std::string_view line = text::trim(text().substr(last.begin, at_ - last.begin));
    if (line.ends_with('^') || line.ends_with('`') || line.ends_with("...") || line.ends_with("…"))
      return;
    const bool has_comment = rest.starts_with('#');
    line_.broken = span(last.begin, has_comment ? last.end : at_);
    line_.broken_by = in_flag       ? BrokenBy::in_flag
                      : has_comment ? BrokenBy::missing_at_comment
                                    : BrokenBy::missing;
  }

  void backslash() {
    if (const size_t length = break_length(at_ + 1)) {
      at_ += 1 + length;
      if (!line_.in_word || at_ >= text().size() || ascii::is_space(text()[at_])) end_word();
      line_.continued = true;
      return;
    }
    const size_t after = std::min(text().find_first_not_of(" \t", at_ + 1), text().size());
    const bool ends = after == text().size() || break_length(after) > 0;
    if (after > at_ + 1 && (ends || text()[after] == '#')) {
      end_word();
      const size_t end = text::line_end(text(), after);
      end_early(at_ + 1, end, ends ? BrokenBy::blanks : BrokenBy::comment);
      at_ = end;
      return;
    }
    ++at_;
    if (at_ < text().size()) take(1);
  }

  void hash() {
    if (line_.in_word) return take(1);
    const size_t end = text::line_end(text(), at_);
    if (line_.continued) end_early(at_, end, BrokenBy::comment);
    at_ = end;
  }

  void parenthesis() {
    std::vector<Token>& tokens = line_.tokens;
    if (line_.in_word && text()[at_ - 1] == '=') {  // an array
      const size_t end = find_end([&] { return end_of_parentheses(at_); });
      if (end == nowhere) return take(1);
      const std::string assigned = line_.pieces.back().text;
      const bool was_in_array = std::exchange(in_array_, true);
      std::vector<Word> outer = std::exchange(array_, {});
      substitution(1, end);
      in_array_ = was_in_array;
      set_array(assigned, std::exchange(array_, std::move(outer)));
      return;
    }
    const bool is_loop = !tokens.empty() && tokens.back().word.text == "for";
    if (follows("((") && !line_.in_word && (tokens.empty() || is_loop) && skip_arithmetic(2))
      return;
    end_word();
    const size_t inner = text().find_first_not_of(" \t", at_ + 1);
    if (inner != nowhere && text()[inner] == ')') {  // `name() {`
      tokens.clear();
      at_ = inner + 1;
      return;
    }
    const bool is_pattern = !blocks_.empty() && blocks_.back().end == "esac";
    if (!is_pattern) open({")", span(at_, at_ + 1)});
    ++at_;
  }

  void redirection() {
    if (const size_t length = angle_placeholder_length(text().substr(at_))) {
      begin_word();
      line_.pieces.back().unknown = true;
      return take(length);
    }
    if (follows("<(") || follows(">(")) {
      const size_t end = find_end([&] { return end_of_parentheses(at_ + 1); });
      if (end != nowhere) {
        begin_word();
        return substitution(2, end);
      }
    }
    if (line_.in_word && std::ranges::all_of(line_.pieces.back().text, ascii::is_digit))
      line_.is_target = true;  // `2` of `2>`
    end_word();
    if (follows("<<") && !follows("<<<")) {
      const size_t begin = line_.tokens.empty() ? at_ : line_.tokens[0].word.where.begin;
      at_ += 2;
      if (auto document = take_delimiter(text(), at_)) line_.pending.push_back({*document, begin});
      return;
    }
    while (at_ < text().size() && contains(std::string_view("<>&|"), text()[at_])) ++at_;
    line_.is_target = true;
    while (at_ < text().size() && ascii::is_blank(text()[at_])) ++at_;
  }

  std::uint32_t index_;
  Variables& variables_;
  const std::vector<std::string_view>& names_;
  bool unrolls_;
  size_t budget_;  // of bytes that variables may still give

  size_t at_ = 0;
  int depth_ = 0;  // of `$(…)`
  bool in_array_ = false;
  struct Array {
    std::vector<Word> words;
    bool known = true;
  };
  std::map<std::string, Array, std::less<>> arrays_;
  std::vector<Word> array_;  // that is being read
  bool has_gap_ = false;     // of the command that ends
  int failures_ = 0;
  std::optional<size_t> broken_;  // the command whose options may follow
  ShellLine line_;
  std::vector<ShellBlock> blocks_;
  std::set<std::string, std::less<>> in_functions_;  // variables that may be set by a call
  Script script_;
};

}  // namespace

Script read_shell(std::string_view text, std::uint32_t index, Variables& variables,
                  const std::vector<std::string_view>& names, Loops loops) {
  return Reader(text, index, variables, names, loops).read();
}

}  // namespace flexslice::extract
