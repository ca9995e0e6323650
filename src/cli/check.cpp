// flexslice check: every finding on stdout, as linters do.
#include <unistd.h>

#include <cxxopts.hpp>

#include "cli/batch.hpp"
#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "cli/io.hpp"
#include "cli/parse_options.hpp"

namespace flexslice::cli {

int run_check(Arguments arguments) {
  cxxopts::Options options("flexslice check");
  add_sources(options);
  add_common(options);
  return with_options(options, arguments, [](const cxxopts::ParseResult& parsed) {
    Run run;
    if (auto status = read_run(parsed, STDOUT_FILENO, run)) return *status;
    Batch batch(run);
    std::string out;
    diag::render_begin(batch.rendering(), out);
    int status = print(out);
    for (const std::string& file : run.files) {
      const int each = batch.file(file, {}, [&](const Checked& checked) { return print(checked.findings); });
      status = std::max(status, each);
    }
    out.clear();
    diag::render_end(batch.rendering(), out);
    print(out);
    status = std::max(status, flush());
    batch.summary();
    return std::max(status, batch.status());
  });
}

}  // namespace flexslice::cli
