// Runs a command's body with its parsed options: help, and wrong usage, are the same for all
// commands.
#pragma once

#include <algorithm>
#include <cxxopts.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "cli/io.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"

namespace flexslice::cli {

// Declares what a command takes beside its words, which are the option `words`. cxxopts needs as
// long for thirty options as a small spec needs to be compiled, so it is told of none when none is
// given.
template <class Declare, class Body>
int with_options(Arguments arguments, Declare declare, Body body) {
  cxxopts::Options options("flexslice");
  if (!arguments.command->positional.empty()) {
    options.add_options()("words", "", cxxopts::value<std::vector<std::string>>());
    options.parse_positional("words");
  }
  const auto is_option = [](std::string_view word) {
    return word.size() > 1 && word.starts_with('-');
  };
  if (arguments.manual != nullptr ||
      std::any_of(arguments.words.begin(), arguments.words.end(), is_option))
    declare(options);
  if (arguments.manual != nullptr) {
    read_options(options, *arguments.manual);
    return fine;
  }
  const auto manual = [&] {
    Manual made{arguments.command, {}};
    read_options(options, made);
    return made;
  };
  try {
    const auto parsed =
        options.parse(static_cast<int>(arguments.words.size()), arguments.words.data());
    if (parsed.count("help") > 0) return std::max(print(help_text(manual())), flush());
    return body(parsed);
  } catch (const cxxopts::exceptions::exception& error) {
    return wrong_usage(usage_error(error.what(), manual()));
  }
}

}  // namespace flexslice::cli
