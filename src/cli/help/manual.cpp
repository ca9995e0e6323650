#include "cli/help/manual.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/help/texts.hpp"
#include "layout/layout.hpp"

namespace flexslice::cli {

namespace {

constexpr std::size_t narrowest_label = 16;

std::string label(const Option& option) {
  std::string text = option.letter.empty() ? "      " : fmt::format("  -{}, ", option.letter);
  text += dashed(option);
  if (!option.argument.empty()) text += fmt::format(" {}", option.argument);
  return text;
}

std::string option_lines(const Option& option, std::size_t column) {
  std::string out = label(option);
  if (out.size() + 2 > column && out.size() + 2 + option.text.size() <= layout::page_width)
    return fmt::format("{}  {}\n", out, option.text);
  if (out.size() + 2 > column) out += "\n" + std::string(column, ' ');
  out.resize(std::max(out.size(), column), ' ');
  std::string_view separator;
  for (const std::string& line : layout::wrapped(option.text, layout::page_width - column)) {
    out += fmt::format("{:{}}{}", separator, separator.empty() ? 0 : column + 1, line);
    separator = "\n";
  }
  return out + "\n";
}

}  // namespace

std::string help_text(std::string_view name) {
  const std::vector<Command> all = commands();
  const Command& command = *std::find_if(
      all.begin(), all.end(), [&](const Command& candidate) { return candidate.name == name; });
  std::string out = fmt::format("usage: flexslice {} [OPTION...]{}{}\n", command.name,
                                command.arguments.empty() ? "" : " ", command.arguments);
  const std::string about =
      fmt::format("{}.{}{}", command.summary, command.about.empty() ? "" : " ", command.about);
  for (const std::string& line : layout::wrapped(about, layout::page_width)) out += line + "\n";
  out += "\n";
  // As wide as the labels, if every text still has room on its line.
  const std::vector<Option> options = options_of(name);
  std::size_t width = 0, longest = 0;
  for (const Option& option : options) {
    width = std::max(width, label(option).size());
    longest = std::max(longest, option.text.size());
  }
  const std::size_t room = layout::page_width - std::min(longest + 2, layout::page_width);
  width = std::min(width, std::max(room, narrowest_label));
  for (const Option& option : options) out += option_lines(option, width + 2);
  return out + fmt::format("\nexample: {}\n", command.example);
}

std::string help_text() {
  std::string list;
  for (const Command& command : commands())
    list += fmt::format("  {:12}{}\n", command.name, command.summary);
  return filled_text("help.txt", {{"COMMANDS", list}});
}

}  // namespace flexslice::cli
