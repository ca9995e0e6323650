#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/arithmetic.hpp"
#include "extract/flags_file.hpp"
#include "extract/shell_reader.hpp"
#include "extract/shell_words.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

constexpr size_t most_items = 1024;  // of an array
// Builtins that are run as themselves with these in front.
constexpr std::string_view transparent[] = {"command", "builtin", "time", "$", "!"};
// How scripts write the folder that they are in.
constexpr std::string_view own_folders[] = {"dirname \"$0\"", "dirname $0", "BASH_SOURCE",
                                            "${0%/*}", "dirname \"${0}\""};

bool is_file_test(std::string_view op) { return op == "-f" || op == "-e" || op == "-r"; }

bool has_subscript_in_items(const std::vector<Word>& items) {
  return any_of(items, [](const Word& item) {
    return item.text.starts_with('[') && item.text.find("]=") != std::string::npos;
  });
}

}  // namespace

void ShellReader::open_all() {
  if (effects_ != nullptr) effects_->all = true;
  variables_.open_all();
}

// `NAME=value`, `NAME+=value`, `NAME[…]=value`, `NAME=(…)`.
void ShellReader::assign(const Token& token) {
  const Word& word = token.word;
  const std::string_view name = variable_name(word.text);
  if (!token.array) {
    // `NAME[${#NAME[@]}]=value` is known to set the end of the array.
    const bool adds_item = word.unfilled.size() == 1 &&
                           !has_placeholder(assigned_value(word.text)) &&
                           std::string_view(word.text)
                               .substr(name.size())
                               .starts_with("[" + word.unfilled[0].text + "]");
    return assign_text(word.text, word, !word.unknown || adds_item);
  }
  const bool adds = std::string_view(word.text).substr(name.size()).starts_with("+=");
  const auto [state, variable] = variables_.look_up(name);
  if (variable != nullptr && variable->is_map && !variable->is_fixed)
    return assign_map(name, adds, *token.array, word.where);
  bool known = effects_ == nullptr && !has_subscript_in_items(*token.array);
  std::vector<Word> items;
  if (adds) {
    known = known && state == Variables::VariableState::known && variable->is_array;
    if (known) items = variable->items;
  }
  items.insert(items.end(), token.array->begin(), token.array->end());
  known = known && items.size() <= most_items;
  if (variable != nullptr && variable->is_fixed) return;
  if (known) {
    variables_.set_array(name, std::move(items), word.where, true);
  } else {
    variables_.set_unknown(name, word.where);
  }
}

void ShellReader::assign_text(std::string_view text, const Word& word, bool known) {
  const std::string_view name = variable_name(text);
  std::string_view rest = text.substr(name.size());
  std::string_view subscript;
  const size_t value_begin = assignment_length(text);
  if (name.empty() || value_begin == 0) return;
  const bool appends = text[value_begin - 2] == '+';
  if (rest.starts_with('['))
    subscript = rest.substr(1, value_begin - name.size() - (appends ? 4 : 3));
  std::string value(text.substr(value_begin));
  using VariableState = Variables::VariableState;
  const auto [state, variable] = variables_.look_up(name);
  if (variable != nullptr && variable->is_fixed) return;
  if (effects_ != nullptr) return variables_.set_unknown(name, word.where);
  if (rest.starts_with('[')) {
    Word item = word;
    item.text = std::move(value);
    return assign_item(name, subscript, appends, std::move(item), known);
  }
  if (variable != nullptr && variable->is_integer) {
    const bool may_add = state == VariableState::known || state == VariableState::unset;
    if (appends && may_add)
      value = (variable->value.empty() ? "0" : variable->value) + "+(" + value + ")";
    const auto number = known && (!appends || may_add)
                            ? calculate(value, variables_, word.where, false)
                            : std::nullopt;
    return variables_.set(name, number ? std::to_string(*number) : "", word.where,
                          number.has_value());
  }
  if (appends) {
    known = known && (state == VariableState::known || state == VariableState::unset);
    if (known) value = variable->value + value;
  }
  if (variable != nullptr && variable->is_map) return variables_.set_unknown(name, word.where);
  // A name without a subscript is the first item of an array.
  if (variable != nullptr && variable->is_array && state == VariableState::known) {
    Word item = word;
    item.text = std::move(value);
    return assign_item(name, "0", false, std::move(item), known);
  }
  const bool is_default = known && state == VariableState::never_set && tested_ == name &&
                          is_tested_for_text_ == list_.after_or;
  variables_.set(name, value, word.where, known);
  if (is_default) variables_.mark_default(name);
}

