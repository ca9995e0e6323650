// flexslice check: every finding on stdout, as linters do.
#include <unistd.h>

#include <algorithm>

#include "cli/commands/commands.hpp"
#include "cli/run/batch.hpp"

namespace flexslice::cli {

int run_check(const CommandLine& line) {
  const bool diff = line.has("diff"), fix = line.has("fix") || diff;
  // Fixed text of stdin and diffs go to stdout, so findings go to stderr.
  const bool fills_stdout =
      diff || (fix && std::find(line.words.begin(), line.words.end(), "-") != line.words.end());
  Fixer fixer(diff);
  BatchOptions options;
  options.jobs = read_jobs(line);
  options.conflicts = true;
  options.compile.notes = line.has("notes");
  if (fix) options.fixer = &fixer;
  Run run;
  read_run(line, fills_stdout ? STDERR_FILENO : STDOUT_FILENO, run);
  const SpecFiles files = read_specs(line);
  Batch batch(run, fills_stdout ? print_error : print, true);
  batch.begin();
  batch.files(files.specs, options);
  batch.end();
  flush();
  fixer.summary();
  batch.summary(files.skipped, Batch::Single::said);
  return std::max<int>(batch.status(), fixer.shows_fixes() ? findings : fine);
}

}  // namespace flexslice::cli
