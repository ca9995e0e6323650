#include "cli/help/manual.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "embed/embedded.hpp"
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

std::string help_text(const Command& command) {
  std::string out = fmt::format("usage: flexslice {} [OPTION...]{}{}\n", command.name,
                                command.positional.empty() ? "" : " ", command.positional);
  const std::string about =
      fmt::format("{}.{}{}", command.summary, command.about.empty() ? "" : " ", command.about);
  for (const std::string& line : layout::wrapped(about, layout::page_width)) out += line + "\n";
  out += "\n";
  // As wide as the labels, if every text still has room on its line.
  const std::vector<Option> options = options_of(command);
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

std::string filled_text(std::string_view file, const std::vector<Substitute>& substitutes) {
  const auto found = std::find_if(embedded::texts.begin(), embedded::texts.end(),
                                  [&](const embedded::File& text) { return text.name == file; });
  if (found == embedded::texts.end()) throw std::logic_error(fmt::format("no text {}", file));
  std::string text(found->root()->text);
  for (const auto& [name, value] : substitutes) {
    // Whole lines replace a whole line.
    const std::string placeholder = fmt::format("@{}@{}", name, value.ends_with('\n') ? "\n" : "");
    for (std::size_t at = 0; (at = text.find(placeholder, at)) != std::string::npos;
         at += value.size())
      text.replace(at, placeholder.size(), value);
  }
  return text;
}

}  // namespace flexslice::cli
