#include "read/shell.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "read/here_documents.hpp"
#include "read/loops.hpp"
#include "read/parameters.hpp"
#include "read/words.hpp"

namespace flexslice::read {

using std::size_t;

namespace {

// Deeper `$(` are characters.
constexpr size_t deepest = 64;
// How often a quote that is never closed may send the reader back; then all quotes end with lines.
constexpr int most_returns = 8;
constexpr size_t longest_value = 4096;
// Loops around a command further out do not matter: keeps time linear.
constexpr size_t deepest_loop = 16;
// Of the bodies of loops that are read again.
constexpr size_t most_repeated = size_t{1} << 16;

struct Token {
  Word word;
  bool is_assignment = false;
};

// Commands between the ends of a `$(…)`, of backquotes, of parentheses, or of the script.
struct Nesting {
  enum class Kind : std::uint8_t { script, substitution, backquotes, group, array };

  Kind kind = Kind::script;
  std::vector<Token> tokens;  // of the command so far
  Span broken = {};
  BrokenBy broken_by = {};

  // The word so far: several, where the value of a variable has spaces.
  bool in_word = false;
  bool in_quotes = false;   // double ones
  bool has_quotes = false;  // of any kind: the word is one even when it is empty
  bool is_target = false;   // of a redirection: no word of the command
  size_t word_begin = 0;
  size_t quote_begin = 0;
  std::vector<Word> pieces;
};

class Reader {
 public:
  Reader(std::string_view text, std::uint32_t index, Variables& variables,
         const std::vector<std::string_view>& names, Loops loops)
      : text_(text),
        index_(index),
        variables_(variables),
        names_(names),
        unrolls_(loops == Loops::unrolled),
        budget_(text.size() + (size_t{1} << 16)),
        here_lines_(text) {}

  Script read() {
    do {
      do {
        while (at_ < text_.size()) {
          step();
          repeat();
        }
      } while (is_open() && go_back());
      end_command();
    } while (repeat());
    std::ranges::stable_sort(script_.commands, {},
                             [](const Command& each) { return each.where.begin; });
    std::ranges::sort(script_.strings);
    return std::move(script_);
  }

