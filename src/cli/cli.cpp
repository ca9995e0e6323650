#include "cli/cli.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>

#include "base/text.hpp"
#include "catalog/catalog.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/lookup.hpp"
#include "cli/files/streams.hpp"
#include "cli/help/manual.hpp"

namespace flexslice::cli {

namespace {

constexpr Command rows[] = {
    {"compile", "Compiles specs into manifests and scripts", "SPEC...", "Findings go to stderr.",
     "flexslice compile --out-dir build specs/*.yaml", run_compile},
    {"check", "Finds the mistakes in specs, writes nothing", "SPEC...",
     "Findings go to stdout; the exit status is 1 when there is an error.",
     "flexslice check --format short specs/*.yaml", run_check},
    {"explain", "Tells why a spec gives what it gives, or what is known of a word",
     "SPEC|CODE|TOPIC...",
     "A topic is a generation, machine type, topology, model, zone, field, port or source; "
     "`topology 1x1` asks one table only.",
     "flexslice explain train.yaml", run_explain},
    {"catalog", "Lists what the catalog knows, filtered", "[shapes|models|zones|sources]",
     "Without a word: the shapes of slices. The exit status is 1 when nothing passes.",
     "flexslice catalog --min-chips 16 --model flex-start --zone us-east5-b", run_catalog},
    {"init", "Writes a commented spec to begin with", "[NAME]",
     "It compiles as it is. What is not said is chosen; on a terminal, without anything, it asks.",
     "flexslice init train --type v6e --topology 4x4 -o train.yaml", run_init},
    {"schema", "Prints the JSON Schema of specs, for editors", "", "",
     "flexslice schema > flexslice.schema.json", run_schema},
    {"completion", "Prints the completion script of a shell", "bash|zsh|fish", "",
     "source <(flexslice completion bash)", run_completion},
    {"man", "Prints the manual page", "", "", "flexslice man | man -l -", run_man},
};

std::string version() {
  const catalog::Catalog catalog = catalog::built_in();
  return fmt::format("flexslice {}\ncatalog {}\ngcloud {}\n", FLEXSLICE_VERSION, catalog.as_of,
                     catalog.gcloud_version);
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
  std::vector<std::string_view> names;
  for (const Command& command : rows) {
    names.push_back(command.name);
    if (command.name != name) continue;
    const CommandLine line = parse(command, arguments);
    if (!line.has("help")) return command.run(line);
    print(help_text(command));
    return fine;
  }
  throw wrong_usage(fmt::format("there is no command `{}`{}", name, did_you_mean(name, names)));
}

}  // namespace

std::span<const Command> commands() { return rows; }

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
