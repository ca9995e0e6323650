// Commands and their options, declared once, in commands.yaml: the parser, help messages,
// completions and the manual page read them from here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/words.hpp"
#include "yaml/frozen.hpp"

namespace flexslice::cli {

// `--color` has these values.
enum class Color : std::uint8_t { automatic, always, never };
constexpr auto words(Color) { return word_list("auto", "always", "never"); }

struct CommandHelp {
  std::string_view name;
  std::string_view summary;    // for the list of commands
  std::string_view arguments;  // besides options, as usage lines show them; empty: none
  std::string_view about;      // what the summary leaves open, a few sentences
  std::string_view example;    // a command line that works
};

std::vector<CommandHelp> all_commands();

struct Option {
  yaml::View commands;        // that have it
  std::string_view letter;    // `o` of -o; empty: none
  std::string_view name;      // `output` of --output
  std::string_view argument;  // `FILE`, or the choices themselves, `auto|always|never`; empty: the
                              // option takes none
  std::string_view text;
  bool repeats = false;  // takes several, also separated by commas
};

// In the order of help messages: all, and those of a command.
std::vector<Option> options();
std::vector<Option> options_of(std::string_view command);
// Returns those options of the command in front that the other arguments may mean: making parsers
// of options is most of the work of a command line.
std::vector<Option> options_in(std::span<char* const> arguments);

// `--output`; `-MD` for names in capitals, which compilers write so.
bool has_one_dash(const Option& option);
std::string dashed(const Option& option);

// A command is called with this. Options go by their long names.
struct CommandLine {
  std::vector<std::string> words;                            // that are no options
  std::vector<std::pair<std::string, std::string>> options;  // in order, with values as written

  bool has(std::string_view option) const;
  // The last value of an option.
  std::string value(std::string_view option, std::string_view otherwise = {}) const;
  // Every value of an option.
  std::vector<std::string> values(std::string_view option) const;
  // The same, each cut at its commas.
  std::vector<std::string> lists(std::string_view option) const;
};

// Throws Failure for wrong usage. Takes argv without the program, the command's name in front.
CommandLine parse_line(std::span<char* const> arguments);

}  // namespace flexslice::cli