 private:
  Nesting& top() { return nested_.back(); }
  bool is_open() const { return nested_.size() > 1 || nested_.back().in_quotes; }
  char peek(size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool follows(std::string_view expected) const { return text_.substr(at_).starts_with(expected); }
  Span span(size_t begin, size_t end) const { return {index_, begin, end}; }
  // Of a line break at `at`, or 0.
  size_t break_length(size_t at) const {
    const std::string_view rest = text_.substr(at, 2);
    return rest.starts_with('\n') ? 1 : rest == "\r\n" ? 2 : 0;
  }

  // Where to go back to when what is opened now is never closed.
  void note_opening() {
    if (is_open()) return;
    opening_ = {at_, script_.commands.size(), script_.here_documents.size(),
                script_.strings.size()};
  }

  // Reads on after the line in which something was opened that is not closed.
  bool go_back() {
    const bool again = !ends_with_lines_;
    if (again) {
      script_.commands.resize(opening_.commands);
      script_.here_documents.resize(opening_.here_documents);
      script_.strings.resize(opening_.strings);
      at_ = text::line_end(text_, opening_.at);
    }
    ends_with_lines_ = ++returns_ >= most_returns;
    close_all();
    return again;
  }

  void close_all() {
    nested_.resize(1);
    pending_.clear();
    broken_command_.reset();
    top().in_quotes = false;
    if (top().in_word) {
      top().pieces.assign(1, {});
      add_unknown(text_.substr(top().word_begin, at_ - top().word_begin));
    }
    end_command();
  }

  void begin_word() {
    Nesting& now = top();
    continued_ = false;
    if (now.in_word) return;
    now.in_word = true;
    now.has_quotes = false;
    now.word_begin = at_;
    now.pieces.assign(1, {});
  }

  void add(std::string_view text) {
    begin_word();
    top().pieces.back().text += text;
  }
  void add_unknown(std::string_view text) {
    add(text);
    top().pieces.back().unknown = true;
  }

  bool in_assignment() {
    const Nesting& now = top();
    return assignment_length(text_.substr(now.word_begin, at_ - now.word_begin)) > 0;
  }

  void end_word() {
    Nesting& now = top();
    if (!now.in_word) return;
    now.in_word = false;
    if (std::exchange(now.is_target, false)) return;
    const Span where = span(now.word_begin, at_);
    const bool is_assignment =
        assignment_length(text_.substr(now.word_begin, at_ - now.word_begin)) > 0;
    for (Word& piece : now.pieces) {
      if (piece.text.empty() && !now.has_quotes && !piece.unknown) continue;
      piece.where = where;
      piece.unknown =
          piece.unknown || has_placeholder(is_assignment ? value_of(piece) : piece.text);
      now.tokens.push_back({std::move(piece), is_assignment});
    }
    now.pieces.clear();
  }

  static std::string_view value_of(const Word& assignment) {
    return std::string_view(assignment.text).substr(assignment_length(assignment.text));
  }

  void set(std::string_view name, std::string_view value, Span where, bool known) {
    if (name.empty()) return;
    known = known && value.size() <= longest_value;
    variables_.insert_or_assign(std::string(name),
                                Variable{std::string(known ? value : ""), where, known});
  }

  void assign(const Token& token) {
    const Word& word = token.word;
    const std::string_view name = variable_name(word.text);
    const bool is_plain = word.text.substr(name.size()).starts_with('=');
    set(name, value_of(word), word.where, is_plain && !word.unknown);
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

  void set_variables(const std::vector<Token>& tokens, size_t begin) {
    // `X=v command` sets X for the command alone.
    if (begin == tokens.size()) {
      for (const Token& token : tokens) {
        if (token.is_assignment) assign(token);
      }
      return;
    }
    const std::string_view command = tokens[begin].word.text;
    for (size_t i = begin + 1; i < tokens.size(); ++i) {
      const Word& word = tokens[i].word;
      if (is_declaration(command) && tokens[i].is_assignment) assign(tokens[i]);
      if (is_input(command)) {
        if (word.text == "in") break;
        if (variable_name(word.text) == word.text) set(word.text, {}, word.where, false);
      }
    }
  }

  void open_loop(ScriptLoop loop, const Word& first) {
    loop.body = at_;
    loop.first_command = script_.commands.size();
    loop.is_unrolled = unrolls_ && loops_.empty() && !loop.values.empty();
    if (loop.is_unrolled) {
      set(loop.names[0], loop.values[loop.next++], first.where, true);
    } else {
      for (const std::string& name : loop.names) set(name, {}, first.where, false);
    }
    loops_.push_back(std::move(loop));
  }

  void close_loop() {
    if (loops_.empty()) return;
    ScriptLoop& loop = loops_.back();
    const size_t length = at_ - loop.body;
    if (!loop.is_unrolled || loop.next == loop.values.size() || length > repeatable_) {
      loops_.pop_back();
      return;
    }
    repeatable_ -= length;
    set(loop.names[0], loop.values[loop.next++], loop.where, true);
    repeat_from_ = loop.body;
  }

  bool repeat() {
    if (!repeat_from_) return false;
    at_ = *std::exchange(repeat_from_, {});
    return true;
  }

  void follow_loops(const std::vector<Token>& tokens, size_t begin) {
    if (nested_.size() > 1) return;
    std::vector<Word> words;
    for (size_t i = begin; i < tokens.size(); ++i) words.push_back(tokens[i].word);
    const auto is = [&](std::string_view word) { return !words.empty() && words[0].text == word; };
    for (size_t i = 0; i < begin; ++i) {
      const Word& keyword = tokens[i].word;
      if (keyword.text != "while" && keyword.text != "until") continue;
      ScriptLoop loop;
      loop.where = keyword.where;
      for (size_t each = 1; is("read") && each < words.size(); ++each) {
        if (variable_name(words[each].text) == words[each].text)
          loop.names.push_back(words[each].text);
      }
      open_loop(std::move(loop), keyword);
    }
    if (is("done")) close_loop();
    if (!is("for") && !is("select")) return;
    if (ScriptLoop loop = read_loop(text_, words); !loop.names.empty())
      open_loop(std::move(loop), words[0]);
  }

  Span unknown_loop(const Command& command) const {
    const size_t outer = loops_.size() - std::min(loops_.size(), deepest_loop);
    for (const ScriptLoop& loop : std::span(loops_).subspan(outer)) {
      const auto is_used = [&](const Word& word) { return word.unknown && uses(word, loop); };
      if (!loop.is_unrolled && any_of(command.words, is_used)) return loop.where;
    }
    return {};
  }

  bool is_repeated(const Command& command) const {
    if (loops_.empty() || !loops_[0].is_unrolled || loops_[0].next == 1) return false;
    const auto is_same = [](const Word& a, const Word& b) {
      return a.where == b.where && a.text == b.text;
    };
    return any_of(std::span(script_.commands).subspan(loops_[0].first_command),
                  [&](const Command& each) {
                    return std::ranges::equal(each.words, command.words, is_same);
                  });
  }

  void end_command() {
    end_word();
    Nesting& now = top();
    now.is_target = false;
    const std::vector<Token> tokens = std::exchange(now.tokens, {});
    const Span broken = std::exchange(now.broken, {});
    if (tokens.empty()) return;
    if (now.kind == Nesting::Kind::array) return;
    const bool is_broken = broken.end > broken.begin;
    if (broken_command_ && tokens[0].word.text.starts_with('-')) {
      for (const Token& token : tokens)
        script_.commands[*broken_command_].lost.push_back(token.word);
      if (!is_broken) broken_command_.reset();
      return;
    }
    broken_command_.reset();
    const size_t begin = command_begin(tokens);
    set_variables(tokens, begin);
    follow_loops(tokens, begin);
    if (begin == tokens.size() || !is_wanted(tokens[begin].word.text)) return;
    Command command{{}, tokens[begin].word.where, broken, now.broken_by, {}, {}};
    for (size_t i = begin; i < tokens.size(); ++i) command.words.push_back(tokens[i].word);
    if (is_repeated(command)) return;
    command.loop = unknown_loop(command);
    if (is_broken) broken_command_ = script_.commands.size();
    script_.commands.push_back(std::move(command));
  }

  void open(Nesting::Kind kind) {
    note_opening();
    nested_.emplace_back().kind = kind;
  }

  void close() {
    end_command();
    const Nesting::Kind kind = top().kind;
    nested_.pop_back();
    ++at_;
    if (kind == Nesting::Kind::array) add_unknown("(…)");
    if (kind == Nesting::Kind::substitution || kind == Nesting::Kind::backquotes)
      add_unknown("$(…)");
  }

  void step() {
    const char c = text_[at_];
    if (c == '$') return dollar();
    if (c == '`') return backquote();
    if (top().in_quotes) return quoted(c);
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
        return single_quotes(at_);
      case '"':
        return double_quotes();
      case ';':
      case '|':
      case '&':
        if (follows("&>")) return redirection();
        end_command();
        ++at_;
        return;
      case '(':
        return parenthesis();
      case ')':
        return closing_parenthesis();
      case '<':
      case '>':
        return redirection();
      default:
        add(text_.substr(at_, 1));
        ++at_;
    }
  }

  void line_break() {
    const size_t length = break_length(at_);
    if (top().kind == Nesting::Kind::array) {
      end_word();
    } else {
      end_without_backslash();
      end_command();
    }
    if (ends_with_lines_ && is_open()) close_all();
    continued_ = false;
    const size_t line_end = at_;
    at_ += length;
    for (const auto& [document, begin] : std::exchange(pending_, {})) {
      const auto body = here_lines_.find(document, at_);
      if (!body) continue;
      HereText here{at_, body->end, span(begin, line_end), !document.is_quoted, {}};
      if (here.is_expanded)
        here.replacements = expand_here_document(text_, at_, body->end, variables_, budget_);
      script_.here_documents.push_back(std::move(here));
      script_.strings.push_back(span(at_, body->end));
      at_ = body->next;
    }
  }

  void quoted(char c) {
    if (c == '"') {
      top().in_quotes = false;
      script_.strings.push_back(span(top().quote_begin, ++at_));
      return;
    }
    if (c == '\n' && ends_with_lines_) {
      close_all();
      return;
    }
    if (c == '\\' && at_ + 1 < text_.size()) {
      if (const size_t length = break_length(at_ + 1)) {
        at_ += 1 + length;
        return;
      }
      const bool escapes = contains(std::string_view("$`\"\\"), peek(1));
      add(text_.substr(at_ + (escapes ? 1 : 0), escapes ? 1 : 2));
      at_ += 2;
      return;
    }
    add(text_.substr(at_, 1));
    ++at_;
  }

  void double_quotes() {
    note_opening();
    begin_word();
    Nesting& now = top();
    now.has_quotes = now.in_quotes = true;
    now.quote_begin = at_++;
  }

  // An apostrophe that is not closed in its line, or nowhere, is a character.
  void single_quotes(size_t begin) {
    const size_t end = text_.find('\'', at_ + 1);
    const bool in_letters =
        at_ > 0 && ascii::is_letter_or_digit(text_[at_ - 1]) && ascii::is_letter_or_digit(peek(1));
    const auto breaks = [&] {
      return text_.substr(at_, end - at_).find('\n') != std::string_view::npos;
    };
    if (end == text_.npos || ((in_letters || ends_with_lines_) && breaks())) {
      add("'");
      ++at_;
      return;
    }
    add(text_.substr(at_ + 1, end - at_ - 1));
    end_string(begin, end + 1);
  }

  void end_string(size_t begin, size_t end) {
    top().has_quotes = true;
    script_.strings.push_back(span(begin, end));
    at_ = end;
  }

  // `$'…'`: what its escapes mean matters to nobody here.
  void ansi_quotes() {
    size_t end = at_ + 2;
    while (end < text_.size() && text_[end] != '\'' && text_[end] != '\n')
      end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size() || text_[end] != '\'') {
      add("$");
      ++at_;
      return;
    }
    const std::string_view inner = text_.substr(at_ + 2, end - at_ - 2);
    add(inner);
    if (contains(inner, '\\')) top().pieces.back().unknown = true;
    end_string(at_, end + 1);
  }

