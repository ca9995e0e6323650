// flexslice check: every finding on stdout, as linters do.
#include <unistd.h>

#include <algorithm>
#include <cxxopts.hpp>

#include "cli/batch.hpp"
#include "cli/check_fix.hpp"
#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "cli/io.hpp"
#include "cli/parse_options.hpp"

namespace flexslice::cli {

namespace {

struct Task {
  Run run;
  std::vector<SpecFile> files;
  BatchOptions batch;
  bool fix = false;
  bool mends_stdin = false;  // which goes to stdout, and so findings to stderr
};

std::optional<int> read_task(const cxxopts::ParseResult& parsed, Task& task) {
  task.fix = parsed.count("fix") > 0;
  const std::vector<std::string> files = values_of(parsed, "words");
  task.mends_stdin = task.fix && std::find(files.begin(), files.end(), "-") != files.end();
  BatchWords batch;
  if (auto status = read_batch(parsed, batch)) return status;
  if (auto status = read_run(parsed, task.mends_stdin ? STDERR_FILENO : STDOUT_FILENO, task.run))
    return status;
  task.files = find_specs(task.run.files, batch.only_specs);
  task.batch.jobs = batch.jobs;
  if (task.fix) task.batch.fix = Fixer::refusal;
  return std::nullopt;
}

int check(const Task& task) {
  Batch batch(task.run, true);
  Fixer fixer;
  const auto say = [&](const std::string& text) {
    if (!task.mends_stdin) return print(text);
    print_error(text);
    return int{fine};
  };
  Visitor visitor;
  visitor.begin = [&](const std::string& path, std::int64_t modified) {
    return fixer.begin(path, modified);
  };
  visitor.other = [&](std::string_view text) { return fixer.other(text); };
  visitor.end = [&](bool whole) { return fixer.end(whole); };
  visitor.document = [&](const Checked& checked) {
    const int status = task.fix ? fixer.document(checked) : fine;
    return std::max(status, say(checked.findings));
  };
  int status = say(batch.begin());
  status = std::max(status, batch.files(task.files, task.batch, visitor));
  status = std::max({status, say(batch.end()), flush()});
  fixer.summary();
  batch.summary();
  return std::max(status, batch.status());
}

}  // namespace

int run_check(Arguments arguments) {
  const auto declare = [](cxxopts::Options& options) {
    add_sources(options);
    options.add_options()("fix", "mend in the files what can be mended for certain");
    add_batch(options);
    add_common(options);
  };
  return with_options(arguments, declare, [](const cxxopts::ParseResult& parsed) {
    Task task;
    if (auto status = read_task(parsed, task)) return *status;
    return check(task);
  });
}

}  // namespace flexslice::cli
