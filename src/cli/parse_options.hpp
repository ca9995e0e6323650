// Runs a command's body with its parsed options: help, and wrong usage, are the same for all commands.
#pragma once

#include <cxxopts.hpp>
#include <string>

#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "cli/io.hpp"
#include "cli/options.hpp"

namespace flexslice::cli {

template <class Body>
int with_options(cxxopts::Options& options, Arguments arguments, std::string_view example, Body body) {
  try {
    const auto parsed = options.parse(static_cast<int>(arguments.size()), arguments.data());
    if (parsed.count("help") > 0) return std::max(print(options.help() + "\nexample: " + std::string(example) + "\n"), flush());
    return body(parsed);
  } catch (const cxxopts::exceptions::exception& error) {
    return wrong_usage(std::string(error.what()) + "; see " + options.program() + " --help");
  }
}

}  // namespace flexslice::cli
