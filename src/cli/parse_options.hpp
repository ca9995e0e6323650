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
  try {
    const auto parsed = options.parse(static_cast<int>(arguments.words.size()), arguments.words.data());
    if (parsed.count("help") > 0) {
      Manual manual{arguments.command, {}};
      read_options(options, manual);
      return std::max(print(help_text(manual)), flush());
    }
    return body(parsed);
  } catch (const cxxopts::exceptions::exception& error) {
    return wrong_usage(std::string(error.what()) + "; see " + options.program() + " --help");
  }
}

}  // namespace flexslice::cli
