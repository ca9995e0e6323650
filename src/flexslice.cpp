// The public interface over the driver: plain values in and out, so that no header of ours leaks.
#include "flexslice.hpp"

#include <algorithm>
#include <tuple>

#include "diag/format.hpp"
#include "driver.hpp"
#include "yaml/parse.hpp"

namespace flexslice::api {

namespace {

constexpr bool same(Emit ours, flexslice::Emit theirs) {
  return static_cast<int>(ours) == static_cast<int>(theirs);
}
static_assert(same(Emit::manifests, flexslice::Emit::manifests) &&
              same(Emit::provision, flexslice::Emit::provision) &&
              same(Emit::verify, flexslice::Emit::verify) &&
              same(Emit::cleanup, flexslice::Emit::cleanup) &&
              same(Emit::queues, flexslice::Emit::queues) &&
              same(Emit::plan, flexslice::Emit::plan));

const EmitRow& row(Emit emit) {
  const auto rows = emit_rows();
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const EmitRow& each) { return same(emit, each.emit); });
}

// What is built in. Read once; never destroyed, so that threads may outlive main.
struct Knowledge {
  catalog::Catalog catalog = catalog::built_in();
  templates::Set templates;
};
const Knowledge& knowledge() {
  static const Knowledge& built_in = *new Knowledge;
  return built_in;
}

Place place_of(Span span, diag::Locator& locator) {
  const diag::Place found = locator.place(span);
  Place place{std::string(found.file), 0, 0, 0, 0};
  if (found.begin)
    std::tie(place.line, place.column) = std::tie(found.begin->line, found.begin->column);
  if (found.end)
    std::tie(place.end_line, place.end_column) = std::tie(found.end->line, found.end->column);
  return place;
}

Level level_of(diag::Level level) {
  return level == diag::Level::warning ? Level::warning
         : level == diag::Level::soft  ? Level::soft_error
                                       : Level::error;
}

void add_findings(const Sources& sources, std::vector<diag::Diagnostic> diagnostics,
                  std::vector<Finding>& findings) {
  diag::Locator locator(sources);
  for (diag::Diagnostic& each : diagnostics) {
    Finding finding{diag::code_text(each.code),
                    level_of(each.level),
                    place_of(each.where, locator),
                    std::move(each.message),
                    std::move(each.notes),
                    std::move(each.helps),
                    {}};
    for (diag::Edit& edit : each.fixes)
      finding.fixes.push_back({place_of(edit.where, locator), std::move(edit.text)});
    findings.push_back(std::move(finding));
  }
}

void add_document(const yaml::Document& document, const Options& options,
                  const CompileOptions& compile_options, Result& result,
                  std::vector<Compiled>& good) {
  Sources sources;
  Input input{sources, 0, {}, {}};
  for (const Layer& layer : options.defaults)
    input.defaults.push_back(sources.add({layer.file, layer.text, 1}));
  input.spec = sources.add({options.file, std::string(document.text), document.first_line});
  for (const std::string& set : options.sets) input.sets.push_back(sources.add({"--set", set, 1}));
  Compiled compiled =
      flexslice::compile(input, knowledge().catalog, knowledge().templates, compile_options);
  add_findings(sources, std::move(compiled.diagnostics), result.findings);
  if (compiled.ok) good.push_back(std::move(compiled));
}

Result run(std::string_view specs, const Options& options, const CompileOptions& compile_options) {
  Result result;
  std::vector<Compiled> good;
  for (const yaml::Document& document : yaml::split_documents(specs))
    add_document(document, options, compile_options, result, good);
  add_queues(good, knowledge().templates, options.comments);
  for (Compiled& compiled : good) {
    Workload workload{std::move(compiled.name), {}};
    for (flexslice::Artifact& each : compiled.artifacts)
      workload.artifacts.push_back({static_cast<Emit>(each.emit), std::move(each.text)});
    result.workloads.push_back(std::move(workload));
  }
  result.ok = std::all_of(result.findings.begin(), result.findings.end(),
                          [](const Finding& each) { return each.level == Level::warning; });
  return result;
}

}  // namespace

std::string_view word(Emit emit) { return row(emit).word; }

std::string_view file_name(Emit emit) { return row(emit).file; }

const std::string* Workload::find(Emit emit) const {
  const auto found = std::find_if(artifacts.begin(), artifacts.end(),
                                  [&](const Artifact& each) { return each.emit == emit; });
  return found == artifacts.end() ? nullptr : &found->text;
}

Result compile(std::string_view specs, const Options& options) {
  CompileOptions compile_options{{}, options.comments};
  for (const EmitRow& each : emit_rows()) {
    const bool wanted =
        options.emit.empty() || std::any_of(options.emit.begin(), options.emit.end(),
                                            [&](Emit emit) { return same(emit, each.emit); });
    if (wanted) compile_options.emit.push_back(each.emit);
  }
  return run(specs, options, compile_options);
}

std::vector<Finding> check(std::string_view specs, const Options& options) {
  return run(specs, options, {}).findings;
}

About about() {
  return {FLEXSLICE_VERSION, knowledge().catalog.as_of, knowledge().catalog.gcloud_version};
}

}  // namespace flexslice::api