void ShellReader::assign_item(std::string_view name, std::string_view subscript, bool appends,
                              Word value, bool known) {
  using VariableState = Variables::VariableState;
  const auto [state, variable] = variables_.look_up(name);
  if (state == VariableState::known && variable->is_map)
    return assign_map_item(name, subscript, appends, value, known);
  std::vector<Word> items;
  if (state == VariableState::known && variable->is_array) items = variable->items;
  const bool is_new = state == VariableState::never_set || state == VariableState::unset;
  const bool is_end = subscript == "${#" + std::string(name) + "[@]}" ||
                      subscript == "${#" + std::string(name) + "[*]}";
  auto index = is_end ? std::optional<std::int64_t>(static_cast<std::int64_t>(items.size()))
                      : calculate(subscript, variables_, value.where, false);
  const bool is_in_place =
      index && *index >= 0 && *index <= static_cast<std::int64_t>(items.size());
  if ((!is_new && (state != VariableState::known || !variable->is_array)) || !is_in_place ||
      items.size() >= most_items || (appends && *index == static_cast<std::int64_t>(items.size())))
    return variables_.set_unknown(name, value.where);
  const auto at = static_cast<size_t>(*index);
  value.unknown = !known;
  if (at == items.size()) {
    items.push_back(std::move(value));
  } else if (appends) {
    items[at].unknown |= value.unknown;
    items[at].text += value.text;
  } else {
    items[at] = std::move(value);
  }
  variables_.set_array(name, std::move(items), value.where, true);
}

void ShellReader::assign_map_item(std::string_view map, std::string_view key, bool appends,
                                  const Word& value, bool known) {
  if (key.empty() || key.find_first_of("$`") != key.npos)
    return variables_.set_unknown(map, value.where);
  const std::string name = item_name(map, key);
  const auto [state, item] = variables_.look_up(name);
  const bool is_known = state == Variables::VariableState::known;
  const std::string before = appends && is_known ? item->value : "";
  variables_.set(name, before + value.text, value.where, known && (!appends || is_known));
}

// `NAME=([key]=value …)` of a map.
void ShellReader::assign_map(std::string_view map, bool adds, const std::vector<Word>& items,
                             Span where) {
  if (effects_ != nullptr || variables_.look_up(map).state != Variables::VariableState::known)
    return variables_.set_unknown(map, where);
  if (!adds) declare_map(map, where);
  for (Word item : items) {
    const size_t close = item.text.find("]=");
    if (!item.text.starts_with('[') || close == item.text.npos)
      return variables_.set_unknown(map, where);
    const std::string key = item.text.substr(1, close - 1);
    item.text.erase(0, close + 2);
    assign_map_item(map, key, false, item, !item.unknown);
  }
}

// A map without items.
void ShellReader::declare_map(std::string_view name, Span where) {
  std::vector<std::string> old;
  const std::string first = item_name(name, "");
  for (const auto& [each, variable] : variables_.all()) {
    if (each.starts_with(first.substr(0, first.size() - 1))) old.push_back(each);
  }
  for (const std::string& each : old) variables_.put(each, std::nullopt);
  variables_.set(name, "", where, true);
  Variable map = variables_.all().find(name)->second;
  map.is_map = true;
  variables_.put(name, std::move(map));
}

