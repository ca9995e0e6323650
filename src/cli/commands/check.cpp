// flexslice check: every finding on stdout, as linters do.
#include <unistd.h>

#include <algorithm>

#include "cli/commands/commands.hpp"
#include "cli/run/batch.hpp"

namespace flexslice::cli {

int run_check(const CommandLine& line) {
  const bool fix = line.has("fix");
  // stdin is fixed to stdout, and so findings go to stderr.
  const bool fixes_stdin =
      fix && std::find(line.words.begin(), line.words.end(), "-") != line.words.end();
  Fixer fixer;
  BatchOptions options;
  options.jobs = read_jobs(line);
  options.conflicts = true;
  if (fix) options.fixer = &fixer;
  Run run;
  read_run(line, fixes_stdin ? STDERR_FILENO : STDOUT_FILENO, run);
  const std::vector<SpecFile> files = read_files(line);
  Batch batch(run, fixes_stdin ? print_error : print, true);
  batch.begin();
  batch.files(files, options);
  batch.end();
  flush();
  fixer.summary();
  batch.summary();
  return batch.status();
}

}  // namespace flexslice::cli
