// The completion scripts of shells: fixed texts, filled in from the tables of commands and options.
#include <fmt/core.h>

#include "base/text.hpp"
#include "cli/help/manual.hpp"
#include "cli/help/texts.hpp"

namespace flexslice::cli {

namespace {

// The text with a backslash before each of these characters.
std::string escaped_for_shell(std::string_view text, std::string_view special) {
  std::string out;
  for (char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string bash_replies(const ArgumentWords& argument) {
  std::string out;
  if (!argument.words.empty()) out += fmt::format("_flexslice_words '{}'; ", argument.joined());
  if (argument.files) out += "_flexslice_files; ";
  if (argument.specs) out += "_flexslice_files yaml yml json; ";
  if (argument.directories) out += "_flexslice_directories; ";
  return out.empty() ? ":; " : out;
}

std::string bash_completion() {
  const catalog::Catalog catalog = catalog::built_in();
  std::vector<std::string_view> names;
  std::string options, words;
  for (const CommandHelp& command : all_commands()) {
    names.push_back(command.name);
    std::vector<std::string> dashes;
    for (const Option& option : options_of(command.name)) {
      if (!option.letter.empty()) dashes.push_back(fmt::format("-{}", option.letter));
      dashes.push_back(dashed(option));
      if (option.argument.empty()) continue;
      if (!option.letter.empty())
        options +=
            fmt::format("    {0},-{1} | {0},{2}) ", command.name, option.letter, dashed(option));
      else
        options += fmt::format("    {},{}) ", command.name, dashed(option));
      options += bash_replies(argument_words(option.argument, catalog)) + "return ;;\n";
    }
    words += fmt::format("    {0},-*) _flexslice_words '{1}' ;;\n    {0},*) {2};;\n", command.name,
                         text::join(dashes, " "),
                         bash_replies(argument_words(command.arguments, catalog)));
  }
  return filled_text(
      "completion.bash",
      {{"COMMANDS", text::join(names, " ")}, {"OPTIONS", options}, {"WORDS", words}});
}

// Between single quotes, where _arguments gives brackets and colons a meaning of their own.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (char c : escaped_for_shell(text, "[]:\\")) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out;
}

std::string zsh_action(const ArgumentWords& argument, bool repeats) {
  const std::string words = argument.joined();
  if (argument.specs && words.empty()) return R"z(_files -g "*.(yaml|yml|json)(-.)")z";
  if (argument.specs)
    return fmt::format(
        R"z({{_alternative "files:spec:_files -g \"*.(yaml|yml|json)(-.)\"" "words:word:({})"}})z",
        words);
  if (argument.files) return "_files";
  if (argument.directories) return "_files -/";
  if (words.empty()) return " ";
  // `path=` goes on with a value, not with a list.
  const bool list = repeats && words.find('=') == std::string::npos;
  return fmt::format("{}{}{}", list ? "_values -s , value " : "(", words, list ? "" : ")");
}

std::string zsh_option(const Option& option, const catalog::Catalog& catalog) {
  const std::string name = dashed(option);
  const bool takes = !option.argument.empty();
  const std::string_view equals = takes && !has_one_dash(option) ? "=" : "";
  const std::string text = fmt::format("[{}]", zsh_text(option.text));
  std::string out =
      option.letter.empty()
          ? fmt::format("'{}{}{}{}", option.repeats ? "*" : "", name, equals, text)
          : fmt::format("'(-{0} {1})'{{-{0},{1}{2}}}'{3}", option.letter, name, equals, text);
  if (takes)
    out += fmt::format(":{}:{}", zsh_text(option.argument),
                       zsh_action(argument_words(option.argument, catalog), option.repeats));
  return fmt::format(" \\\n        {}'", out);
}

std::string zsh_completion() {
  const catalog::Catalog catalog = catalog::built_in();
  std::string list, options;
  for (const CommandHelp& command : all_commands()) {
    list += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.summary));
    options += fmt::format("    {})\n      _arguments -s", command.name);
    for (const Option& option : options_of(command.name)) options += zsh_option(option, catalog);
    if (!command.arguments.empty())
      options += fmt::format(" \\\n        '*:{}:{}'", zsh_text(command.arguments),
                             zsh_action(argument_words(command.arguments, catalog), false));
    options += "\n      ;;\n";
  }
  return filled_text("completion.zsh", {{"COMMANDS", list}, {"OPTIONS", options}});
}

std::string fish_quoted(std::string_view text) {
  return fmt::format("'{}'", escaped_for_shell(text, "'\\"));
}

// Writes the end of a `complete` line: files, words, both or neither.
std::string fish_answers(const ArgumentWords& argument) {
  const std::string words =
      argument.directories ? "(__fish_complete_directories)" : argument.joined();
  return fmt::format("{}{}", argument.files || argument.specs ? " -F" : " -f",
                     words.empty() ? "" : " -a " + fish_quoted(words));
}

std::string fish_completion() {
  const catalog::Catalog catalog = catalog::built_in();
  std::string out;
  for (const CommandHelp& command : all_commands()) {
    out += fmt::format("\ncomplete -c flexslice -n __fish_use_subcommand -a {} -d {}\n",
                       command.name, fish_quoted(command.summary));
    const std::string here =
        fmt::format("complete -c flexslice -n '__fish_seen_subcommand_from {}'", command.name);
    for (const Option& option : options_of(command.name)) {
      out += here;
      if (!option.letter.empty()) out += fmt::format(" -s {}", option.letter);
      out += fmt::format(" -{} {}", has_one_dash(option) ? "o" : "l", option.name);
      if (!option.argument.empty())
        out += " -r" + fish_answers(argument_words(option.argument, catalog));
      out += fmt::format(" -d {}\n", fish_quoted(option.text));
    }
    if (!command.arguments.empty())
      out += here + fish_answers(argument_words(command.arguments, catalog)) + "\n";
  }
  return filled_text("completion.fish", {{"COMMANDS", out}});
}

constexpr Shell table[] = {
    {"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};

}  // namespace

std::span<const Shell> shells() { return table; }

}  // namespace flexslice::cli
