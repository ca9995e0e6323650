// Runs a command's body with its parsed options: help, and wrong usage, are the same for all commands.
#pragma once

#include <cxxopts.hpp>
#include <string>

#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "cli/io.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"

namespace flexslice::cli {

template <class Body>
int with_options(cxxopts::Options& options, Arguments arguments, Body body) {
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
    const auto parsed = options.parse(static_cast<int>(arguments.words.size()), arguments.words.data());
    if (parsed.count("help") > 0) return std::max(print(help_text(manual())), flush());
    return body(parsed);
  } catch (const cxxopts::exceptions::exception& error) {
    return wrong_usage(usage_error(error.what(), manual()));
  }
}

}  // namespace flexslice::cli
