// flexslice mcp: the server for assistants, on the standard streams.
#include <fmt/core.h>
#include <unistd.h>

#include "cli/commands/commands.hpp"
#include "cli/commands/mcp_tools.hpp"
#include "cli/run/serve.hpp"

namespace flexslice::cli {

int run_mcp(const CommandLine& line) {
  Run run;
  read_rules(line, STDERR_FILENO, true, run, false);
  read_layers(line, run);
  mcp::ToolServer server(mcp_offer(run), FLEXSLICE_VERSION,
                         [](std::string_view body) { print(fmt::format("{}\n", body)); });
  serve<rpc::Lines>(
      [&](const rpc::Incoming& message) {
        message.error.empty() ? server.handle(message.body) : server.refuse(message.error);
        return stdout_works();
      },
      [] {});
  return fine;
}

}  // namespace flexslice::cli
