#include "cli/help/command.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "cli/help/texts.hpp"

namespace flexslice::cli {

std::vector<CommandHelp> all_commands() {
  std::vector<CommandHelp> commands;
  for (yaml::View row : embedded_text("commands.yaml").find("commands"))
    commands.push_back({row_text(row, "name"), row_text(row, "summary"), row_text(row, "arguments"),
                        row_text(row, "about"), row_text(row, "example")});
  return commands;
}

namespace {

bool has_command(yaml::View row, std::string_view command) {
  for (yaml::View each : row.find("commands")) {
    if (each.text() == command) return true;
  }
  return false;
}

std::vector<Option> options_where(auto is_wanted) {
  std::vector<Option> options;
  for (yaml::View row : embedded_text("commands.yaml").find("options")) {
    if (is_wanted(row))
      options.push_back({row.find("commands"), row_text(row, "letter"), row_text(row, "name"),
                         row_text(row, "argument"), row_text(row, "text"),
                         static_cast<bool>(row.find("repeats"))});
  }
  return options;
}

// A word of the command line begins like it, or may have its letter among others.
bool may_be_meant(yaml::View row, std::span<char* const> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    if (!word.starts_with('-')) return false;
    word.remove_prefix(word.starts_with("--") ? 2 : 1);
    const std::string_view letter = row_text(row, "letter");
    return word.starts_with(row_text(row, "name")) ||
           (!letter.empty() && word.find(letter) != std::string_view::npos);
  });
}

}  // namespace

std::vector<Option> options() {
  return options_where([](yaml::View) { return true; });
}

std::vector<Option> options_of(std::string_view command) {
  return options_where([&](yaml::View row) { return has_command(row, command); });
}

std::vector<Option> options_in(std::span<char* const> arguments) {
  return options_where([&](yaml::View row) {
    return may_be_meant(row, arguments) && has_command(row, arguments.front());
  });
}

bool has_one_dash(const Option& option) {
  return std::all_of(option.name.begin(), option.name.end(), ascii::is_upper);
}

std::string dashed(const Option& option) {
  return (has_one_dash(option) ? "-" : "--") + std::string(option.name);
}

}  // namespace flexslice::cli
