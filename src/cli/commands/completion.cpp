// flexslice completion: prints the script that makes a shell complete commands, options and their
// values.
#include <fmt/core.h>

#include "base/text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/lookup.hpp"
#include "cli/files/streams.hpp"
#include "cli/help/manual.hpp"

namespace flexslice::cli {

int run_completion(const CommandLine& line) {
  std::vector<std::string_view> names;
  for (const Shell& shell : shells()) names.push_back(shell.name);
  if (line.words.size() != 1)
    throw wrong_usage(fmt::format("missing shell: expected one of {}", text::join(names, ", ")));
  const std::string& name = line.words.front();
  for (const Shell& shell : shells()) {
    if (shell.name != name) continue;
    print(shell.script());
    return fine;
  }
  throw wrong_usage(fmt::format("no completion for shell `{}`{}", name, did_you_mean(name, names)));
}

}  // namespace flexslice::cli
