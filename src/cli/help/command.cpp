#include "cli/help/command.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "cli/help/texts.hpp"

namespace flexslice::cli {

namespace {

std::string_view text_of(yaml::View row, std::string_view key) {
  const yaml::View value = row.find(key);
  return value ? value.text() : std::string_view();
}

}  // namespace

std::vector<Command> commands() {
  std::vector<Command> commands;
  for (yaml::View row : embedded_text("commands.yaml").find("commands"))
    commands.push_back({text_of(row, "name"), text_of(row, "summary"), text_of(row, "arguments"),
                        text_of(row, "about"), text_of(row, "example")});
  return commands;
}

std::vector<Option> options() {
  std::vector<Option> options;
  for (yaml::View row : embedded_text("commands.yaml").find("options")) {
    options.push_back({{},
                       text_of(row, "letter"),
                       text_of(row, "name"),
                       text_of(row, "argument"),
                       text_of(row, "text"),
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
