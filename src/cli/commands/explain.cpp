// flexslice explain: the plan of a spec in words, what a diagnostic means, what the catalog knows
// about a word.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands/commands.hpp"
#include "cli/commands/lookup.hpp"
#include "cli/files/files.hpp"
#include "cli/help/texts.hpp"
#include "cli/run/batch.hpp"
#include "cli/run/lint_batch.hpp"
#include "driver/spec_side.hpp"
#include "explain/codes.hpp"
#include "explain/placed.hpp"
#include "explain/topics.hpp"
#include "import/import_files.hpp"
#include "spec/document.hpp"
#include "why/causes.hpp"
#include "yaml/parse.hpp"

namespace flexslice::cli {

namespace {

// Users of xpk are sent to gcluster.
constexpr std::string_view successor_of = "xpk ";

bool looks_like_file(std::string_view word) {
  return word == "-" || word.find('/') != std::string_view::npos || word.ends_with(".yaml") ||
         word.ends_with(".yml") || word.ends_with(".json");
}

class Explainer {
 public:
  explicit Explainer(const Run& run) : run_(run), batch_(run, print_error, false) {}

  int all(const std::vector<std::string>& words) {
    const auto categories = explain::topic_categories();
    int status = fine;
    for (std::size_t i = 0; i < words.size(); ++i) {
      // `topology 1x1`: a category in front asks one table.
      const bool category = i + 1 < words.size() && std::find(categories.begin(), categories.end(),
                                                              words[i]) != categories.end();
      const int answer =
          attempt([&] { category ? topic(words[i + 1], words[i]) : word(words[i]); });
      status = std::max(status, answer);
      i += category ? 1 : 0;
    }
    if (const std::string sum = change::sum_text(specs_.compared); !sum.empty()) say(sum + "\n");
    if (!files_.empty()) status = std::max(status, attempt([&] { placement(); }));
    return std::max({status, status_, batch_.status()});
  }

 private:
  void word(const std::string& word) {
    if (is_of_run(word)) return files_.push_back(word);
    if (word.starts_with(successor_of)) return successor(word);
    if (looks_like_file(word)) return spec(word);
    if (const diag::Row* row = diag::find_row(word)) return say(explain::diagnostic_text(*row));
    if (const auto cause = why::cause_text(word)) return say(*cause);
    if (word == "stability") return say(embedded_text("stability.txt").text());
    topic(word, {});
  }

  void spec(const std::string& path) {
    BatchOptions options;
    options.compile.explain = true;
    options.compile.emit = {Emit::plan};
    options.document = [&](const Checked& checked) {
      if (!checked.compiled.ok) return;
      if (!checked.compiled.explanation.empty()) say(checked.compiled.explanation);
      // The nodes of a point are its sweep's.
      if (checked.compiled.values.empty()) add_specs(specs_, {checked.compiled}, {}, path);
    };
    const SpecFile file{path, std::nullopt};
    batch_.files({&file, 1}, options);
  }

  // Manifests, scripts, pages and folders, and no spec. A topic goes before a folder of its name.
  bool is_of_run(const std::string& word) const {
    std::error_code ignored;
    if (word == "-" || !std::filesystem::exists(word, ignored)) return false;
    if (std::filesystem::is_directory(word, ignored))
      return looks_like_file(word) || word == "." || word == ".." ||
             !explain::topic_text(run_.knowledge.catalog, word, {});
    const std::string text = read_file(word);
    return !spec::has_spec_line(text) && lint::is_readable(word, text) &&
           (lint::mentions(text) != lint::Mentioned::nothing || lint::may_belong(word, text));
  }

  void placement() {
    std::vector<diag::Diagnostic> placed;
    LintBatchOptions options;
    options.rules = {false, run_.knowledge.gcloud_version, true};
    options.placement = &placed;
    LintBatch batch(run_, options, print_error);
    batch.files(files_);
    status_ = batch.status() == io_error ? io_error : fine;
    explain::Sheet sheet;
    explain::add_placement(placed, sheet);
    const std::string findings = batch.counted_findings();
    if (placed.empty()) sheet.title("No pods that use TPUs, or belong to those that do.");
    if (!findings.empty()) {
      sheet.section("Findings");
      sheet.paragraph(fmt::format("`flexslice lint` reports {} in these files.", findings));
    }
    say(sheet.take());
  }

