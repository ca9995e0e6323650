#include "cli/help/command.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "cli/help/texts.hpp"

namespace flexslice::cli {

namespace {}  // namespace

std::vector<CommandHelp> all_commands() {
  std::vector<CommandHelp> commands;
  for (yaml::View row : embedded_text("commands.yaml").find("commands"))
    commands.push_back({row_text(row, "name"), row_text(row, "summary"), row_text(row, "arguments"),
                        row_text(row, "about"), row_text(row, "example")});
  return commands;
}

std::vector<Option> options() {
  std::vector<Option> options;
  for (yaml::View row : embedded_text("commands.yaml").find("options")) {
    options.push_back({{},
                       row_text(row, "letter"),
                       row_text(row, "name"),
                       row_text(row, "argument"),
                       row_text(row, "text"),
                       static_cast<bool>(row.find("repeats"))});
    for (yaml::View command : row.find("commands"))
      options.back().commands.push_back(command.text());
  }
  return options;
}

std::vector<Option> options_of(std::string_view command) {
  std::vector<Option> all = options();
  std::erase_if(all, [&](const Option& option) {
    return std::find(option.commands.begin(), option.commands.end(), command) ==
           option.commands.end();
  });
  return all;
}

bool has_one_dash(const Option& option) {
  return std::all_of(option.name.begin(), option.name.end(), ascii::is_upper);
}

std::string dashed(const Option& option) {
  return (has_one_dash(option) ? "-" : "--") + std::string(option.name);
}

}  // namespace flexslice::cli