  void dollar() {
    const char next = peek(1);
    if (follows("$((") && skip_arithmetic(3)) return;
    if (next == '(' && nested_.size() < deepest) {
      begin_word();
      open(Nesting::Kind::substitution);
      at_ += 2;
    } else if (next == '\'' && !top().in_quotes) {
      ansi_quotes();
    } else if (parameter_at(text_, at_).length > 0) {
      parameter();
    } else {
      add("$");
      ++at_;
    }
  }

  // `((…))` with what is in front of it, when it ends in this line.
  bool skip_arithmetic(size_t begin) {
    if (at_ < no_arithmetic_before_) return false;
    for (size_t end = at_ + begin; end < text_.size() && text_[end] != '\n'; ++end) {
      no_arithmetic_before_ = end;
      if (!text_.substr(end).starts_with("))")) continue;
      no_arithmetic_before_ = 0;
      add_unknown("$((…))");
      at_ = end + 2;
      return true;
    }
    return false;
  }

  void parameter() {
    const Parameter found = parameter_at(text_, at_);
    begin_word();
    const auto value = expand(found, variables_, budget_);
    if (!value) {
      add_unknown(text_.substr(at_, found.length));
      at_ += found.length;
      return;
    }
    budget_ -= value->text.size();
    const Span here = span(at_, at_ + found.length);
    const Span set_at = value->set_at == Span{} ? here : value->set_at;
    if (found.change == '=') set(found.name, value->text, set_at, true);
    const bool splits = !top().in_quotes && !in_assignment();
    std::vector<Word>& pieces = top().pieces;
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

  void backquote() {
    if (top().kind == Nesting::Kind::backquotes && !top().in_quotes) return close();
    if (nested_.size() >= deepest) {
      ++at_;
      return;
    }
    begin_word();
    open(Nesting::Kind::backquotes);
    ++at_;
  }

  // Whether options go on in the line after this one, which comments may precede.
  bool options_follow(size_t at) const {
    while ((at = text::next_line(text_, at)) < text_.size()) {
      const size_t first = text_.find_first_not_of(" \t", at);
      if (first == text_.npos) return false;
      if (text_[first] != '#') return text_[first] == '-';
      at = first;
    }
    return false;
  }

  void end_early(size_t begin, size_t end, BrokenBy by) {
    Nesting& now = top();
    if (now.kind != Nesting::Kind::array && now.broken.end == 0 && options_follow(end)) {
      now.broken = span(begin, end);
      now.broken_by = by;
    }
  }

  // A long option begins the line at `at`: no command does.
  bool is_option_line(size_t at) const {
    const size_t first = std::min(text_.find_first_not_of(" \t", at), text_.size());
    return text_.substr(first, 2) == "--" && first + 2 < text_.size() &&
           ascii::is_lower(text_[first + 2]);
  }

  // The line of a command ends here without the `\` that the next one needs. In PowerShell
  // and cmd a line goes on after other characters, and in documentation after `...`.
  void end_without_backslash() {
    end_word();
    Nesting& now = top();
    const bool may_end = !continued_ && pending_.empty() && now.broken.end == 0;
    if (!may_end || now.tokens.empty() || !is_option_line(at_ + break_length(at_))) return;
    const size_t begin = command_begin(now.tokens);
    const bool goes_on = broken_command_ && now.tokens[0].word.text.starts_with('-');
    if (!goes_on && (begin == now.tokens.size() || !is_wanted(now.tokens[begin].word.text))) return;
    const Span last = now.tokens.back().word.where;
    const std::string_view rest = text::trim(text_.substr(last.end, at_ - last.end));
    const std::string_view line = text::trim(text_.substr(last.begin, at_ - last.begin));
    if (line.ends_with('^') || line.ends_with('`') || line.ends_with("...") || line.ends_with("…"))
      return;
    const bool has_comment = rest.starts_with('#');
    now.broken = span(last.begin, has_comment ? last.end : at_);
    now.broken_by = has_comment ? BrokenBy::missing_at_comment : BrokenBy::missing;
  }

  void backslash() {
    if (const size_t length = break_length(at_ + 1)) {
      at_ += 1 + length;
      if (!top().in_word || at_ >= text_.size() || ascii::is_space(text_[at_])) end_word();
      continued_ = true;
      return;
    }
    const size_t after = std::min(text_.find_first_not_of(" \t", at_ + 1), text_.size());
    const bool ends = after == text_.size() || break_length(after) > 0;
    if (after > at_ + 1 && (ends || text_[after] == '#')) {
      end_word();
      const size_t end = text::line_end(text_, after);
      end_early(at_ + 1, end, ends ? BrokenBy::blanks : BrokenBy::comment);
      at_ = end;
      return;
    }
    if (at_ + 1 < text_.size()) add(text_.substr(at_ + 1, 1));
    at_ += 2;
  }

  void hash() {
    if (top().in_word) {
      add("#");
      ++at_;
      return;
    }
    const size_t end = text::line_end(text_, at_);
    if (continued_) end_early(at_, end, BrokenBy::comment);
    at_ = end;
  }

  void parenthesis() {
    Nesting& now = top();
    if (now.in_word && text_[at_ - 1] == '=' && nested_.size() < deepest) {
      open(Nesting::Kind::array);
      ++at_;
      return;
    }
    const bool is_loop = !now.tokens.empty() && now.tokens.back().word.text == "for";
    if (follows("((") && !now.in_word && (now.tokens.empty() || is_loop) && skip_arithmetic(2))
      return;
    end_word();
    const size_t inner = text_.find_first_not_of(" \t", at_ + 1);
    if (inner != text_.npos && text_[inner] == ')') {  // `name() {`
      top().tokens.clear();
      at_ = inner + 1;
      return;
    }
    if (nested_.size() < deepest) open(Nesting::Kind::group);
    ++at_;
  }

  void closing_parenthesis() {
    if (nested_.size() > 1 && top().kind != Nesting::Kind::backquotes) return close();
    end_command();
    ++at_;
  }

  void redirection() {
    if (const size_t length = angle_placeholder_length(text_.substr(at_))) {
      add_unknown(text_.substr(at_, length));
      at_ += length;
      return;
    }
    if ((follows("<(") || follows(">(")) && nested_.size() < deepest) {
      begin_word();
      open(Nesting::Kind::substitution);
      at_ += 2;
      return;
    }
    Nesting& now = top();
    if (now.in_word && std::ranges::all_of(now.pieces.back().text, ascii::is_digit))
      now.is_target = true;  // `2` of `2>`
    end_word();
    if (follows("<<") && !follows("<<<")) {
      const size_t begin = now.tokens.empty() ? at_ : now.tokens[0].word.where.begin;
      at_ += 2;
      if (auto document = here_lines_.take_delimiter(at_)) pending_.push_back({*document, begin});
      return;
    }
    while (at_ < text_.size() && contains(std::string_view("<>&|"), text_[at_])) ++at_;
    top().is_target = true;
    while (at_ < text_.size() && ascii::is_blank(text_[at_])) ++at_;
  }

  struct Pending {
    HereDocument document;
    size_t command_begin = 0;
  };

  struct Opening {
    size_t at = 0;
    size_t commands = 0;
    size_t here_documents = 0;
    size_t strings = 0;
  };

  std::string_view text_;
  std::uint32_t index_;
  Variables& variables_;
  const std::vector<std::string_view>& names_;
  bool unrolls_;
  size_t budget_;  // of bytes that variables may still give
  HereLines here_lines_;

  size_t at_ = 0;
  std::vector<Nesting> nested_ = std::vector<Nesting>(1);
  std::vector<Pending> pending_;          // their text begins on the next line
  std::optional<size_t> broken_command_;  // whose options may follow
  bool continued_ = false;                // only blanks since a `\` at the end of a line
  size_t no_arithmetic_before_ = 0;
  std::vector<ScriptLoop> loops_;  // that are open, from the outermost
  size_t repeatable_ = most_repeated;
  std::optional<size_t> repeat_from_;
  Opening opening_;
  int returns_ = 0;
  bool ends_with_lines_ = false;  // all that is open
  Script script_;
};

}  // namespace

Script read_shell(std::string_view text, std::uint32_t index, Variables& variables,
                  const std::vector<std::string_view>& names, Loops loops) {
  return Reader(text, index, variables, names, loops).read();
}

}  // namespace flexslice::read
