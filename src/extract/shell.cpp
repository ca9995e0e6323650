#include "extract/shell.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/arithmetic.hpp"
#include "extract/shell_reader.hpp"
#include "extract/shell_words.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

// Deeper `$(` are not read.
constexpr int deepest_substitution = 8;
constexpr size_t most_words = 1024;   // of a command with arrays in it
constexpr size_t most_variants = 32;  // of one command
constexpr size_t most_documents = 8;  // of one here-document

}  // namespace

ShellReader::ShellReader(std::string_view text, std::uint32_t index, Variables& variables,
                         const std::vector<std::string_view>& names, Loops loops,
                         const ReadBeside& beside)
    : index_(index),
      variables_(variables),
      names_(names),
      unrolls_(loops == Loops::unrolled),
      beside_(beside),
      whole_(text),
      budget_(text.size() + (size_t{1} << 16)),
      reads_(8 * text.size() + (size_t{1} << 16)) {
  line_.text = text;
  keeps_last_ = text.find("lastpipe") != text.npos || text.substr(0, 64).find("zsh") != text.npos;
}

Script ShellReader::read() {
  start_ = variables_.mark();
  begin_list();
  read_line();
  end_list();
  drop_blocks(0);
  read_uncalled();
  std::ranges::stable_sort(script_.commands, {}, [](const Command& each) { return each.where; });
  std::ranges::sort(script_.strings);
  script_.strings.erase(std::unique(script_.strings.begin(), script_.strings.end()),
                        script_.strings.end());
  return std::move(script_);
}

void ShellReader::read_line() {
  do {
    while (at_ < text().size()) {
      if (next_shell_ < shells_.size() && at_ >= shells_[next_shell_]) begin_shell();
      step();
    }
    end_command();
  } while (at_ < text().size());  // a loop is read again
}

// Another shell, which knows nothing of the one before.
void ShellReader::begin_shell() {
  if (effects_ != nullptr || depth_ > 0 || !calls_.empty()) return;
  while (next_shell_ < shells_.size() && at_ >= shells_[next_shell_]) ++next_shell_;
  end_command();
  end_list();
  drop_blocks(0);
  read_uncalled();
  functions_.clear();
  line_.pending.clear();
  was_moved_ = has_foreign_ = is_over_ = false;
  variables_.undo(start_);
  begin_list();
}

// Returns the bytes of a line break at `at`, or 0.
size_t ShellReader::break_length(size_t at) const {
  const std::string_view rest = text().substr(std::min(at, text().size()), 2);
  return rest.starts_with('\n') ? 1 : rest == "\r\n" ? 2 : 0;
}

