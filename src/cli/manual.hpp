// What a command's help says, as data: read from the very options that the command parses. --help, completions and the manual page are
// made of it. Private to cli/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "cli/command.hpp"

namespace cxxopts {
class Options;
}  // namespace cxxopts

namespace flexslice::cli {

struct Option {
  std::string letter;    // `o` of -o; empty: none
  std::string name;      // `output` of --output
  std::string argument;  // `FILE`, or the choices themselves, `auto|always|never`; empty: the option takes none
  std::string text;
  std::string fallback;  // what holds when it is not given; empty: nothing worth saying
  bool repeats = false;  // takes several, also separated by commas
};

struct Manual {
  const Command* command = nullptr;
  std::vector<Option> options;
};

Manual manual_of(const Command& command);
void read_options(const cxxopts::Options& options, Manual& manual);

// The text of --help: usage, options, an example.
std::string help_text(const Manual& manual);

// What stands for an argument called `FILE`, `MODEL`, …: see argument_words.
enum class ArgumentKind : std::uint8_t { free, words, files, directories };
struct ArgumentWords {
  ArgumentKind kind = ArgumentKind::free;
  std::vector<std::string> words;
};
// What an argument of that name can be, for completions. Nothing when nobody has said, which a test finds.
std::optional<ArgumentWords> argument_words(std::string_view argument, const catalog::Catalog& catalog);

}  // namespace flexslice::cli