// `declare -A`; false: what it has is not known.
bool ShellReader::becomes_map(const Token& token, std::string_view name, bool is_local) {
  using VariableState = Variables::VariableState;
  const VariableState state = variables_.look_up(name).state;
  const bool is_empty = state == VariableState::never_set || state == VariableState::unset ||
                        (state == VariableState::unknown && token.array);
  // Items of a local map would go on after the call.
  if (is_empty && !is_local) declare_map(name, token.word.where);
  const Variable* const variable = variables_.look_up(name).variable;
  if (variable != nullptr && variable->is_map) return true;
  variables_.set_unknown(name, token.word.where);
  return false;
}

void ShellReader::declare(std::string_view command, std::span<const Token> arguments) {
  std::string letters;
  bool removes = false;
  for (const Token& token : arguments) {
    const std::string_view text = token.word.text;
    if (!token.word.unknown && (text.starts_with('-') || text.starts_with('+'))) {
      removes |= text.starts_with('+');
      letters += text.substr(1);
      continue;
    }
    const std::string_view name = variable_name(text);
    const std::string_view rest = text.substr(name.size());
    const auto has = [&](char letter) { return contains(letters, letter); };
    if (has('p') || has('f') || has('F')) return;
    if (name.empty() || !(rest.empty() || contains(std::string_view("=+["), rest[0]))) {
      // `export $(…)`, `export "$NAME=value"`.
      if (token.word.unknown) open_all();
      continue;
    }
    const bool is_local =
        command == "local" || (command != "export" && command != "readonly" && !has('g'));
    if (is_local && effects_ != nullptr) effects_->locals.emplace(name);
    const auto found = variables_.all().find(name);
    std::optional<Variable> before;
    if (found != variables_.all().end()) before = found->second;
    const bool is_new = is_local && !calls_.empty() && effects_ == nullptr;
    if (is_new) {
      calls_.back().saved.emplace_back(name, before);
      variables_.unset(name, token.word.where);
    }
    if (effects_ != nullptr) {
      if (!rest.empty() || is_local) variables_.set_unknown(name, token.word.where);
      continue;
    }
    if (has('n') && !removes) {
      Variable reference;
      reference.where = token.word.where;
      reference.refers_to = assigned_value(text);
      if (!token.word.unfilled.empty() || reference.refers_to.empty() ||
          variable_name(reference.refers_to) != reference.refers_to)
        return variables_.give_up();
      variables_.put(name, std::nullopt);
      variables_.set(name, "", token.word.where, true);
      reference.age = variables_.all().find(name)->second.age;
      variables_.put(name, std::move(reference));
      continue;
    }
    if (removes) {
      variables_.set_unknown(name, token.word.where);
      variables_.give_up();
      continue;
    }
    if (has('A') && !becomes_map(token, name, is_new)) continue;
    if (has('i') || has('l') || has('u')) {
      if (variables_.look_up(name).variable == nullptr) variables_.unset(name, token.word.where);
      Variable changed = variables_.all().find(name)->second;
      changed.is_integer = has('i');
      changed.letters = has('l') ? 'l' : has('u') ? 'u' : '\0';
      variables_.put(name, std::move(changed));
    }
    if (!rest.empty()) {
      assign(token);
    } else if (has('a') && variables_.look_up(name).variable == nullptr) {
      variables_.unset(name, token.word.where);
    }
    if ((command == "readonly" || has('r')) && variables_.contains(name)) {
      Variable fixed = variables_.all().find(name)->second;
      fixed.is_fixed = true;
      variables_.put(name, std::move(fixed));
    }
  }
}