size_t ShellReader::end_of_string(size_t at, int depth) const {
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
size_t ShellReader::end_of_parentheses(size_t at, int depth) const {
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

void ShellReader::begin_word() {
  line_.continued = false;
  if (std::exchange(line_.in_word, true)) return;
  line_.has_quotes = false;
  line_.word_begin = at_;
  line_.pieces.assign(1, {});
  // Assignments in front of a command are for it alone, and not for its words.
  if (line_.assigned && !line_.is_target && assignment_length(text().substr(at_)) == 0)
    variables_.undo(*std::exchange(line_.assigned, {}));
}

void ShellReader::add(std::string_view text) {
  begin_word();
  line_.pieces.back().text += text;
}
void ShellReader::take(size_t length) {
  add(text().substr(at_, length));
  at_ += length;
}
// Adds a part that only a shell knows, up to `end`.
void ShellReader::take_unfilled(size_t end) {
  const std::string_view part = text().substr(at_, end - at_);
  add(part);
  Word& word = line_.pieces.back();
  word.unknown = true;
  if (!any_of(word.unfilled, [&](const Unfilled& each) { return each.text == part; }))
    word.unfilled.push_back({std::string(part), span(at_, end)});
  at_ = end;
}

bool ShellReader::in_assignment() const {
  return assignment_length(text().substr(line_.word_begin, at_ - line_.word_begin)) > 0;
}

// Within `[[ … ]]`, where operators are words.
bool ShellReader::in_test() const {
  constexpr std::string_view end = "]]";
  const bool ends_here = line_.in_word && line_.pieces.back().text == end;
  return !line_.tokens.empty() && line_.tokens[0].word.text == "[[" &&
         line_.tokens.back().word.text != end && !ends_here;
}

void ShellReader::end_word() {
  if (!std::exchange(line_.in_word, false)) return;
  if (std::exchange(line_.is_target, false)) {
    if (std::exchange(line_.is_here_string, false) && line_.pieces.size() == 1)
      line_.here_string = std::move(line_.pieces[0]);
    return;
  }
  if (keyword()) return;
  const bool is_assignment = in_assignment();
  const bool is_first = std::ranges::all_of(line_.tokens, &Token::is_assignment);
  auto array = std::exchange(line_.array, {});
  for (Word& piece : line_.pieces) {
    if (piece.text.empty() && !line_.has_quotes && !piece.unknown) {
      line_.has_gap = line_.has_gap || piece.set_at != Span{};
      continue;
    }
    if (piece.where == Span{}) piece.where = span(line_.word_begin, at_);
    piece.unknown =
        piece.unknown || has_placeholder(is_assignment ? assigned_value(piece.text) : piece.text);
    line_.tokens.push_back({std::move(piece), is_assignment, std::move(array)});
    array.reset();
  }
  line_.pieces.clear();
  if (!is_assignment || !is_first || in_array_ || line_.tokens.empty()) return;
  if (!line_.assigned) line_.assigned = variables_.mark();
  assign(line_.tokens.back());
}

void ShellReader::end_command() {
  end_word();
  line_.is_target = false;
  line_.is_here_string = false;
  std::vector<Token> tokens = std::exchange(line_.tokens, {});
  has_gap_ = std::exchange(line_.has_gap, false);
  has_redirection_ = std::exchange(line_.has_redirection, false);
  const Span broken = std::exchange(line_.broken, {});
  const auto assigned = std::exchange(line_.assigned, {});
  if (tokens.empty()) return;
  ++runs_;
  output_.reset();
  list_.goes_on = false;
  if (!assigned && !in_array_ && std::ranges::all_of(tokens, &Token::is_assignment)) {
    for (const Token& token : tokens) assign(token);
  }
  add_command(std::move(tokens), broken);
  line_.here_string.reset();
}

void ShellReader::add_command(std::vector<Token> tokens, Span broken) {
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
  }
  if (!script_.commands.empty() && script_.commands.back().next.empty() && !is_hidden())
    script_.commands.back().next = tokens[0].word.text;
  const size_t begin = command_begin(tokens);
  const bool is_call = calls_program(tokens, begin);
  std::vector<Word> words;
  for (size_t i = begin; i < tokens.size(); ++i) words.push_back(tokens[i].word);
  if (is_call && !is_hidden()) {
    Command command{words, {}, broken, line_.broken_by, {}, {}};
    command.is_open = in_array_ || has_gap_;
    command.where = command.words[0].where;
    read_flags_file(command.words);
    record(std::move(command), is_broken);
  }
  if (in_array_) return;
  run(tokens);
  if (!words.empty()) follow(words);
}

void ShellReader::record(Command command, bool is_broken) {
  std::vector<size_t>& variants = at_places_[command.where.begin];
  if (is_repeated(command) || variants.size() >= most_variants) return;
  for (const ShellBlock& block : blocks_) {
    const bool is_used = any_of(command.words, [&](const Word& word) {
      return word.unknown && any_of(word.unfilled, [&](const Unfilled& part) {
               std::string_view text = part.text;
               text.remove_prefix(text.starts_with("${") ? 2 : 1);
               const std::string_view name = variable_name(text);
               return !name.empty() && block.names.contains(name);
             });
    });
    if (is_used && block.values.empty() && command.loop == Span{}) command.loop = block.where;
  }
  variants.push_back(script_.commands.size());
  if (is_broken) broken_ = script_.commands.size();
  script_.commands.push_back(std::move(command));
}

// A part of the script that is read again can give the same command, which counts once.
bool ShellReader::is_repeated(const Command& command) const {
  const auto before = at_places_.find(command.where.begin);
  return before != at_places_.end() && any_of(before->second, [&](size_t each) {
           return std::ranges::equal(
               script_.commands[each].words, command.words,
               [](const Word& a, const Word& b) { return a.where == b.where && a.text == b.text; });
         });
}

// The first token after assignments and wrappers with their options, of which a variable may be
// one.
size_t ShellReader::command_begin(const std::vector<Token>& tokens) const {
  size_t at = 0;
  const auto text = [&] { return std::string_view(tokens[at].word.text); };
  const auto may_be_wrapper = [&] {
    return (tokens[at].word.unknown ? text().starts_with('$') : text().empty()) &&
           calls_program(tokens, at + 1);
  };
  while (at < tokens.size()) {
    if (tokens[at].is_assignment || is_keyword(text()) || may_be_wrapper()) {
      ++at;
    } else if (is_wrapper(text()) && !adds_words(text())) {
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

// A function of this name puts words behind those that it gets.
bool ShellReader::adds_words(std::string_view name) const {
  const auto function = functions_.find(name);
  if (function == functions_.end()) return false;
  const std::string_view body =
      text().substr(function->second.begin, function->second.end - function->second.begin);
  return body.find("\"$@\" -") != body.npos || body.find("(\"$@\")") != body.npos;
}

bool ShellReader::is_wanted(std::string_view word) const {
  return contains(names_, word.substr(word.rfind('/') + 1));
}
bool ShellReader::calls_program(const std::vector<Token>& tokens, size_t begin) const {
  return begin < tokens.size() && is_wanted(tokens[begin].word.text);
}

// `done` may lead back to the beginning of its loop, and a name of a function over its body.
bool ShellReader::may_move() const {
  if (!line_.in_word || in_array_) return false;
  const char c = text()[at_];
  if (!ascii::is_space(c) && !contains(std::string_view(";|&()<>"), c)) return false;
  const std::string_view word = text().substr(line_.word_begin, at_ - line_.word_begin);
  return word == "done" || (line_.tokens.size() == 1 && line_.tokens[0].word.text == "function");
}

void ShellReader::step() {
  if (may_move()) return end_word();
  const char c = text()[at_];
  if (c == '$') return dollar(false);
  if (c == '`') return backquote(false);
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
      return separator();
    case '(':
      return parenthesis();
    case ')':
      return close_parenthesis();
    case '<':
    case '>':
      return redirection();
    default:
      take(1);
  }
}

void ShellReader::separator() {
  end_word();
  if (in_test() && text()[at_] != ';') return take(follows("&&") || follows("||") ? 2 : 1);
  const bool in_pattern = blocks_.size() > base_ && blocks_.back().in_pattern;
  if (follows("&&") || follows("||")) {
    const bool is_or = follows("||");
    at_ += 2;
    end_command();
    return join_list(is_or);
  }
  if (follows(";;") || follows(";&")) {
    if (!follows(";;") || follows(";;&")) variables_.give_up();  // more than one branch is run
    at_ += follows(";;&") ? 3 : 2;
    end_command();
    end_list();
    if (blocks_.size() > base_ && blocks_.back().kind == BlockKind::cases) {
      next_branch(blocks_.back());
      blocks_.back().in_pattern = true;
    }
    return;
  }
  const char c = text()[at_];
  at_ += follows("|&") ? 2 : 1;
  if (c == '|') {
    if (in_pattern) return take_pattern();
    end_command();
    list_.in_pipe = list_.goes_on = true;
    variables_.undo(list_.pipe);
    return;
  }
  end_command();
  if (c == '&') variables_.undo(list_.begin);
  end_list();
}

void ShellReader::line_break() {
  const size_t length = break_length(at_);
  if (in_array_ || in_test()) {
    end_word();
    at_ += length;
    return;
  }
  end_without_backslash();
  end_word();
  line_.continued = false;
  const size_t line_end = at_;
  at_ += length;
  // A shell expands them before the command runs that gets them.
  end_documents(line_end);
  end_command();
  if (!list_.goes_on) end_list();
}

void ShellReader::end_documents(size_t line_end) {
  for (const auto& [document, begin] : std::exchange(line_.pending, {})) {
    const size_t end =
        find_end([&, &begun = document] { return end_of_here_document(text(), begun, at_); });
    if (end == nowhere) continue;
    HereText here{at_, end, span(begin, line_end), !document.is_quoted, {}};
    const bool is_seen = any_of(script_.here_documents,
                                [&](const HereText& each) { return each.begin == here.begin; });
    if (here.is_expanded && !is_hidden()) expand_here_document(text(), here, variables_, budget_);
    const auto is_same = [&](const HereText& each) {
      return each.begin == here.begin && each.unfilled == here.unfilled &&
             std::ranges::equal(each.replacements, here.replacements, {}, &Replacement::text,
                                &Replacement::text);
    };
    const auto count = std::ranges::count(script_.here_documents, here.begin, &HereText::begin);
    if (!is_hidden() && !any_of(script_.here_documents, is_same) &&
        static_cast<size_t>(count) < most_documents)
      script_.here_documents.push_back(std::move(here));
    if (!is_hidden() && !is_seen) script_.strings.push_back(span(at_, end));
    at_ = text::next_line(text(), end);
  }
}

void ShellReader::double_quotes() {
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
      backquote(true);
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
  if (!is_hidden()) script_.strings.push_back(span(begin, end));
  keep_text(begin + 1, end - 1, true);
}

// Objects and commands in a word: `kubectl apply -f - <<< "…"`, `echo "…" | bash`.
void ShellReader::keep_text(size_t begin, size_t end, bool is_expanded) {
  const std::string_view word = text().substr(begin, end - begin);
  const bool has_object = contains(word, '\n') && word.find("apiVersion") != word.npos;
  const bool is_printed = !line_.tokens.empty() && (line_.tokens[0].word.text == "echo" ||
                                                    line_.tokens[0].word.text == "printf");
  const bool is_input = line_.is_here_string || is_printed;
  if (is_hidden() ||
      !(has_object ? is_input || in_assignment() : is_input && word.find("gcloud ") != word.npos))
    return;
  const size_t first = line_.tokens.empty() ? begin : line_.tokens[0].word.where.begin;
  HereText here{begin, end, span(first, text::line_end(text(), end)), is_expanded, {}};
  here.is_word = true;
  if (is_expanded) expand_here_document(text(), here, variables_, budget_);
  const auto is_seen = [&](const HereText& each) { return each.begin == begin; };
  if (!any_of(script_.here_documents, is_seen)) script_.here_documents.push_back(std::move(here));
}

// An apostrophe that is not closed in its line, or nowhere, is a character.
void ShellReader::single_quotes() {
  const size_t end = text().find('\'', at_ + 1);
  const bool in_letters =
      at_ > 0 && ascii::is_letter_or_digit(text()[at_ - 1]) && ascii::is_letter_or_digit(peek(1));
  if (end == nowhere || (in_letters && contains(text().substr(at_, end - at_), '\n'))) {
    begin_word();
    if (!in_letters) line_.pieces.back().unfinished = true;
    return take(1);
  }
  add(text().substr(at_ + 1, end - at_ - 1));
  keep_text(at_ + 1, end, false);
  end_string(at_, end + 1);
}

void ShellReader::end_string(size_t begin, size_t end) {
  line_.has_quotes = true;
  if (!is_hidden()) script_.strings.push_back(span(begin, end));
  at_ = end;
}

void ShellReader::dollar(bool in_quotes) {
  begin_word();
  if (follows("$((") && arithmetic(3)) return;
  if (peek(1) == '(') {
    const size_t end = find_end([&] { return end_of_parentheses(at_ + 1); });
    if (end != nowhere) return substitution(2, end, in_quotes);
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

void ShellReader::backquote(bool in_quotes) {
  begin_word();
  const size_t end = find_end([&] { return text().find('`', at_ + 1); });
  if (end == nowhere) {
    ++at_;
  } else {
    substitution(1, end + 1, in_quotes);
  }
}

// `$(…)`, `<(…)`, or backquotes: reads the commands in it, and takes it as what a shell fills in,
// unless it is a single `echo`.
void ShellReader::substitution(size_t opening, size_t end, bool in_quotes) {
  const size_t begin = at_;
  const bool was_in_array = std::exchange(in_array_, false);
  const size_t runs = runs_;
  std::optional<std::string> output;
  if (depth_ < deepest_substitution) {
    const Variables::Mark mark = variables_.mark();
    ++depth_;
    read_part(begin + opening, end - 1);
    --depth_;
    variables_.undo(mark);
    if (runs_ == runs + 1 && text()[begin] != '<' && text()[begin] != '>') output = output_;
  }
  in_array_ = was_in_array;
  output_.reset();
  at_ = begin;
  if (output && output->size() <= budget_ && !has_placeholder(*output)) {
    add_value(*output, span(begin, end), !in_quotes && !in_assignment());
    at_ = end;
    return;
  }
  take_unfilled(end);
  line_.pieces.back().may_split |= !in_quotes && !in_assignment();
}

// `((…))` with what is in front of it, when it ends in this line.
bool ShellReader::arithmetic(size_t opening) {
  const size_t line_end = text::line_end(text(), at_);
  const size_t end = text().substr(0, line_end).find("))", std::min(at_ + opening, line_end));
  if (end == nowhere) return false;
  const Span where = span(at_, end + 2);
  const auto value = calculate(text().substr(at_ + opening, end - at_ - opening), variables_, where,
                               effects_ != nullptr);
  if (text()[at_] == '(')
    status_ = !value ? ShellStatus::unknown : *value != 0 ? ShellStatus::yes : ShellStatus::no;
  if (!value || text()[at_] == '(') {
    take_unfilled(end + 2);
  } else {
    add_value(std::to_string(*value), where, false);
    at_ = end + 2;
  }
  return true;
}

void ShellReader::parameter(bool in_quotes) {
  const Parameter found = parameter_at(text(), at_);
  const bool splits = !in_quotes && !in_assignment();
  if (add_items(found, in_quotes)) return;
  const auto value =
      effects_ == nullptr ? expand_parameter(found, variables_, budget_) : std::nullopt;
  if (!value) {
    if (found.change == '=' && !found.name.empty())
      variables_.set_unknown(found.name, span(at_, at_ + found.length));
    take_unfilled(at_ + found.length);
    line_.pieces.back().may_split |= splits;
    return;
  }
  const Span here = span(at_, at_ + found.length);
  const Span set_at = value->set_at == Span{} ? here : value->set_at;
  if (found.change == '=') variables_.set(found.name, value->text, set_at, true);
  add_value(value->text, set_at, splits);
  at_ += found.length;
}

void ShellReader::add_value(std::string_view value, Span set_at, bool splits) {
  budget_ -= std::min(budget_, value.size());
  std::vector<Word>& pieces = line_.pieces;
  if (value.empty()) pieces.back().set_at = set_at;
  for (const char c : value) {
    if (splits && ascii::is_space(c)) {
      if (!pieces.back().text.empty()) pieces.emplace_back();
      continue;
    }
    pieces.back().text += c;
    pieces.back().set_at = set_at;
  }
}

// The words of `"${NAME[@]}"` and `"$@"`, each with its own place.
bool ShellReader::add_items(const Parameter& found, bool in_quotes) {
  const bool is_argument_list = found.name == "@" || (found.name == "*" && !in_quotes);
  const bool is_all = found.subscript == "@" || (found.subscript == "*" && !in_quotes);
  if ((!is_argument_list && !is_all) || found.change != '\0' || in_assignment() ||
      effects_ != nullptr)
    return false;
  const auto [state, variable] = variables_.look_up(is_argument_list ? "@" : found.name);
  if (state != Variables::VariableState::known || !variable->is_array) return false;
  std::vector<Word>& pieces = line_.pieces;
  if (variable->items.size() + line_.tokens.size() + pieces.size() > most_words) return false;
  bool is_first = true;
  const size_t from = std::min(found.from > 0 ? found.from - 1 : 0, variable->items.size());
  for (const Word& item : std::span(variable->items).subspan(from)) {
    if (item.text.size() > budget_) return false;
    budget_ -= item.text.size();
    if (!std::exchange(is_first, false)) pieces.emplace_back();
    Word& piece = pieces.back();
    if (piece.text.empty() && !piece.unknown) {
      const std::string_view rest = text().substr(at_ + found.length, 1);
      piece = item;
      piece.is_passed_on |= is_argument_list;
      // Something follows it in the same word.
      if (!rest.empty() && rest[0] != '"' && !ascii::is_space(rest[0])) piece.where = {};
    } else {
      piece.text += item.text;
      piece.unknown |= item.unknown;
      piece.set_at = item.where;
    }
  }
  // Without items it is no word, though it has quotes.
  if (from == variable->items.size() && pieces.size() == 1 && pieces[0].text.empty())
    line_.has_quotes = false;
  at_ += found.length;
  return true;
}

// Options may go on in the line after this one, and comments may precede them.
bool ShellReader::options_follow(size_t at) const {
  while ((at = text::next_line(text(), at)) < text().size()) {
    const size_t first = text().find_first_not_of(" \t", at);
    if (first == nowhere) return false;
    if (text()[first] != '#') return text()[first] == '-';
    at = first;
  }
  return false;
}

void ShellReader::end_early(size_t begin, size_t end, BrokenBy by) {
  if (line_.broken.end != 0 || !options_follow(end)) return;
  line_.broken = span(begin, end);
  line_.broken_by = by;
}

// A long option begins the line at `at`: no command does.
bool ShellReader::is_option_line(size_t at) const {
  const size_t first = std::min(text().find_first_not_of(" \t", at), text().size());
  return text().substr(first, 2) == "--" && ascii::is_lower(peek_at(first + 2));
}

// The line of a command ends here without the `\` that the next one needs. In PowerShell
// and cmd a line goes on after other characters, and in documentation after `...`.
void ShellReader::end_without_backslash() {
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

void ShellReader::backslash() {
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

void ShellReader::hash() {
  if (line_.in_word) return take(1);
  const size_t end = text::line_end(text(), at_);
  if (line_.continued) end_early(at_, end, BrokenBy::comment);
  at_ = end;
}

void ShellReader::array(size_t end) {
  const auto outer_pieces = line_.pieces;
  const bool was_in_array = std::exchange(in_array_, true);
  std::vector<Word> outer = std::exchange(array_, {});
  const size_t begin = at_;
  const bool is_read = depth_ < deepest_substitution;
  if (is_read) {
    ++depth_;
    read_part(begin + 1, end - 1);
    --depth_;
  }
  in_array_ = was_in_array;
  std::vector<Word> items = std::exchange(array_, std::move(outer));
  at_ = begin;
  take_unfilled(end);
  if (is_read) line_.array = std::move(items);
}

void ShellReader::parenthesis() {
  std::vector<Token>& tokens = line_.tokens;
  if (in_test()) return take(1);
  if (line_.in_word && text()[at_ - 1] == '=') {  // an array
    const size_t end = find_end([&] { return end_of_parentheses(at_); });
    return end == nowhere ? take(1) : array(end);
  }
  const bool is_loop = !tokens.empty() && tokens.back().word.text == "for";
  if (follows("((") && !line_.in_word && (tokens.empty() || is_loop) && arithmetic(2)) return;
  end_word();
  const size_t inner = text().find_first_not_of(" \t", at_ + 1);
  if (inner != nowhere && text()[inner] == ')' && !tokens.empty()) {  // `name() {`
    const std::string name = tokens.back().word.text;
    tokens.clear();
    line_.assigned.reset();
    at_ = inner + 1;
    return define_function(name);
  }
  const bool is_pattern = blocks_.size() > base_ && blocks_.back().in_pattern;
  ++at_;
  if (!is_pattern) open({")", BlockKind::subshell, span(at_ - 1, at_)});
}

void ShellReader::close_parenthesis() {
  if (in_test()) {
    end_word();
    return take(1);
  }
  end_word();
  if (!line_.tokens.empty() && line_.tokens[0].word.text == "case") end_command();
  ++at_;
  if (blocks_.size() > base_ && blocks_.back().in_pattern) return end_pattern();
  end_command();
  end_list();
  close(")");
}

void ShellReader::redirection() {
  if (in_test()) {
    end_word();
    return take(1);
  }
  if (const size_t length = angle_placeholder_length(text().substr(at_))) {
    begin_word();
    line_.pieces.back().unknown = true;
    return take(length);
  }
  if (follows("<(") || follows(">(")) {
    const size_t end = find_end([&] { return end_of_parentheses(at_ + 1); });
    if (end != nowhere) {
      begin_word();
      return substitution(2, end, false);
    }
  }
  const std::string_view before = text().substr(line_.word_begin, at_ - line_.word_begin);
  const bool names_descriptor = before.size() > 2 && before.starts_with('{') &&
                                before.ends_with('}') &&
                                variable_name(before.substr(1)).size() == before.size() - 2;
  if (line_.in_word &&
      (names_descriptor || std::ranges::all_of(line_.pieces.back().text, ascii::is_digit)))
    line_.is_target = true;  // `2` of `2>`, `{LOCK}` of `{LOCK}>`
  end_word();
  if (follows("<<") && !follows("<<<")) {
    const size_t begin = line_.tokens.empty() ? at_ : line_.tokens[0].word.where.begin;
    at_ += 2;
    if (auto document = take_delimiter(text(), at_)) line_.pending.push_back({*document, begin});
    return;
  }
  line_.is_here_string = follows("<<<");
  line_.has_redirection = true;
  while (at_ < text().size() && contains(std::string_view("<>&|"), text()[at_])) ++at_;
  line_.is_target = true;
  while (at_ < text().size() && ascii::is_blank(text()[at_])) ++at_;
}

Script read_shell(std::string_view text, std::uint32_t index, Variables& variables,
                  const std::vector<std::string_view>& names, Loops loops,
                  const ReadBeside& beside) {
  return ShellReader(text, index, variables, names, loops, beside).read();
}

Script read_shell(const Excerpt& script, std::uint32_t index, Variables& variables,
                  const std::vector<std::string_view>& names, Loops loops,
                  const ReadBeside& beside) {
  Variables own;
  if (script.has_open_environment) own.open_all();
  for (const auto& [name, value] : script.environment)
    own.set(name, value.value_or(""), {index, 0, 0}, value.has_value());
  ShellReader reader(script.text, index, script.own_shell ? own : variables, names, loops, beside);
  reader.begin_shells_at(script.shells);
  return reader.read();
}

}  // namespace flexslice::extract
