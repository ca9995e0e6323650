// What a command's help says, as data: read from the very options that the command parses. --help,
// completions and the manual page are made of it. Private to cli/.
#pragma once

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
  std::string argument;  // `FILE`, or the choices themselves, `auto|always|never`; empty: the
                         // option takes none
  std::string text;
  std::string fallback;  // what holds when it is not given; empty: nothing worth saying
  bool repeats = false;  // takes several, also separated by commas
};

// `--output`; `-MD` for names in capitals, which compilers write so.
std::string dashed(const Option& option);

struct Manual {
  const Command* command = nullptr;
  std::vector<Option> options;
};

Manual manual_of(const Command& command);
void read_options(const cxxopts::Options& options, Manual& manual);

// The text of --help: usage, options, an example.
std::string help_text(const Manual& manual);

// What the parser complains about, in our words and with the option that was likely meant.
std::string usage_error(std::string_view complaint, const Manual& manual);

// What an argument can be, for completions.
struct ArgumentWords {
  std::vector<std::string> words;
  bool files = false;
  bool specs = false;  // files that look like specs
  bool directories = false;
};
// Of an argument as help texts show it: alternatives between `|`, in lower case the word itself, in
// capitals what stands for it. Throws std::logic_error for a capital word that nobody has
// explained.
ArgumentWords argument_words(std::string_view argument, const catalog::Catalog& catalog);

}  // namespace flexslice::cli