// Does what a command does to variables. Assignments in front of it have been done, if there is
// nothing after them.
void ShellReader::run(const std::vector<Token>& tokens) {
  size_t at = 0;
  bool has_substitution = false;
  while (at < tokens.size() && (tokens[at].is_assignment || tokens[at].word.text == "$")) {
    has_substitution |=
        tokens[at].word.text.find("$(") != std::string::npos || contains(tokens[at].word.text, '`');
    ++at;
  }
  if (at == tokens.size()) {
    status_ = has_substitution ? ShellStatus::unknown : ShellStatus::yes;
    return;
  }
  if (at + 1 < tokens.size() && tokens[at].word.text == "exec") leave("exit");
  while (at + 1 < tokens.size() && contains(transparent, tokens[at].word.text)) ++at;
  const Word& first = tokens[at].word;
  if (first.text.starts_with("((")) return;  // it has been calculated
  if (!first.unknown) return run_program(first.text, tokens, at);
  status_ = ShellStatus::unknown;
  if (const auto command = called_argument(first.text)) {
    effects_->calls.insert(*command);
    return;
  }
  // It may be any command, a function of the script for example.
  const std::string_view text = first.text;
  if (text.starts_with("$@") || text.starts_with("${@") || text.starts_with("$*") ||
      text.starts_with("$1") || text.starts_with("${1"))
    return open_all();
  Effects effects;
  for (const auto& [name, function] : functions_) effects.calls.insert(name);
  if (effects_ != nullptr) {
    effects_->calls.merge(effects.calls);
  } else {
    variables_.spare(own_arguments, [&] { apply(effects, first.where); });
  }
}

// The program or function that `"$@"` in a loop calls, if the arguments are known before it.
std::optional<std::string> ShellReader::called_argument(std::string_view text) const {
  if (effects_ == nullptr || !text.starts_with('$')) return std::nullopt;
  const Parameter found = parameter_at(text, 0);
  const bool is_list = found.name == "@" || found.name == "*";
  const auto [state, variable] = variables_.look_up("@");
  const std::size_t first = std::max(found.from, std::size_t(1)) - 1;
  if (!is_list || found.change != '\0' || found.length != text.size() ||
      state != Variables::VariableState::known || first >= variable->items.size())
    return std::nullopt;
  const std::string& command = variable->items[first].text;
  if (variable->items[first].unknown) return std::nullopt;
  const bool sets_nothing = is_program(command) || is_wanted(command) || is_wrapper(command);
  return sets_nothing || functions_.contains(command) ? std::optional(command) : std::nullopt;
}

void ShellReader::run_program(const std::string& command, const std::vector<Token>& tokens,
                              size_t at) {
  const std::span<const Token> arguments = std::span(tokens).subspan(at + 1);
  const Span where = tokens[at].word.where;
  status_ = ShellStatus::unknown;
  if (effects_ != nullptr) effects_->calls.insert(command);
  const bool is_own = functions_.contains(command) && (at == 0 || tokens[at - 1].is_assignment);
  if (is_own) {
    if (effects_ != nullptr || is_dead()) return;
    std::vector<Word> words;
    for (const Token& token : arguments) words.push_back(token.word);
    std::vector<Token> prefix;
    for (size_t i = 0; i < at; ++i) {
      if (tokens[i].is_assignment) prefix.push_back(tokens[i]);
    }
    return call(command, std::move(words), prefix);
  }
  if ((command == "eval" || command == "source" || command == ".") && at > 0 &&
      tokens[0].is_assignment)
    return open_all();
  if (run_builtin(command, arguments, where)) return;
  if (is_program(command) || is_wanted(command) || is_wrapper(command)) return;
  has_commands_ = true;
  if (has_foreign_) open_all();
}

