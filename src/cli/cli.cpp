#include "cli/cli.hpp"

#include <fmt/core.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <csignal>
#include <cstdlib>

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

constexpr CommandRow command_rows[] = {
    {"compile", run_compile}, {"check", run_check},     {"lint", run_lint},
    {"import", run_import},   {"explain", run_explain}, {"catalog", run_catalog},
    {"init", run_init},       {"schema", run_schema},   {"completion", run_completion},
    {"man", run_man},         {"diff", run_diff},       {"lsp", run_lsp},
    {"mcp", run_mcp},         {"krm", run_krm},         {"why", run_why},
};

// Words of other tools, and what does the same here.
constexpr std::pair<std::string_view, std::string_view> foreign_commands[] = {
    {"validate", "flexslice check SPEC"},
    {"apply", "flexslice compile SPEC | kubectl apply -f -"},
    {"fix", "flexslice check --fix SPEC"},
    {"new", "flexslice init"},
};

const CommandRow& command_row(std::string_view name) {
  std::vector<std::string_view> names;
  for (const CommandRow& command : command_rows) {
    if (command.command == name) return command;
    names.push_back(command.command);
  }
  const auto* foreign = std::ranges::find(foreign_commands, name,
                                          &std::pair<std::string_view, std::string_view>::first);
  throw wrong_usage(fmt::format("unknown command `{}`{}", name,
                                foreign == std::end(foreign_commands)
                                    ? did_you_mean(name, names)
                                    : fmt::format("; use `{}`", foreign->second)));
}

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
  if (name == "help" && arguments.size() > 1) {
    const std::string_view command = command_row(arguments[1]).command;
    print(help_text(command));
    return fine;
  }
  const bool help = name == "--help" || name == "-h" || name == "help";
  if (help || name == "--version" || name == "version") {
    print(help ? help_text() : version());
    return fine;
  }
  const CommandRow& command = command_row(name);
  const CommandLine line = parse_line(arguments);
  if (!line.has("help")) return command.run(line);
  print(help_text(name));
  return fine;
}

// The launcher of the npm package waits for us where its node cannot become us. It names itself, so
// that we end when it is killed.
void end_with_launcher() {
#ifdef __linux__
  const char* launcher = std::getenv("FLEXSLICE_PARENT");
  if (launcher == nullptr || std::to_string(::getppid()) != launcher) return;
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (std::to_string(::getppid()) != launcher) std::raise(SIGTERM);
#endif
}

}  // namespace

int run(int argc, char** argv) {
  // A closed pipe is an error of writing that we report ourselves.
  std::signal(SIGPIPE, SIG_IGN);
  end_with_launcher();
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
