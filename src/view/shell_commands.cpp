#include "view/shell_commands.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/ascii.hpp"
#include "base/lists.hpp"

namespace flexslice::view {

namespace {

class CommandScanner {
 public:
  explicit CommandScanner(std::string_view text) : text_(text) {}

  std::vector<ShellCommand> read() && {
    while (at_ < text_.size()) step();
    end_command();
    return std::move(commands_);
  }

 private:
  char next(std::size_t offset = 0) const {
    return at_ + offset < text_.size() ? text_[at_ + offset] : '\0';
  }

  void step() {
    const char c = next();
    if (c == '\\' && next(1) == '\n') {
      at_ += 2;
    } else if (c == '\n') {
      ++at_;
      end_command();
      skip_here_documents();
    } else if (ascii::is_space(c)) {
      ++at_;
    } else if (c == '#') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (is_redirection()) {
      redirect();
    } else if (std::string_view(";&|()").find(c) != std::string_view::npos || is_brace()) {
      separate(c);
    } else {
      take_word(word());
    }
  }

  // As a word of its own where a command begins; others expand.
  bool is_brace() const {
    return current_.program.empty() && (next() == '{' || next() == '}') &&
           (next(1) == '\0' || ascii::is_space(next(1)) || next(1) == ';' || next(1) == ')');
  }

  // `>`, `2>&1`, `&>file`; a process substitution is a word.
  bool is_redirection() const {
    std::size_t i = 0;
    while (ascii::is_digit(next(i))) ++i;
    if (next(i) == '&' && next(i + 1) == '>') return true;
    return (next(i) == '<' || next(i) == '>') && next(i + 1) != '(';
  }

  void redirect() {
    while (ascii::is_digit(next())) ++at_;
    const bool is_here = next() == '<' && next(1) == '<' && next(2) != '<';
    while (next() == '<' || next() == '>' || next() == '&' || next() == '|') ++at_;
    if (is_here && next() == '-') ++at_;
    while (next() == ' ' || next() == '\t') ++at_;
    const std::string target = word();
    if (is_here) here_ends_.push_back(target);
    current_.redirected = true;
    is_any_ = true;
  }

  void separate(char c) {
    const bool is_double = next(1) == c;
    if (c == '(' || c == '{') {
      // `f() {`, and an array.
      if (c == '(' && next(1) == ')') {
        at_ += 2;
        defined_ = current_.program;
        current_ = {};
        is_any_ = false;
        return;
      }
      end_command();
      std::string name = std::exchange(defined_, {});
      if (!name.empty() && function_.empty()) {
        function_ = std::move(name);
        function_depth_ = depth_;
      }
      ++depth_;
    } else if (c == ')' || c == '}') {
      end_command();
      // The pattern of a case has no `(`.
      if (c == ')' && in_case_ > 0) {
        if (!commands_.empty() && pattern_begins_ < commands_.size())
          commands_.resize(pattern_begins_);
      } else {
        leave();
      }
    } else if (c == '|' && !is_double) {
      current_.piped = true;
      end_command();
      is_piped_ = true;
      if (next(1) == '&') ++at_;
    } else if (c == '&' && !is_double) {
      current_.background = true;
      end_command();
    } else {
      end_command();
      if (c == ';' && is_double) pattern_begins_ = commands_.size();
    }
    at_ += is_double && c != '(' && c != ')' && c != '{' && c != '}' ? 2 : 1;
  }

  void leave() {
    if (depth_ > 0) --depth_;
    if (depth_ == function_depth_) function_.clear();
    is_after_block_ = true;
  }

  // One word, with its quotes and what it is made of taken as it is.
  std::string word() {
    std::string text;
    while (at_ < text_.size()) {
      const char c = next();
      if (c == '\\') {
        if (next(1) != '\n') text += next(1);
        at_ += 2;
      } else if (c == '\'') {
        const std::size_t end = text_.find('\'', at_ + 1);
        text += text_.substr(at_ + 1, end == text_.npos ? end : end - at_ - 1);
        at_ = end == text_.npos ? text_.size() : end + 1;
      } else if (c == '"') {
        quoted(text);
      } else if ((c == '$' || c == '<' || c == '>') && next(1) == '(') {
        enclosed(text, '(', ')');
      } else if (c == '$' && next(1) == '{') {
        enclosed(text, '{', '}');
      } else if (c == '`') {
        const std::size_t end = text_.find('`', at_ + 1);
        text += '`';
        at_ = end == text_.npos ? text_.size() : end + 1;
      } else if (ascii::is_space(c) ||
                 std::string_view(";&|()<>").find(c) != std::string_view::npos) {
        break;
      } else {
        text += c;
        ++at_;
      }
    }
    return text;
  }

