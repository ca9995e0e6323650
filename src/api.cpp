// The public interface over the driver: plain values in and out, so that no header of ours leaks.
#include <algorithm>
#include <tuple>

#include "diag/format.hpp"
#include "driver/lint_texts.hpp"
#include "driver/run.hpp"
#include "flexslice.hpp"
#include "import/import_files.hpp"

namespace flexslice::api {

namespace {

const EmitRow& emit_row(Emit emit) { return *std::ranges::find(emit_rows(), emit, &EmitRow::emit); }

Place library_place(const diag::Place& found) {
  Place place{std::string(found.file), 0, 0, 0, 0};
  if (found.begin)
    std::tie(place.line, place.column) = std::tie(found.begin->line, found.begin->column);
  if (found.end)
    std::tie(place.end_line, place.end_column) = std::tie(found.end->line, found.end->column);
  return place;
}

Level level_of(diag::Level level) {
  constexpr Level levels[] = {Level::error, Level::soft_error, Level::warning, Level::note};
  return levels[static_cast<std::size_t>(level)];
}

void add_findings(const Sources& sources, std::vector<diag::Diagnostic> diagnostics,
                  std::vector<Finding>& findings) {
  diag::Locator locator(sources);
  for (diag::Diagnostic& diagnostic : diagnostics) {
    Finding& finding = findings.emplace_back(Finding{diag::code_text(diagnostic.code),
                                                     level_of(diagnostic.level),
                                                     library_place(locator.place(diagnostic.where)),
                                                     std::move(diagnostic.message),
                                                     std::move(diagnostic.notes),
                                                     std::move(diagnostic.helps),
                                                     {},
                                                     {}});
    for (diag::Related& related : diagnostic.related)
      finding.related.push_back({library_place(locator.place(related)), std::move(related.text)});
    for (const diag::Edit& edit : diagnostic.shown_fixes())
      finding.fixes.push_back({library_place(locator.place(edit.where)), edit.text});
  }
}

std::vector<Source> sources_of(const std::vector<Layer>& layers) {
  std::vector<Source> sources;
  for (const Layer& layer : layers) sources.push_back({layer.file, layer.text, 1});
  return sources;
}

Result run_specs(std::string_view specs, const Options& options,
                 const CompileOptions& compile_options) {
  Result result;
  const std::vector<Source> defaults = sources_of(options.defaults);
  std::vector<Source> sets;
  for (const std::string& set : options.sets) sets.push_back({"--set", set, 1});
  TextRun compiled =
      compile_text({built_in_knowledge().catalog, built_in_knowledge().templates, defaults, sets},
                   options.file, specs, compile_options,
                   [&](const Sources& sources, std::vector<diag::Diagnostic> diagnostics) {
                     add_findings(sources, std::move(diagnostics), result.findings);
                   });
  for (Compiled& each : compiled.good)
    result.workloads.push_back(
        {std::move(each.name), std::move(each.artifacts), std::move(each.place)});
  result.ok = std::ranges::all_of(
      result.findings, [](Level level) { return level == Level::warning; }, &Finding::level);
  return result;
}

}  // namespace

std::string_view word(Emit emit) { return emit_row(emit).word; }

std::string_view file_name(Emit emit) { return emit_row(emit).file; }

const std::string* Workload::find(Emit emit) const {
  const auto artifact = std::ranges::find(artifacts, emit, &Artifact::emit);
  return artifact == artifacts.end() ? nullptr : &artifact->text;
}

Result compile(std::string_view specs, const Options& options) {
  CompileOptions compile_options{options.emit, options.comments};
  if (options.emit.empty()) compile_options.emit = usual_artifacts();
  return run_specs(specs, options, compile_options);
}

std::vector<Finding> check(std::string_view specs, const Options& options) {
  return run_specs(specs, options, {}).findings;
}

std::vector<Finding> lint(std::string_view text, const LintOptions& options) {
  const Source source{options.file, std::string(text), 1};
  std::vector<Finding> findings;
  flexslice::lint::lint_texts({&source, 1}, built_in_knowledge().catalog, {options.notes, {}},
                              [&](const Sources& sources, std::vector<diag::Diagnostic> found) {
                                add_findings(sources, std::move(found), findings);
                              });
  return findings;
}

ImportResult import_files(const std::vector<InputFile>& files) {
  Sources sources;
  for (const InputFile& file : files) sources.add({file.name, file.text, 1});
  auto made = imports::import_files(sources, built_in_knowledge().catalog,
                                    built_in_knowledge().templates, 1);
  ImportResult imported{std::move(made.specs), {}, made.equal};
  add_findings(sources, std::move(made.diagnostics), imported.findings);
  return imported;
}

About about() {
  return {FLEXSLICE_VERSION, built_in_knowledge().catalog.as_of,
          built_in_knowledge().catalog.gcloud.version};
}

}  // namespace flexslice::api
