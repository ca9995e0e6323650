// flexslice lsp: the language server, on the standard streams.
#include <poll.h>
#include <unistd.h>

#include <algorithm>

#include "cli/commands/commands.hpp"
#include "cli/files/files.hpp"
#include "cli/run/settings.hpp"
#include "lsp/frames.hpp"
#include "lsp/server.hpp"

namespace flexslice::cli {

namespace {

bool has_input() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, 0) > 0;
}

}  // namespace

int run_lsp(const CommandLine& line) {
  Run run;
  read_rules(line, STDERR_FILENO, true, run, false);
  read_layers(line, run);
  const Descriptor input(STDIN_FILENO);
  lsp::Server server({run.knowledge.catalog,
                      run.knowledge.templates,
                      run.defaults,
                      run.sets,
                      run.policy,
                      {line.has("notes"), run.knowledge.gcloud_version}},
                     FLEXSLICE_VERSION, [](std::string_view body) { print(lsp::framed(body)); });
  constexpr std::size_t step = 1u << 16;
  lsp::Frames frames;
  for (std::string bytes;; bytes.clear()) {
    while (const auto frame = frames.next()) {
      if (frame->error.empty()) {
        server.handle(frame->body);
      } else {
        server.refuse(frame->error);
      }
      if (server.has_ended()) return server.status();
    }
    if (!has_input()) server.publish();
    flush();
    if (!stdout_works()) return fine;
    if (!read_some(input, bytes, step, "<stdin>")) break;
    frames.add(bytes);
  }
  server.publish();
  return fine;
}

}  // namespace flexslice::cli
