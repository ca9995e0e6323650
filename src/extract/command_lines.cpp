#include "extract/command_lines.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "extract/host_text.hpp"
#include "extract/shell_words.hpp"

namespace flexslice::extract {

using std::size_t;

void ScriptCommands::add(std::vector<Token> tokens, const End& end) {
  const bool is_broken = end.broken.end > end.broken.begin;
  if (broken_ && tokens[0].word.text.starts_with('-')) {
    for (Token& token : tokens) commands_[*broken_].lost.push_back(std::move(token.word));
    if (!is_broken) broken_.reset();
    return;
  }
  broken_.reset();
  const size_t begin = command_begin(tokens);
  const bool is_call = calls_program(tokens, begin);
  if (variables_.awaits_pattern() && tokens[0].word.text != "esac") {
    variables_.begin_arm();
    read_pattern(tokens);
    return;
  }
  for (size_t i = 0; i < begin; ++i) follow_keyword(tokens[i].word.text, end.is_conditional);
  function_.clear();
  const bool may_not_run = end.is_conditional && tokens[0].word.text != "{";
  if (may_not_run) variables_.open(Branches::Kind::choice);
  set_variables(tokens, begin);
  if (begin < tokens.size()) variables_.call(tokens[begin].word.text);
  if (may_not_run) variables_.close({Branches::Kind::choice});
  std::vector<Word> words;
  for (size_t i = begin; i < tokens.size(); ++i) words.push_back(std::move(tokens[i].word));
  follow(words, end.is_conditional);
  if (!end.is_nested) {
    for (size_t i = 0; i < begin; ++i)
      loops_.follow_keyword(tokens[i].word, words, end.at, commands_.size());
    loops_.follow(words, end.at, commands_.size());
  }
  if (!is_call) return;
  const Span where = words[0].where;
  Command command{std::move(words), where, end.broken, end.broken_by, {}, {}};
  if (loops_.is_repeated(command, commands_)) return;
  command.loop = loops_.unknown_loop(command);
  if (is_broken) broken_ = commands_.size();
  commands_.push_back(std::move(command));
}

void ScriptCommands::end_arm() {
  if (variables_.is_in(Branches::Kind::cases)) variables_.end_arm();
}

void ScriptCommands::read_pattern(std::span<const Token> tokens) {
  if (tokens.back().word.text == "*") variables_.take_rest();
}

void ScriptCommands::follow_keyword(std::string_view keyword, bool is_conditional) {
  using Kind = Branches::Kind;
  if (keyword == "{") {
    const Kind kind = !function_.empty() ? Kind::function
                      : is_conditional   ? Kind::choice
                                         : Kind::group;
    variables_.open(kind, function_);
  } else if (keyword == "then") {
    if (!variables_.is_in(Kind::condition) || !variables_.begin_arm())
      variables_.open(Kind::condition);
  } else if (variables_.is_in(Kind::condition) && (keyword == "elif" || keyword == "else")) {
    variables_.end_arm();
    if (keyword == "else" && variables_.begin_arm()) variables_.take_rest();
  }
}

void ScriptCommands::follow(std::span<const Word> words, bool is_conditional) {
  using Kind = Branches::Kind;
  if (words.empty()) return;
  const std::string_view command = words[0].text;
  if (command == "fi") variables_.close({Kind::condition});
  if (command == "}") variables_.close({Kind::choice, Kind::group, Kind::function});
  if (command == "esac") variables_.close({Kind::cases});
  if ((command == "exit" || command == "return") && !is_conditional) variables_.leave();
  if (command == "function" && words.size() > 1) {
    if (words.back().text == "{") {
      variables_.open(Kind::function, words[1].text);
    } else {
      function_ = words[1].text;
    }
  }
  if (command == "case") {
    const auto in = std::ranges::find(words, "in", &Word::text);
    if (in == words.end()) return;
    variables_.open(Kind::cases);
    if (in + 1 == words.end()) return;
    if (variables_.begin_arm() && words.back().text == "*") variables_.take_rest();
  }
}

bool ScriptCommands::takes_options(std::span<const Token> tokens) const {
  const bool goes_on = broken_ && tokens[0].word.text.starts_with('-');
  return goes_on || calls_program(tokens, command_begin(tokens));
}

std::vector<Command> ScriptCommands::take() {
  std::ranges::stable_sort(commands_, {}, [](const Command& each) { return each.where.begin; });
  return std::move(commands_);
}

// The first token after keywords, assignments and wrappers with their options.
size_t ScriptCommands::command_begin(std::span<const Token> tokens) const {
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

bool ScriptCommands::is_wanted(std::string_view word) const {
  return contains(names_, word.substr(word.rfind('/') + 1));
}

bool ScriptCommands::calls_program(std::span<const Token> tokens, size_t begin) const {
  return begin < tokens.size() && is_wanted(tokens[begin].word.text);
}

void ScriptCommands::assign(const Token& token) {
  const Word& word = token.word;
  const std::string_view name = variable_name(word.text);
  if (word.text.substr(name.size()).starts_with("+=")) return append(name, word);
  const bool is_plain = word.text.substr(name.size()).starts_with('=');
  const bool known = is_plain && !word.unknown;
  variables_.set(
      name, assigned_value(word.text), word.where, known,
      known || !is_plain || !word.host ? nullptr : without_prefix(*word.host, name.size() + 1));
}

// `X+=value`. What runs several times appends as often.
void ScriptCommands::append(std::string_view name, const Word& word) {
  const Variable* before = variables_.find(name);
  const bool is_array = word.unknown && !word.host;
  if (before == nullptr || is_array || loops_.runs_again() ||
      variables_.is_within(Branches::Kind::function))
    return variables_.set(name, {}, word.where, false);
  const std::string_view value = assigned_value(word.text);
  if (before->known && !word.unknown)
    return variables_.set(name, before->value + std::string(value), word.where, true);
  const Variable added{std::string(value), word.where, !word.unknown,
                       word.host ? without_prefix(*word.host, name.size() + 2) : nullptr};
  variables_.set(name, {}, word.where, false, joined(host_text(*before), host_text(added)));
}

void ScriptCommands::set_variables(std::span<const Token> tokens, size_t begin) {
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
    if (is_declaration(command) && tokens[i].is_assignment) {
      assign(tokens[i]);
      if (command != "export" && command != "readonly")
        variables_.set_local(variable_name(word.text));
    }
    if (is_input(command)) {
      if (word.text == "in") break;
      if (variable_name(word.text) == word.text) variables_.set(word.text, {}, word.where, false);
    }
  }
}

}  // namespace flexslice::extract
