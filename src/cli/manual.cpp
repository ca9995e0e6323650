#include "cli/manual.hpp"

#include <algorithm>
#include <cxxopts.hpp>

#include "base/text.hpp"
#include "explain/layout.hpp"

namespace flexslice::cli {

namespace {

constexpr std::size_t widest_label = 22;  // longer ones push their text to the right, or below

std::string label(const Option& option) {
  std::string text = option.letter.empty() ? "      " : "  -" + option.letter + ", ";
  text += "--" + option.name;
  if (!option.argument.empty()) text += " " + option.argument;
  return text;
}

std::string option_lines(const Option& option, std::size_t column) {
  std::string out = label(option);
  if (out.size() + 2 > column && out.size() + 2 + option.text.size() <= explain::page_width) return out + "  " + option.text + "\n";
  if (out.size() + 2 > column) out += "\n" + std::string(column, ' ');
  out.resize(std::max(out.size(), column), ' ');
  std::string_view separator;
  for (const std::string& line : explain::wrapped(option.text, explain::page_width - column)) {
    out += std::string(separator) + (separator.empty() ? "" : std::string(column, ' ')) + line;
    separator = "\n";
  }
  return out + "\n";
}

}  // namespace

void read_options(const cxxopts::Options& options, Manual& manual) {
  for (const std::string& group : options.groups()) {
    for (const cxxopts::HelpOptionDetails& each : options.group_help(group).options) {
      if (each.desc.empty()) continue;  // positional
      Option option;
      option.letter = each.s;
      option.name = each.l.empty() ? "" : each.l.front();
      if (!each.is_boolean) option.argument = each.arg_help.empty() ? "VALUE" : each.arg_help;
      option.text = each.desc;
      if (each.has_default && !each.is_boolean) option.fallback = each.default_value;
      option.repeats = each.is_container;
      manual.options.push_back(std::move(option));
    }
  }
  std::stable_partition(manual.options.begin(), manual.options.end(), [](const Option& option) { return option.name != "help"; });
}

Manual manual_of(const Command& command) {
  Manual manual{&command, {}};
  command.run({{}, &command, &manual});
  return manual;
}

std::string help_text(const Manual& manual) {
  const Command& command = *manual.command;
  std::string out =
      text::format("usage: flexslice {} [OPTION...]{}{}\n", command.name, command.positional.empty() ? "" : " ", command.positional);
  const std::string summary(command.summary);
  for (const std::string& line :
       explain::wrapped(command.about.empty() ? summary + "." : summary + ". " + std::string(command.about), explain::page_width))
    out += line + "\n";
  out += "\n";
  std::size_t width = 0;
  for (const Option& option : manual.options) width = std::max(width, std::min(label(option).size(), widest_label));
  for (const Option& option : manual.options) out += option_lines(option, width + 2);
  out += text::format("\nexample: {}\n", command.example);
  return out;
}

}  // namespace flexslice::cli
