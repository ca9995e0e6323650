#include <fmt/core.h>

#include "base/text.hpp"
#include "cli/completion.hpp"

namespace flexslice::cli {

namespace {

std::string quoted(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

// What follows `complete`: files, words, both or neither.
std::string answers(const ArgumentWords& argument) {
  const bool files = argument.files || argument.specs;
  std::string words = text::join(std::span<const std::string>(argument.words), " ");
  if (argument.directories) words = "(__fish_complete_directories)";
  return (files ? " -F" : " -f") + (words.empty() ? std::string() : " -a " + quoted(words));
}

}  // namespace

std::string fish_completion(const std::vector<Completed>& commands) {
  std::string out =
      "# Completion of flexslice for fish, made by `flexslice completion fish`.\n"
      "# To keep: flexslice completion fish > ~/.config/fish/completions/flexslice.fish\n\n"
      "complete -c flexslice -f\n"
      "complete -c flexslice -n __fish_use_subcommand -l help -d 'show the commands'\n"
      "complete -c flexslice -n __fish_use_subcommand -l version -d 'show the version'\n";
  for (const Completed& each : commands) {
    const Command& command = *each.manual.command;
    out += fmt::format("\ncomplete -c flexslice -n __fish_use_subcommand -a {} -d {}\n",
                       command.name, quoted(command.summary));
    const std::string here =
        fmt::format("complete -c flexslice -n '__fish_seen_subcommand_from {}'", command.name);
    for (std::size_t i = 0; i < each.options.size(); ++i) {
      const Option& option = each.manual.options[i];
      const std::string letter = option.letter.empty() ? "" : " -s " + option.letter;
      const std::string argument = option.argument.empty() ? "" : " -r" + answers(each.options[i]);
      out += fmt::format("{}{} -{} {}{} -d {}\n", here, letter,
                         dashed(option).starts_with("--") ? "l" : "o", option.name, argument,
                         quoted(option.text));
    }
    if (!command.positional.empty()) out += here + answers(each.positional) + "\n";
  }
  return out;
}

}  // namespace flexslice::cli