bool ShellReader::run_builtin(std::string_view command, std::span<const Token> arguments,
                              Span where) {
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return contains(names, command);
  };
  if (is({"[", "[[", "test"})) {
    if (command != "test" && !arguments.empty()) arguments = arguments.first(arguments.size() - 1);
    status_ = judge_test(arguments);
  } else if (is({"true", ":"})) {
    status_ = ShellStatus::yes;
  } else if (command == "false") {
    status_ = ShellStatus::never;
  } else if (is_declaration(command)) {
    declare(command, arguments);
    const bool has_substitution = any_of(arguments, [](const Token& token) {
      return token.word.text.starts_with("$(") || token.word.text.starts_with('`');
    });
    if (!has_substitution) status_ = ShellStatus::yes;
  } else if (is_input(command)) {
    set_inputs(command, arguments);
  } else if (command == "let") {
    let(arguments, where);
  } else if (command == "printf") {
    print_variable(arguments, where);
  } else if (command == "eval") {
    evaluate(arguments);
  } else if (is({"source", "."})) {
    source(arguments);
  } else if (command == "shift") {
    shift(arguments, where);
  } else if (command == "set") {
    const auto dashes =
        std::ranges::find(arguments, "--", [](const Token& token) { return token.word.text; });
    if (dashes != arguments.end()) {
      std::vector<Word> words;
      for (auto each = dashes + 1; each != arguments.end(); ++each) words.push_back(each->word);
      set_arguments(std::move(words), where);
    }
    status_ = ShellStatus::yes;
  } else if (command == "trap") {
    trap(arguments);
  } else if (is({"exit", "return", "break", "continue"})) {
    leave(command);
  } else if (is({"cd", "pushd", "popd"})) {
    was_moved_ = was_moved_ || depth_ == 0;
  } else if (command == "echo") {
    std::string words;
    bool is_plain = !has_redirection_;
    for (const Token& token : arguments) {
      is_plain = is_plain && !token.word.unknown && !token.word.text.starts_with('-') &&
                 !contains(token.word.text, '\\');
      words += (words.empty() ? "" : " ") + token.word.text;
    }
    if (is_plain) output_ = std::move(words);
    status_ = ShellStatus::yes;
  } else if (command == "seq") {
    print_numbers(arguments);
  } else {
    return false;
  }
  return true;
}

// `seq [FIRST [INCREMENT]] LAST`
void ShellReader::print_numbers(std::span<const Token> arguments) {
  std::vector<std::int64_t> numbers;
  for (const Token& token : arguments) {
    const auto number = token.word.unknown ? std::nullopt : integer(token.word.text);
    if (!number) return;
    numbers.push_back(*number);
  }
  if (numbers.empty() || numbers.size() > 3 || has_redirection_) return;
  const std::int64_t first = numbers.size() > 1 ? numbers.front() : 1;
  if (const auto all = numbers_between(first, numbers.back(), numbers.size() > 2 ? numbers[1] : 1))
    output_ = text::join(*all, "\n");
  status_ = ShellStatus::yes;
}

void ShellReader::let(std::span<const Token> arguments, Span where) {
  for (const Token& token : arguments) {
    // The name before `=` may be known where the value is not.
    if (token.word.unknown && variable_name(token.word.text).empty()) return open_all();
    calculate(token.word.text, variables_, where, effects_ != nullptr);
  }
}

void ShellReader::set_inputs(std::string_view command, std::span<const Token> arguments) {
  const bool unsets = command == "unset";
  std::string_view with_value = command == "read" ? "adinNptu" : unsets ? "" : "dnOsuCc";
  std::vector<const Word*> names;
  bool is_plain = true, is_array = command == "mapfile" || command == "readarray";
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Word& word = arguments[i].word;
    const std::string_view text = word.text;
    if (text.starts_with('-') && text.size() > 1 && !word.unknown) {
      if (unsets && contains(text, 'f')) return;
      const size_t option = text.find_first_of(with_value, 1);
      is_plain &= option == text.npos || text[option] == 'p';
      if (option == text.npos || option + 1 < text.size() || i + 1 == arguments.size()) continue;
      ++i;
      if (command == "read" && text[option] == 'a') {
        is_array = true;
        names.push_back(&arguments[i].word);
      }
      continue;
    }
    names.push_back(&word);
  }
  if (command == "getopts") {
    for (std::string_view each : {"OPTARG", "OPTIND"})
      variables_.set_unknown(each, arguments.empty() ? Span{} : arguments[0].word.where);
    if (!names.empty()) names.erase(names.begin());
  }
  if (names.empty()) variables_.set_unknown(is_array ? "MAPFILE" : "REPLY", {});
  for (const Word* word : names) {
    const std::string_view name = variable_name(word->text);
    if (name.empty() || (word->unknown && name.size() == word->text.size())) {
      if (word->unknown) open_all();
      continue;
    }
    const bool is_whole = name.size() == word->text.size();
    const auto* variable = variables_.look_up(name).variable;
    if (variable != nullptr && variable->is_fixed) continue;
    const bool is_item = unsets && !is_whole && variable != nullptr && variable->is_map &&
                         variables_.knows(name) && word->text.ends_with(']') && !word->unknown;
    if (unsets && (is_whole || is_item) && effects_ == nullptr) {
      variables_.unset(is_item ? word->text : std::string(name), word->where);
    } else if (command == "read" && is_plain && names.size() == 1 && line_.here_string &&
               !line_.here_string->unknown && effects_ == nullptr) {
      const std::string_view text = line_.here_string->text;
      variables_.set(name, text::trim(text.substr(0, text.find('\n'))), word->where, true);
    } else {
      variables_.set_unknown(name, word->where);
    }
  }
  if (unsets) status_ = ShellStatus::yes;
}

