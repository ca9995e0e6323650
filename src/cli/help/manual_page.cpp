#include <fmt/core.h>

#include "cli/help/manual.hpp"
#include "cli/help/texts.hpp"

namespace flexslice::cli {

namespace {

// In roff, hyphens of ASCII, and no line that begins a request.
std::string roff(std::string_view text) {
  std::string out = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (char c : text) {
    if (c == '-' || c == '\\' || c == '`')
      out += c == '-' ? "\\-" : c == '\\' ? "\\e" : "\\(ga";
    else
      out += c;
  }
  return out;
}

std::string option_entry(const Option& option) {
  std::string names = option.letter.empty() ? "" : fmt::format("\\fB\\-{}\\fR, ", option.letter);
  names += fmt::format("\\fB{}\\fR", roff(dashed(option)));
  if (!option.argument.empty()) names += fmt::format(" \\fI{}\\fR", roff(option.argument));
  return fmt::format(".TP\n{}\n{}\n", names, roff(option.text));
}

// Options that most commands have are described once.
bool is_common(const Option& option) {
  std::size_t commands = 0;
  for ([[maybe_unused]] yaml::View command : option.commands) ++commands;
  return commands >= 3;
}

std::string command_section(const CommandHelp& command) {
  std::string out =
      fmt::format(".SS flexslice {} [\\fIOPTION\\fR...]{}{}\n{}.{}{}\n", command.name,
                  command.arguments.empty() ? "" : " ", roff(command.arguments),
                  roff(command.summary), command.about.empty() ? "" : " ", roff(command.about));
  std::string common;
  for (const Option& option : options_of(command.name)) {
    if (is_common(option))
      common += fmt::format("{}\\fB{}\\fR", common.empty() ? "" : ", ", roff(dashed(option)));
    else
      out += option_entry(option);
  }
  return out + fmt::format(".PP\nAlso, see below: {}.\n.PP\nExample:\n.RS\n.nf\n{}\n.fi\n.RE\n",
                           common, roff(command.example));
}

}  // namespace

std::string manual_page() {
  std::string sections, common;
  for (const CommandHelp& command : all_commands()) sections += command_section(command);
  for (const Option& option : options()) {
    if (is_common(option)) common += option_entry(option);
  }
  return filled_text("flexslice.1", {{"DATE", std::string(catalog::built_in().as_of)},
                                     {"VERSION", FLEXSLICE_VERSION},
                                     {"COMMANDS", sections},
                                     {"OPTIONS", common}});
}

}  // namespace flexslice::cli
