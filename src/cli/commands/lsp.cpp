// flexslice lsp: the language server, on the standard streams.
#include <unistd.h>

#include <algorithm>

#include "cli/commands/commands.hpp"
#include "cli/run/serve.hpp"
#include "cli/run/settings.hpp"
#include "lsp/server.hpp"

namespace flexslice::cli {

int run_lsp(const CommandLine& line) {
  Run run;
  read_rules(line, STDERR_FILENO, true, run, false);
  read_layers(line, run);
  lsp::Server server({run.knowledge.catalog,
                      run.knowledge.templates,
                      run.defaults,
                      run.sets,
                      run.policy,
                      {line.has("notes"), run.knowledge.gcloud_version}},
                     FLEXSLICE_VERSION, [](std::string_view body) { print(rpc::framed(body)); });
  serve<rpc::Frames>(
      [&](const rpc::Incoming& message) {
        message.error.empty() ? server.handle(message.body) : server.refuse(message.error);
        return !server.has_ended();
      },
      [&] { server.publish(); });
  return server.has_ended() ? server.status() : fine;
}

}  // namespace flexslice::cli