// The name, from the folder of the script, of a file that a command reads; nothing: not known.
std::optional<std::string> ShellReader::own_file(const Word& word) const {
  if (was_moved_) return std::nullopt;
  if (!word.unknown) return word.text;
  const size_t slash = word.text.rfind('/');
  if (slash == word.text.npos) return std::nullopt;
  const std::string_view folder = std::string_view(word.text).substr(0, slash);
  const std::string name = word.text.substr(slash + 1);
  const bool is_own =
      !name.empty() && name.find_first_of("$`})") == name.npos &&
      any_of(own_folders, [&](std::string_view each) { return folder.find(each) != folder.npos; });
  return is_own ? std::optional(name) : std::nullopt;
}

// The script says the name elsewhere than where it reads the file, so that it may make the file.
bool ShellReader::is_written(std::string_view name) const {
  constexpr std::string_view readers[] = {"--flags-file", "source ", ". ", "-f ",
                                          "-r ",          "-e ",     "-s "};
  name = name.substr(name.rfind('/') + 1);
  for (size_t at = whole_.find(name); at != whole_.npos; at = whole_.find(name, at + 1)) {
    const std::string_view before = whole_.substr(0, at);
    const std::string_view line = before.substr(before.rfind('\n') + 1);
    if (text::trim(line).starts_with('#')) continue;
    const std::string_view command = before.substr(before.find_last_of("\n;&|") + 1);
    const auto has = [&](std::string_view reader) { return command.find(reader) != command.npos; };
    if (contains(command, '>') || !any_of(readers, has)) return true;
  }
  return false;
}

// Puts the flags of files that gcloud reads in their place.
void ShellReader::read_flags_file(std::vector<Word>& words) const {
  constexpr std::string_view flag = "--flags-file";
  if (!beside_ || effects_ != nullptr || !words[0].text.ends_with("gcloud")) return;
  for (size_t i = 1; i < words.size(); ++i) {
    Word file = words[i];
    const size_t length = file.text == flag && i + 1 < words.size() ? 2 : 1;
    if (length == 2)
      file = words[i + 1];
    else if (file.text.starts_with("--flags-file="))
      file.text.erase(0, flag.size() + 1);
    else
      continue;
    const auto name = own_file(file);
    const auto text = name && !is_written(*name) ? beside_(*name) : std::nullopt;
    auto flags = text ? flags_in_file(*text, file) : std::nullopt;
    if (!flags) continue;
    const auto at = words.begin() + static_cast<std::ptrdiff_t>(i);
    words.erase(at, at + static_cast<std::ptrdiff_t>(length));
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(i), flags->begin(), flags->end());
    i += flags->size() - 1;
  }
}

void ShellReader::source(std::span<const Token> arguments) {
  if (arguments.empty()) return;
  const Word& word = arguments[0].word;
  const auto name = arguments.size() == 1 ? own_file(word) : std::nullopt;
  if (sets_up_a_shell(word.text)) return;
  const bool may_read = name && beside_ && effects_ == nullptr && !is_written(*name);
  const auto settings = may_read ? beside_(*name) : std::nullopt;
  if (settings && run_settings(*settings, word.where)) return;
  has_foreign_ = true;
  open_all();
}

