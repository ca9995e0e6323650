#include "web/answer.hpp"

#include <algorithm>
#include <set>

#include "base/json.hpp"
#include "base/text.hpp"
#include "diag/render.hpp"
#include "driver/lint_texts.hpp"
#include "driver/run.hpp"
#include "explain/codes.hpp"
#include "extract/file.hpp"
#include "import/import_files.hpp"
#include "spec/document.hpp"

namespace flexslice::web {

using json::quoted;

namespace {

constexpr std::size_t most_findings = 500, most_specs = 100;

class AnswerFindings {
 public:
  AnswerFindings() { list_.options.format = diag::Format::json; }

  void add(const Sources& sources, std::vector<diag::Diagnostic> found) {
    count_ += found.size();
    diag::render_findings(text_, sources, found, report_);
    found.erase(found.begin() + std::min(found.size(), most_findings - list_.shown), found.end());
    for (const diag::Diagnostic& finding : found) codes_.insert(finding.code);
    diag::render_findings(list_, sources, found, json_);
  }

  std::string members() {
    diag::render_end(text_, report_);
    std::vector<std::string> codes;
    for (const diag::Code code : codes_)
      codes.push_back(json::members(
          {{diag::code_text(code), quoted(explain::diagnostic_text(diag::row(code)))}}));
    return json::members({{"findings", '[' + json_ + ']'},
                          {"count", std::to_string(count_)},
                          {"report", quoted(report_)},
                          {"codes", '{' + text::join(codes, ",") + '}'}});
  }

 private:
  diag::Rendering list_, text_;
  std::string json_, report_;
  std::size_t count_ = 0;
  std::set<diag::Code> codes_;
};

std::string workload_json(const Compiled& compiled) {
  const auto file = [](const auto& artifact) {
    return json::object({{"emit", quoted(api::word(artifact.emit))},
                         {"name", quoted(api::file_name(artifact.emit))},
                         {"text", quoted(artifact.text)}});
  };
  return json::object({{"name", quoted(compiled.folder())},
                       {"explanation", quoted(compiled.explanation)},
                       {"files", json::list(compiled.artifacts, file)}});
}

// Does what `check` and `compile` do.
std::string judge_specs(std::string_view text, const CompileOptions& options,
                        AnswerFindings& findings) {
  const diag::Policy policy;
  const TextRun run = compile_text(
      {.catalog = built_in_knowledge().catalog,
       .templates = built_in_knowledge().templates,
       .policy = &policy},
      "spec.yaml", text, options,
      [&](const Sources& sources, std::vector<diag::Diagnostic> found) {
        findings.add(sources, std::move(found));
      },
      most_specs);
  return json::members({{"specs", std::to_string(run.documents)},
                        {"workloads", json::list(run.good, workload_json)}});
}

// Does what `lint` does.
void judge_file(std::string_view text, AnswerFindings& findings) {
  const Source source{"text", std::string(text), 1};
  lint::lint_texts({&source, 1}, built_in_knowledge().catalog, {},
                   [&](const Sources& sources, std::vector<diag::Diagnostic> found) {
                     findings.add(sources, std::move(found));
                   });
}

// Also a spec whose first line is still to be typed. Only objects have a kind at the top.
bool may_be_spec(std::string_view text) {
  return spec::has_spec_line(text) ||
         !(text.starts_with("kind:") || text.find("\nkind:") != text.npos ||
           text.find("\"kind\"") != text.npos);
}

}  // namespace

std::string answer(std::string_view text, std::string_view emit) {
  CompileOptions options{.emit = emit.empty() ? usual_artifacts() : std::vector<Emit>(),
                         .explain = true};
  for (const EmitRow& row : emit_rows()) {
    if (row.word == (emit.empty() ? api::word(Emit::picture) : emit))
      options.emit.push_back(row.emit);
  }
  constexpr std::string_view words[] = {"manifest", "page",      "script",
                                        "makefile", "terraform", "makefile"};
  std::string_view type = words[static_cast<std::size_t>(extract::file_type("", text))];
  AnswerFindings findings;
  std::string compiled = R"("specs":0,"workloads":[])";
  if (type == words[0] && may_be_spec(text)) {
    type = "spec";
    compiled = judge_specs(text, options, findings);
  } else {
    judge_file(text, findings);
  }
  const auto [version, catalog_date, gcloud] = api::about();
  return json::object({{"version", quoted(version)},
                       {"catalog", quoted(catalog_date)},
                       {"type", quoted(type)},
                       {"", compiled},
                       {"", findings.members()}});
}

std::string imported(std::string_view text) {
  Sources sources;
  sources.add({"text", std::string(text), 1});
  const imports::Imported made = imports::import_files(sources, built_in_knowledge().catalog,
                                                       built_in_knowledge().templates, 1);
  diag::RenderOptions options;
  options.limit = most_findings;
  options.short_notes = true;
  std::string report;
  if (!made.diagnostics.empty()) report = diag::render(options, sources, made.diagnostics);
  return json::object({{"spec", quoted(made.specs)}, {"report", quoted(report)}});
}

}  // namespace flexslice::web
