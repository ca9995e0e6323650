#include "cli/help/manual.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/help/texts.hpp"
#include "explain/layout.hpp"

namespace flexslice::cli {

namespace {

std::string label(const Option& option) {
  std::string text = option.letter.empty() ? "      " : fmt::format("  -{}, ", option.letter);
  text += dashed(option);
  if (!option.argument.empty()) text += fmt::format(" {}", option.argument);
  return text;
}

}  // namespace

std::string help_text(std::string_view name) {
  const std::vector<CommandHelp> all = all_commands();
  const CommandHelp& command = *std::find_if(
      all.begin(), all.end(), [&](const CommandHelp& candidate) { return candidate.name == name; });
  std::string out = fmt::format("usage: flexslice {} [OPTION...]{}{}\n", command.name,
                                command.arguments.empty() ? "" : " ", command.arguments);
  const std::string about =
      fmt::format("{}.{}{}", command.summary, command.about.empty() ? "" : " ", command.about);
  for (const std::string& line : explain::wrapped(about, explain::page_width)) out += line + "\n";
  out += "\n";
  // As wide as the labels, but every text has room on its line.
  const std::vector<Option> options = options_of(name);
  std::size_t width = 0, room = explain::page_width;
  for (const Option& option : options) {
    width = std::max(width, label(option).size());
    room = std::min(room, explain::page_width - 2 - option.text.size());
  }
  for (const Option& option : options)
    out += fmt::format("{:{}}  {}\n", label(option), std::min(width, room), option.text);
  return out + fmt::format("\nexample: {}\n", command.example);
}

std::string help_text() {
  std::string list;
  for (const CommandHelp& command : all_commands())
    list += fmt::format("  {:12}{}\n", command.name, command.summary);
  return filled_text("help.txt", {{"COMMANDS", list}});
}

}  // namespace flexslice::cli