// Reads a text of settings, or of `eval`. False: it has commands that nobody knows.
bool ShellReader::run_settings(std::string_view settings, Span where) {
  if (settings.size() > reads_) return false;
  reads_ -= settings.size();
  const Variables::Mark mark = variables_.mark();
  static const std::vector<std::string_view> no_words;
  static const ReadBeside nothing;
  ShellReader reader(settings, index_, variables_, no_words, Loops::unrolled, nothing);
  reader.is_quiet_ = true;
  reader.place_ = where;
  reader.budget_ = std::min(budget_, settings.size());
  reader.read();
  if (!reader.has_commands_ && !reader.has_foreign_) return true;
  variables_.undo(mark);
  return false;
}

void ShellReader::evaluate(std::span<const Token> arguments) {
  if (!arguments.empty() && is_wanted(arguments[0].word.text)) return;
  std::string text;
  for (const Token& token : arguments) {
    if (token.word.unknown || effects_ != nullptr) return open_all();
    text += (text.empty() ? "" : " ") + token.word.text;
  }
  if (arguments.empty() || run_settings(text, arguments[0].word.where)) return;
  open_all();
}

void ShellReader::set_arguments(std::vector<Word> arguments, Span where) {
  // How many words it becomes is not known, and neither is what comes after it.
  const auto open = std::ranges::find_if(arguments, &Word::may_split);
  const auto certain = static_cast<size_t>(open - arguments.begin());
  const bool is_whole = open == arguments.end() && effects_ == nullptr;
  for (size_t i = 0; i < 9; ++i) {
    const std::string name(1, static_cast<char>('1' + i));
    if (i < certain && effects_ == nullptr) {
      variables_.set(name, arguments[i].text, arguments[i].where, !arguments[i].unknown);
    } else if (is_whole) {
      variables_.unset(name, where);
    } else {
      variables_.set_unknown(name, where);
    }
  }
  variables_.set("#", std::to_string(arguments.size()), where, is_whole);
  if (is_whole || effects_ == nullptr) {
    variables_.set_array("@", std::move(arguments), where, true);
  } else {
    variables_.set_unknown("@", where);
  }
}

void ShellReader::shift(std::span<const Token> arguments, Span where) {
  const auto [state, variable] = variables_.look_up("@");
  const auto count = arguments.empty() ? 1 : text::whole_number(arguments[0].word.text);
  if (state == Variables::VariableState::known && variable->is_array && count && *count >= 0 &&
      static_cast<size_t>(*count) <= variable->items.size() && effects_ == nullptr) {
    std::vector<Word> left = variable->items;
    left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(*count));
    return set_arguments(std::move(left), where);
  }
  for (std::string_view each : {"@", "#", "1", "2", "3", "4", "5", "6", "7", "8", "9"})
    variables_.set_unknown(each, where);
}

// `printf -v NAME FORMAT …`.
void ShellReader::print_variable(std::span<const Token> arguments, Span where) {
  const bool sets = arguments.size() > 1 && arguments[0].word.text == "-v";
  if (sets) arguments = arguments.subspan(1);
  if (!sets && !arguments.empty() && arguments[0].word.text.starts_with("-v")) return open_all();
  const Word* name = sets ? &arguments[0].word : nullptr;
  if (sets) arguments = arguments.subspan(1);
  std::optional<std::string> printed;
  if (arguments.size() == 2 && !arguments[1].word.unknown) {
    std::string_view format = arguments[0].word.text;
    if (format.ends_with("\\n")) format.remove_suffix(2);
    if (format == "%s" || (format == "%d" && text::whole_number(arguments[1].word.text)))
      printed = arguments[1].word.text;
  } else if (arguments.size() == 1 && !arguments[0].word.unknown &&
             arguments[0].word.text.find_first_of("%\\") == std::string::npos) {
    printed = arguments[0].word.text;
  }
  if (!sets) {
    if (!has_redirection_) output_ = std::move(printed);
    status_ = ShellStatus::yes;
    return;
  }
  const std::string_view variable = variable_name(name->text);
  if (variable.empty()) return open_all();
  if (variable.size() == name->text.size() && printed && effects_ == nullptr) {
    variables_.set(variable, *printed, where, true);
  } else {
    variables_.set_unknown(variable, where);
  }
}