  void quoted(std::string& text) {
    for (++at_; at_ < text_.size() && next() != '"';) {
      if (next() == '\\') {
        text += next(1);
        at_ += 2;
      } else if (next() == '$' && next(1) == '(') {
        enclosed(text, '(', ')');
      } else {
        text += next();
        ++at_;
      }
    }
    ++at_;
  }

  // From `$(` to the bracket that ends it.
  void enclosed(std::string& text, char open, char close) {
    const std::size_t begin = at_;
    int depth = 0;
    for (++at_; at_ < text_.size(); ++at_) {
      if (next() == '\\') {
        ++at_;
      } else if (next() == '\'' && open == '(') {
        const std::size_t end = text_.find('\'', at_ + 1);
        at_ = end == text_.npos ? text_.size() : end;
      } else if (next() == open) {
        ++depth;
      } else if (next() == close && --depth == 0) {
        ++at_;
        break;
      }
    }
    text += text_.substr(begin, std::min(at_, text_.size()) - begin);
  }

  static bool is_assignment(std::string_view word) {
    const std::size_t equals = word.find('=');
    return equals != word.npos && equals > 0 && !ascii::is_digit(word.front()) &&
           std::ranges::all_of(word.substr(0, equals), [](char c) {
             return ascii::is_letter_or_digit(c) || c == '_' || c == '+' || c == '[' || c == ']';
           });
  }

  void take_word(std::string word) {
    if (!current_.program.empty()) {
      if (is_header_) return;
      if (current_.argument.empty())
        current_.argument = std::move(word);
      else
        current_.others.push_back(std::move(word));
      return;
    }
    constexpr std::string_view begins[] = {"if", "while", "until"},
                               headers[] = {"for", "select", "case"},
                               between[] = {"then", "else", "elif", "do"},
                               ends[] = {"fi", "done", "esac"}, prefixes[] = {"!", "time"};
    if (word == "function") {
      while (next() == ' ' || next() == '\t') ++at_;
      defined_ = this->word();
      if (next() == '(' && next(1) == ')') at_ += 2;
    } else if (contains(begins, word)) {
      ++depth_;
    } else if (contains(headers, word)) {
      is_header_ = true;
      is_any_ = true;
      // `case x in` ends with the word `in`.
      if (word == "case") {
        read_case();
      } else {
        ++depth_;
        current_.program = ":";
      }
    } else if (contains(ends, word)) {
      if (word == "esac" && in_case_ > 0) --in_case_;
      leave();
    } else if (contains(prefixes, word)) {
      current_.prefixed = true;
    } else if (!contains(between, word) && !is_assignment(word)) {
      current_.program = std::move(word);
      is_any_ = true;
    } else if (is_assignment(word)) {
      is_any_ = true;
    }
  }

  void read_case() {
    for (int words = 0; words < 3 && at_ < text_.size() && next() != '\n'; ++words) {
      while (next() == ' ' || next() == '\t') ++at_;
      if (word() == "in") break;
    }
    ++depth_;
    ++in_case_;
    is_header_ = false;
    is_any_ = false;
    current_ = {};
    pattern_begins_ = commands_.size();
  }

  void end_command() {
    const bool is_block = std::exchange(is_after_block_, false);
    if (is_block && current_.program.empty()) {
      // A pipe or `&` after a block applies to all of it.
      if (!commands_.empty()) {
        commands_.back().piped |= current_.piped;
        commands_.back().background |= current_.background;
      }
    } else if (is_any_ && !(is_header_ && current_.program.empty())) {
      current_.piped |= is_piped_;
      current_.nested = depth_ > 0;
      current_.function = function_;
      // An assignment alone starts nothing.
      if (!current_.program.empty() || current_.redirected) commands_.push_back(current_);
    }
    is_piped_ = false;
    current_ = {};
    is_any_ = is_header_ = false;
  }

  void skip_here_documents() {
    for (const std::string& end : std::exchange(here_ends_, {})) {
      while (at_ < text_.size()) {
        const std::size_t line_end = std::min(text_.find('\n', at_), text_.size());
        std::string_view line = text_.substr(at_, line_end - at_);
        at_ = std::min(line_end + 1, text_.size());
        while (line.starts_with('\t')) line.remove_prefix(1);
        if (line == end) break;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<ShellCommand> commands_;
  ShellCommand current_;
  bool is_any_ = false, is_piped_ = false, is_header_ = false, is_after_block_ = false;
  int depth_ = 0, in_case_ = 0;
  std::string defined_;   // a function whose body comes next
  std::string function_;  // that is defined here, up to the end of its block
  int function_depth_ = 0;
  std::size_t pattern_begins_ = 0;  // among the commands: what is read since is a pattern
  std::vector<std::string> here_ends_;
};

}  // namespace

std::vector<ShellCommand> shell_commands(std::string_view script) {
  return CommandScanner(script).read();
}

}  // namespace flexslice::view
