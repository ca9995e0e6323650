// flexslice check: every finding on stdout, as linters do.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/lists.hpp"
#include "cli/commands/commands.hpp"
#include "cli/run/batch.hpp"
#include "cli/run/lint_batch.hpp"

namespace flexslice::cli {

namespace {

using rules::Upgrade;

// In the order in which the programs are upgraded.
std::vector<Upgrade> read_upgrades(const CommandLine& line, const catalog::Catalog& catalog) {
  std::vector<std::string_view> programs = {"gke"};
  for (const catalog::UpgradeEffect& row : catalog.upgrade_effects) {
    if (!contains(programs, row.program)) programs.push_back(row.program);
  }
  for (const catalog::Controller& controller : catalog.controllers) {
    if (!controller.word.empty() && !contains(programs, controller.word))
      programs.push_back(controller.word);
  }
  std::vector<Upgrade> upgrades;
  for (const std::string& value : line.values("upgrade")) {
    const std::size_t equals = value.find('=');
    Upgrade upgrade{value.substr(0, equals), equals == value.npos ? "" : value.substr(equals + 1)};
    if (!contains(programs, std::string_view(upgrade.program)))
      throw invalid_value("upgrade", value, "NAME=RELEASE, of " + text::join(programs, ", "));
    if (const std::size_t dots = upgrade.release.find(".."); dots != std::string::npos) {
      upgrade.from = upgrade.release.substr(0, dots);
      upgrade.release = upgrade.release.substr(dots + 2);
    }
    const auto is_release = [](std::string& text) {
      // Tags of releases begin so.
      if (text.starts_with('v')) text.erase(0, 1);
      return catalog::parse_version(text).has_value();
    };
    if (!is_release(upgrade.release) || !(upgrade.from.empty() || is_release(upgrade.from)))
      throw invalid_value("upgrade", value, "a release such as kueue=0.20 or kueue=0.19..0.20");
    upgrades.push_back(std::move(upgrade));
  }
  std::ranges::stable_sort(upgrades, {}, [&](const Upgrade& each) {
    return std::ranges::find(programs, std::string_view(each.program)) - programs.begin();
  });
  return upgrades;
}

struct UpgradedFiles {
  std::vector<std::string> specs, others;
};

// Directories may hold both.
UpgradedFiles split_inputs(std::span<const std::string> words) {
  UpgradedFiles inputs;
  for (const std::string& word : words) {
    std::error_code ignored;
    if (word != "-" && std::filesystem::is_directory(word, ignored)) {
      if (any_of(tree_of(word), looks_like_spec)) inputs.specs.push_back(word);
      inputs.others.push_back(word);
    } else if (word == "-" || looks_like_spec(word)) {
      inputs.specs.push_back(word);
    } else {
      inputs.others.push_back(word);
    }
  }
  return inputs;
}

int check_files(const Run& run, std::span<const std::string> words, const CommandLine& line,
                std::span<const Upgrade> upgrades) {
  LintBatchOptions options;
  options.rules = {
      .notes = true, .gcloud_version = run.knowledge.gcloud_version, .upgrades = upgrades};
  using diag::Code;
  options.only = {Code::ApiNotServed,   Code::FieldNotInRelease, Code::RemovedApiVersion,
                  Code::UpgradeRefuses, Code::UpgradeChanges,    Code::UpgradeNeeds};
  options.jobs = read_jobs(line);
  LintBatch batch(run, options, print);
  batch.files(words);
  flush();
  batch.end();
  return batch.status();
}

// The steps of the clusters themselves, which no file shows.
void print_steps(const Run& run, std::span<const Upgrade> upgrades) {
  const catalog::Catalog& catalog = run.knowledge.catalog;
  std::string text;
  int step = 0;
  for (const Upgrade& upgrade : upgrades) {
    const std::string_view title = rules::program_title(catalog, upgrade.program);
    for (const catalog::UpgradeEffect* row : rules::effects_of(catalog, upgrade)) {
      if (row->effect != catalog::UpgradeStep::first || !row->has.empty()) continue;
      text += fmt::format("{}. {} {}: {}\n", ++step, title, row->release, row->what);
      text += fmt::format("   {} [{}]\n", row->action, catalog::citation(row->evidence));
    }
    text += fmt::format("{}. upgrade {} to {}\n", ++step, title, upgrade.release);
  }
  print(fmt::format("Steps, in this order:\n{}", text));
}

int check_upgrades(const CommandLine& line) {
  if (line.has("fix") || line.has("diff"))
    throw wrong_usage("--upgrade finds mistakes of a later day; leave out --fix and --diff");
  Run run;
  read_run(line, STDOUT_FILENO, run);
  const std::vector<Upgrade> upgrades = read_upgrades(line, run.knowledge.catalog);
  const UpgradedFiles inputs = split_inputs(line.words);
  const bool is_one_document =
      run.render.format == diag::Format::json || run.render.format == diag::Format::sarif;
  if (is_one_document && !inputs.specs.empty() && !inputs.others.empty())
    throw wrong_usage(fmt::format(
        "--upgrade prints one document of --format {} for specs, and one for other files: name "
        "them in two calls",
        word(run.render.format)));
  BatchOptions options;
  options.jobs = read_jobs(line);
  options.conflicts = true;
  options.compile.notes = line.has("notes");
  options.compile.upgrades = upgrades;
  const SpecFiles files = find_specs(inputs.specs, false, line.values("defaults"));
  int status = fine;
  if (!inputs.specs.empty()) {
    Batch batch(run, print, true);
    batch.begin();
    batch.files(files.specs, options);
    batch.end();
    flush();
    batch.summary(files.skipped, Batch::Single::said);
    status = batch.status();
  }
  if (!inputs.others.empty())
    status = std::max(status, check_files(run, inputs.others, line, upgrades));
  if (run.render.format == diag::Format::text) print_steps(run, upgrades);
  flush();
  return status;
}

}  // namespace

int run_check(const CommandLine& line) {
  if (line.has("upgrade")) return check_upgrades(line);
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