  // The line of gcluster for the same workload, by the spec that import makes of it.
  void successor(const std::string& command) {
    const catalog::Catalog& catalog = run_.knowledge.catalog;
    Sources line;
    line.add({"line.sh", command + "\n", 1});
    imports::Imported imported = imports::import_files(line, catalog, run_.knowledge.templates, 1);
    report(line, imported.diagnostics);
    if (imported.specs.empty()) throw wrong_usage(fmt::format("no workload in `{}`", command));
    Sources spec;
    spec.add({"spec.yaml", imported.specs, 1});
    diag::Sink unused;
    std::optional<yaml::Node> tree = yaml::parse(spec, 0, unused);
    if (!tree) return;
    CompileOptions options;
    options.emit = {Emit::gcluster};
    Compiled compiled;
    // Report what no flag says, and leave it out of the line.
    do {
      compiled = compile(*tree, "spec.yaml", catalog, run_.knowledge.templates, options);
      for (diag::Diagnostic& finding : compiled.diagnostics) {
        if (finding.code == diag::Code::FieldUnknownToOutput) finding.level = diag::Level::warning;
      }
      report(spec, compiled.diagnostics);
    } while (!compiled.ok && drop_unsaid(*tree, compiled.diagnostics));
    for (const Artifact& artifact : compiled.artifacts) say(artifact.text);
  }

  // Returns whether anything was dropped.
  static bool drop_unsaid(yaml::Node& node, std::span<const diag::Diagnostic> findings) {
    const std::size_t before = node.members.size();
    std::erase_if(node.members, [&](const yaml::Member& member) {
      return std::ranges::any_of(findings, [&](const diag::Diagnostic& finding) {
        return finding.code == diag::Code::FieldUnknownToOutput && finding.where == member.key.span;
      });
    });
    bool dropped = node.members.size() < before;
    for (yaml::Member& member : node.members) dropped |= drop_unsaid(member.value, findings);
    return dropped;
  }

  // Notes are about the spec, which nobody sees.
  void report(const Sources& sources, std::vector<diag::Diagnostic> findings) {
    std::erase_if(findings, [](const auto& each) { return each.level == diag::Level::note; });
    if (!findings.empty()) print_error(diag::render(run_.render, sources, findings));
  }

  void topic(const std::string& word, std::string_view category) {
    const catalog::Catalog& catalog = run_.knowledge.catalog;
    if (const auto text = explain::topic_text(catalog, word, category)) return say(*text);
    std::error_code ignored;
    if (category.empty() && std::filesystem::exists(word, ignored)) return spec(word);
    // No other topic is a path.
    const bool is_path = category.empty() && word.find('.') != std::string::npos;
    throw wrong_usage(fmt::format(
        "{}{} `{}`{}", category.empty() ? "no information about" : "unknown ", category, word,
        did_you_mean(word, explain::topic_words(catalog, is_path ? "field" : category))));
  }

  // With an empty line between answers.
  void say(std::string_view text) {
    if (said_) print("\n");
    said_ = true;
    print(text);
  }

  const Run& run_;
  Batch batch_;
  std::vector<std::string> files_;  // of one run
  SpecSide specs_;
  int status_ = fine;
  bool said_ = false;
};

}  // namespace

int run_explain(const CommandLine& line) {
  if (line.words.empty())
    throw wrong_usage(
        "missing argument: a spec, a code such as FS3002, or a topic such as v6e or 4x4");
  Run run;
  read_run(line, STDERR_FILENO, run);
  if (run.render.format != diag::Format::text && run.render.format != diag::Format::brief)
    throw wrong_usage(
        fmt::format("--format {} does not apply to explain, which is text; `compile --emit plan` "
                    "gives the plan as JSON, and `check --format {}` the findings",
                    word(run.render.format), word(run.render.format)));
  return Explainer(run).all(line.words);
}

}  // namespace flexslice::cli
