#include "cli/manual.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cxxopts.hpp>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "layout/layout.hpp"

namespace flexslice::cli {

namespace {

constexpr std::size_t narrowest_label = 16;

std::string label(const Option& option) {
  std::string text = option.letter.empty() ? "      " : "  -" + option.letter + ", ";
  text += dashed(option);
  if (!option.argument.empty()) text += " " + option.argument;
  return text;
}

std::string option_lines(const Option& option, std::size_t column) {
  std::string out = label(option);
  if (out.size() + 2 > column && out.size() + 2 + option.text.size() <= layout::page_width)
    return out + "  " + option.text + "\n";
  if (out.size() + 2 > column) out += "\n" + std::string(column, ' ');
  out.resize(std::max(out.size(), column), ' ');
  std::string_view separator;
  for (const std::string& line : layout::wrapped(option.text, layout::page_width - column)) {
    out += std::string(separator) + (separator.empty() ? "" : std::string(column, ' ')) + line;
    separator = "\n";
  }
  return out + "\n";
}

}  // namespace

std::string dashed(const Option& option) {
  const bool capitals =
      !option.name.empty() && std::all_of(option.name.begin(), option.name.end(), ascii::is_upper);
  return (capitals ? "-" : "--") + option.name;
}

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
  std::stable_partition(manual.options.begin(), manual.options.end(),
                        [](const Option& option) { return option.name != "help"; });
}

Manual manual_of(const Command& command) {
  Manual manual{&command, {}};
  command.run({{}, &command, &manual});
  return manual;
}

std::string help_text(const Manual& manual) {
  const Command& command = *manual.command;
  std::string out = fmt::format("usage: flexslice {} [OPTION...]{}{}\n", command.name,
                                command.positional.empty() ? "" : " ", command.positional);
  const std::string summary(command.summary);
  for (const std::string& line : layout::wrapped(
           command.about.empty() ? summary + "." : summary + ". " + std::string(command.about),
           layout::page_width))
    out += line + "\n";
  out += "\n";
  // As wide as the labels, if every text still has room on its line.
  std::size_t width = 0;
  std::size_t longest = 0;
  for (const Option& option : manual.options) {
    width = std::max(width, label(option).size());
    longest = std::max(longest, option.text.size());
  }
  const std::size_t room = layout::page_width - std::min(longest + 2, layout::page_width);
  width = std::min(width, std::max(room, narrowest_label));
  for (const Option& option : manual.options) out += option_lines(option, width + 2);
  out += fmt::format("\nexample: {}\n", command.example);
  return out;
}

std::string usage_error(std::string_view complaint, const Manual& manual) {
  constexpr std::string_view open = "\u2018";
  constexpr std::string_view close = "\u2019";
  const std::size_t from = complaint.find(open);
  const std::size_t to = complaint.find(close);
  const std::string see = fmt::format("; see flexslice {} --help", manual.command->name);
  if (from == std::string_view::npos || to == std::string_view::npos)
    return std::string(complaint) + see;
  const std::string_view name = complaint.substr(from + open.size(), to - from - open.size());
  std::string text(complaint.substr(0, from));
  if (text.starts_with("Option ")) text.front() = 'o';
  text += fmt::format("`{}{}`{}", text == "option " ? name.size() > 1 ? "--" : "-" : "", name,
                      complaint.substr(to + close.size()));
  if (complaint.find("does not exist") == std::string_view::npos) return text + see;
  std::vector<std::string_view> names;
  for (const Option& option : manual.options) names.push_back(option.name);
  const auto near = text::nearest(name, names);
  return text + (near ? fmt::format("; did you mean `--{}`?", *near) : see);
}

}  // namespace flexslice::cli
