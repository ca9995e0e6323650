#include "extract/shell.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/command_lines.hpp"
#include "extract/here_documents.hpp"
#include "extract/host_text.hpp"
#include "extract/parameters.hpp"
#include "extract/shell_words.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

// Deeper `$(` are characters.
constexpr size_t deepest_nesting = 64;
// How often a quote that is never closed may send the reader back; then all quotes end with lines.
constexpr int most_returns = 8;

// Commands between the ends of a `$(…)`, of backquotes, of parentheses, or of the script.
struct Nesting {
  enum class Kind : std::uint8_t { script, substitution, backquotes, group, array };

  Kind kind = Kind::script;
  std::vector<Token> tokens;  // of the command so far
  Span broken = {};
  BrokenBy broken_by = {};
  bool is_conditional = false;  // the command: it is after `&&` or `||`

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
        commands_(text, variables, names, loops),
        budget_(text.size() + (size_t{1} << 16)),
        keeps_host_text_(loops == Loops::unrolled),
        host_budget_(budget_),
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
    commands_.variables().close_to(0);
    script_.commands = commands_.take();
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
    opening_ = {at_, commands_.size(), commands_.variables().depth(), script_.here_documents.size(),
                script_.strings.size()};
  }

  // Reads on after the line in which something was opened that is not closed.
  bool go_back() {
    const bool again = !ends_with_lines_;
    if (again) {
      commands_.go_back(opening_.commands, opening_.depth);
      script_.here_documents.resize(opening_.here_documents);
      script_.strings.resize(opening_.strings);
      at_ = text::line_end(text_, opening_.at);
    }
    ends_with_lines_ = ++returns_ >= most_returns;
    close_all();
    return again;
  }

  void close_all() {
    while (nested_.size() > 1) {
      leave_subshell();
      nested_.pop_back();
    }
    pending_.clear();
    commands_.end_broken();
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
          piece.unknown || has_placeholder(is_assignment ? assigned_value(piece.text) : piece.text);
      if (keeps_host_text_ && piece.unknown && now.pieces.size() == 1)
        piece.host = host_text(text_, where, variables_, host_budget_);
      now.tokens.push_back({std::move(piece), is_assignment});
    }
    now.pieces.clear();
    // What is behind it has the values of the next branch.
    const std::string_view raw = text_.substr(where.begin, where.end - where.begin);
    if (now.tokens.size() == 1 && (raw == "else" || raw == "elif")) end_command();
  }

  bool repeat() {
    const auto body = commands_.take_repeat();
    if (body) at_ = *body;
    return body.has_value();
  }

  void end_command() {
    end_word();
    Nesting& now = top();
    now.is_target = false;
    std::vector<Token> tokens = std::exchange(now.tokens, {});
    const Span broken = std::exchange(now.broken, {});
    if (tokens.empty() || now.kind == Nesting::Kind::array) return;
    const bool is_conditional = std::exchange(now.is_conditional, false);
    commands_.add(std::move(tokens),
                  {at_, nested_.size() > 1, is_conditional, broken, now.broken_by});
  }

  void open(Nesting::Kind kind) {
    note_opening();
    nested_.emplace_back().kind = kind;
    if (kind != Nesting::Kind::array) commands_.variables().open(Branches::Kind::subshell);
  }

  void leave_subshell() {
    if (top().kind != Nesting::Kind::array) commands_.variables().close({Branches::Kind::subshell});
  }

  void close() {
    end_command();
    const Nesting::Kind kind = top().kind;
    leave_subshell();
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
        if (follows(";;")) commands_.end_arm();
        top().is_conditional = follows("&&") || follows("||");
        at_ += follows(";;") || top().is_conditional ? 2 : 1;
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
    if (next == '(' && nested_.size() < deepest_nesting) {
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
    if (found.change == '=') commands_.variables().set(found.name, value->text, set_at, true);
    const bool splits = !top().in_quotes && !in_assignment();
    std::vector<Word>& pieces = top().pieces;
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

  void backquote() {
    if (top().kind == Nesting::Kind::backquotes && !top().in_quotes) return close();
    if (nested_.size() >= deepest_nesting) {
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
    if (!commands_.takes_options(now.tokens)) return;
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
    if (now.in_word && text_[at_ - 1] == '=' && nested_.size() < deepest_nesting) {
      open(Nesting::Kind::array);
      ++at_;
      return;
    }
    const bool is_loop = !now.tokens.empty() && now.tokens.back().word.text == "for";
    if (follows("((") && !now.in_word && (now.tokens.empty() || is_loop) && skip_arithmetic(2))
      return;
    const bool after_in = now.tokens.size() > 2 && now.tokens[0].word.text == "case" &&
                          now.tokens.back().word.text == "in";
    if (after_in || commands_.variables().awaits_pattern()) {  // `(a) …;;`
      ++at_;
      return;
    }
    end_word();
    const size_t inner = text_.find_first_not_of(" \t", at_ + 1);
    if (inner != text_.npos && text_[inner] == ')') {  // `name() {`
      if (!top().tokens.empty()) commands_.begin_function(top().tokens.back().word.text);
      top().tokens.clear();
      at_ = inner + 1;
      return;
    }
    if (nested_.size() < deepest_nesting) open(Nesting::Kind::group);
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
    if ((follows("<(") || follows(">(")) && nested_.size() < deepest_nesting) {
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
    size_t depth = 0;  // of branches
    size_t here_documents = 0;
    size_t strings = 0;
  };

  std::string_view text_;
  std::uint32_t index_;
  Variables& variables_;
  ScriptCommands commands_;
  size_t budget_;  // of bytes that variables may still give
  bool keeps_host_text_;
  size_t host_budget_;  // as budget_, for these
  HereLines here_lines_;

  size_t at_ = 0;
  std::vector<Nesting> nested_ = std::vector<Nesting>(1);
  std::vector<Pending> pending_;  // their text begins on the next line
  bool continued_ = false;        // only blanks since a `\` at the end of a line
  size_t no_arithmetic_before_ = 0;
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

}  // namespace flexslice::extract
