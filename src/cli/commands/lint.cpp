// flexslice lint: every finding on stdout, as linters do.
#include <fmt/core.h>
#include <unistd.h>

#include "base/lists.hpp"
#include "cli/commands/commands.hpp"
#include "cli/run/lint_batch.hpp"

namespace flexslice::cli {

namespace {

std::vector<diag::Code> read_only(const CommandLine& line) {
  std::vector<diag::Code> codes;
  for (const std::string& word : line.lists("only")) {
    const diag::Row* row = diag::find_row(word);
    if (row == nullptr) throw wrong_usage(diag::unknown_code("--only", word));
    codes.push_back(row->code);
  }
  return codes;
}

// Nothing when none is asked for.
std::optional<Baseline> read_baseline(const CommandLine& line) {
  const bool write = line.has("write-baseline");
  if (write && !line.has("baseline"))
    throw wrong_usage("--write-baseline needs --baseline FILE, the file that it writes");
  if (write && line.has("only"))
    throw wrong_usage("--write-baseline records all findings; leave out --only");
  if (!line.has("baseline")) return std::nullopt;
  std::optional<Baseline> baseline(line.value("baseline"));
  baseline->read(write);
  return baseline;
}

}  // namespace

int run_lint(const CommandLine& line) {
  const bool diff = line.has("diff"), fix = line.has("fix") || diff;
  const std::vector<std::string> words =
      line.words.empty() ? std::vector<std::string>{"."} : line.words;
  if (line.has("stdin-filename") && !contains(words, "-"))
    throw wrong_usage("--stdin-filename says what `-` is; add `-` to read stdin");
  // Fixed text of stdin and diffs go to stdout, so findings go to stderr.
  const bool fills_stdout = diff || (fix && contains(words, "-"));
  Run run;
  read_rules(line, fills_stdout ? STDERR_FILENO : STDOUT_FILENO, true, run);
  std::optional<Baseline> baseline = read_baseline(line);
  Fixer fixer(diff);
  LintBatchOptions options;
  options.rules = {line.has("notes"), run.knowledge.gcloud_version, line.has("placement")};
  options.only = read_only(line);
  options.exclude = line.lists("exclude");
  options.stdin_name = line.value("stdin-filename", options.stdin_name);
  options.jobs = read_jobs(line);
  options.fixer = fix ? &fixer : nullptr;
  options.baseline = baseline ? &*baseline : nullptr;
  options.writes_baseline = line.has("write-baseline");
  LintBatch batch(run, options, fills_stdout ? print_error : print);
  batch.files(words);
  flush();
  fixer.summary();
  batch.end();
  return std::max<int>(batch.status(), fixer.shows_fixes() ? findings : fine);
}

}  // namespace flexslice::cli