// The action of a trap runs between two commands and may set anything.
void ShellReader::trap(std::span<const Token> arguments) {
  constexpr std::string_view at_the_end[] = {"EXIT", "0",      "INT",     "TERM",  "HUP",
                                             "QUIT", "SIGINT", "SIGTERM", "SIGHUP"};
  if (arguments.size() < 2 || arguments[0].word.text.starts_with('-')) return;
  const bool is_at_the_end = std::ranges::all_of(arguments.subspan(1), [&](const Token& token) {
    return contains(at_the_end, token.word.text);
  });
  const Word& action = arguments[0].word;
  if (is_at_the_end || action.text.empty()) return;
  if (action.unknown || contains(action.text, '=') || functions_.contains(action.text))
    variables_.give_up();
}

bool ShellReader::is_never_set(const Word& word) const {
  if (word.unfilled.size() != 1 || word.unfilled[0].text != word.text || effects_ != nullptr)
    return false;
  const Parameter parameter = parameter_at(word.text, 0);
  const bool has_fallback = parameter.change != '\0' && !parameter.fallback.empty();
  return !parameter.name.empty() && parameter.subscript.empty() && !has_fallback &&
         parameter.length == word.text.size() &&
         variables_.look_up(parameter.name).state == Variables::VariableState::never_set;
}

// A file that nothing says is there may be there all the same.
bool ShellReader::is_beside(const Word& file) const {
  const auto name = effects_ == nullptr && beside_ ? own_file(file) : std::nullopt;
  return name && !is_written(*name) && beside_(*name);
}

ShellReader::ShellStatus ShellReader::judge_test(std::span<const Token> tokens) {
  if (!tokens.empty() && tokens[0].word.text == "!") {
    const ShellStatus status = judge_test(tokens.subspan(1));
    return status == ShellStatus::yes  ? ShellStatus::no
           : status == ShellStatus::no ? ShellStatus::yes
                                       : status;
  }
  const auto value = [&](const Word& word) -> std::optional<std::string> {
    return word.unknown || effects_ != nullptr ? std::nullopt : std::optional(word.text);
  };
  const auto status = [](bool holds) { return holds ? ShellStatus::yes : ShellStatus::no; };
  if (tokens.size() == 1) {
    const auto only = value(tokens[0].word);
    return only ? status(!only->empty()) : ShellStatus::unknown;
  }
  if (tokens.size() == 2) {
    const auto only = value(tokens[1].word);
    const std::string_view op = tokens[0].word.text;
    // A value that is set then is a fallback, as in `${NAME:-value}`.
    if (is_never_set(tokens[1].word)) {
      tested_ = parameter_at(tokens[1].word.text, 0).name;
      is_tested_for_text_ = op == "-n";
    }
    if (is_file_test(op))
      return is_beside(tokens[1].word) ? ShellStatus::yes : ShellStatus::unknown;
    if (!only || (op != "-z" && op != "-n")) return ShellStatus::unknown;
    return status(only->empty() == (op == "-z"));
  }
  if (tokens.size() != 3) return ShellStatus::unknown;
  const auto left = value(tokens[0].word), right = value(tokens[2].word);
  const std::string_view op = tokens[1].word.text;
  if (!left || !right) return ShellStatus::unknown;
  const bool is_equal = op == "=" || op == "==";
  if (is_equal || op == "!=") {
    if (right->find_first_of("*?[(") != std::string::npos) return ShellStatus::unknown;
    return status((*left == *right) == is_equal);
  }
  const auto a = text::whole_number(*left), b = text::whole_number(*right);
  if (!a || !b) return ShellStatus::unknown;
  if (op == "-eq") return status(*a == *b);
  if (op == "-ne") return status(*a != *b);
  if (op == "-lt") return status(*a < *b);
  if (op == "-le") return status(*a <= *b);
  if (op == "-gt") return status(*a > *b);
  if (op == "-ge") return status(*a >= *b);
  return ShellStatus::unknown;
}

}  // namespace flexslice::extract
