// flexslice completion: prints the script that makes a shell complete commands, options and their
// values.
#include "cli/completion.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cxxopts.hpp>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "cli/io.hpp"
#include "cli/lookup.hpp"
#include "cli/parse_options.hpp"

namespace flexslice::cli {

namespace {

struct Shell {
  std::string_view name;
  std::string (*script)(const std::vector<Completed>& commands);
};

constexpr Shell shells[] = {
    {"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};

std::vector<Completed> completed() {
  const catalog::Catalog catalog = catalog::built_in();
  std::vector<Completed> made;
  for (const Command& command : commands()) {
    Completed each{manual_of(command), {}, argument_words(command.positional, catalog)};
    for (const Option& option : each.manual.options)
      each.options.push_back(argument_words(option.argument, catalog));
    made.push_back(std::move(each));
  }
  return made;
}

}  // namespace

int run_completion(Arguments arguments) {
  const auto declare = [](cxxopts::Options& options) {
    options.add_options()("h,help", "show this");
  };
  return with_options(arguments, declare, [](const cxxopts::ParseResult& parsed) {
    std::vector<std::string_view> names;
    for (const Shell& shell : shells) names.push_back(shell.name);
    const auto given = values_of(parsed, "words");
    if (given.size() != 1)
      return wrong_usage(fmt::format("for which shell? one of {}", text::join(names, ", ")));
    const auto shell = std::find_if(std::begin(shells), std::end(shells),
                                    [&](const Shell& each) { return each.name == given.front(); });
    if (shell == std::end(shells))
      return wrong_usage(fmt::format("there is no completion for `{}`{}", given.front(),
                                     did_you_mean(given.front(), names)));
    return std::max(print(shell->script(completed())), flush());
  });
}

}  // namespace flexslice::cli
