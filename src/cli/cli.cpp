#include "cli/cli.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>

#include "catalog/catalog.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/lookup.hpp"
#include "cli/files/streams.hpp"
#include "cli/help/manual.hpp"

namespace flexslice::cli {

namespace {

struct CommandRow {
  std::string_view command;
  int (*run)(const CommandLine& line);
};

constexpr CommandRow commands[] = {
    {"compile", run_compile},       {"check", run_check}, {"explain", run_explain},
    {"catalog", run_catalog},       {"init", run_init},   {"schema", run_schema},
    {"completion", run_completion}, {"man", run_man},
};

std::string version() {
  const catalog::Catalog catalog = catalog::built_in();
  return fmt::format("flexslice {}\ncatalog {}\ngcloud {}\n", FLEXSLICE_VERSION, catalog.as_of,
                     catalog.gcloud.version);
}

int dispatch(std::span<char* const> arguments) {
  if (arguments.empty()) {
    print_error(help_text());
    return usage;
  }
  const std::string_view name = arguments.front();
  const bool help = name == "--help" || name == "-h" || name == "help";
  if (help || name == "--version" || name == "version") {
    print(help ? help_text() : version());
    return fine;
  }
  for (const CommandRow& command : commands) {
    if (command.command != name) continue;
    const CommandLine line = parse(arguments);
    if (!line.has("help")) return command.run(line);
    print(help_text(name));
    return fine;
  }
  std::vector<std::string_view> names;
  for (const CommandRow& command : commands) names.push_back(command.command);
  throw wrong_usage(fmt::format("unknown command `{}`{}", name, did_you_mean(name, names)));
}

}  // namespace

int run(int argc, char** argv) {
  // A closed pipe is an error of writing that we report ourselves.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const int status = dispatch({argv + 1, static_cast<std::size_t>(std::max(argc - 1, 0))});
    return std::max(status, flush());
  } catch (const Failure& failure) {
    return std::max(report(failure), flush());
  } catch (const std::exception& error) {
    print_error(fmt::format("flexslice: this is a bug in flexslice: {}\n", error.what()));
    return internal_error;
  }
}

}  // namespace flexslice::cli
