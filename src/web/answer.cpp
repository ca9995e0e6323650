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

namespace {

constexpr std::size_t most_findings = 500, most_specs = 100;

struct Knowledge {
  catalog::Catalog catalog = catalog::built_in();
  templates::Set templates;
};
const Knowledge& knowledge() {
  static const Knowledge built_in;
  return built_in;
}

std::string quoted(std::string_view text) {
  std::string out;
  json::append_string(
      text, [](std::uint32_t point) { return point >= ' '; }, out);
  return out;
}

class Findings {
 public:
  Findings() { list_.options.format = diag::Format::json; }

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
      codes.push_back(fmt::format("{}:{}", quoted(diag::code_text(code)),
                                  quoted(explain::code_text(diag::row(code)))));
    return fmt::format(R"("findings":[{}],"count":{},"report":{},"codes":{{{}}})", json_, count_,
                       quoted(report_), text::join(codes, ","));
  }

 private:
  diag::Rendering list_, text_;
  std::string json_, report_;
  std::size_t count_ = 0;
  std::set<diag::Code> codes_;
};

std::string workload_json(const Compiled& compiled) {
  std::vector<std::string> files;
  for (const auto& [emit, text] : compiled.artifacts)
    files.push_back(fmt::format(R"({{"emit":"{}","name":"{}","text":{}}})", api::word(emit),
                                api::file_name(emit), quoted(text)));
  return fmt::format(R"({{"name":{},"explanation":{},"files":[{}]}})", quoted(compiled.name),
                     quoted(compiled.explanation), text::join(files, ","));
}

// Does what `check` and `compile` do.
std::string judge_specs(std::string_view text, const CompileOptions& options, Findings& findings) {
  const diag::Policy policy;
  const TextRun run = compile_text(
      {.catalog = knowledge().catalog, .templates = knowledge().templates, .policy = &policy},
      "spec.yaml", text, options,
      [&](const Sources& sources, std::vector<diag::Diagnostic> found) {
        findings.add(sources, std::move(found));
      },
      most_specs);
  std::vector<std::string> workloads;
  std::ranges::transform(run.good, std::back_inserter(workloads), workload_json);
  return fmt::format(R"("specs":{},"workloads":[{}])", run.documents, text::join(workloads, ","));
}

// Does what `lint` does.
void judge_file(std::string_view text, Findings& findings) {
  const Source source{"text", std::string(text), 1};
  lint::lint_texts({&source, 1}, knowledge().catalog, {},
                   [&](const Sources& sources, std::vector<diag::Diagnostic> found) {
                     findings.add(sources, std::move(found));
                   });
}

// Also a spec whose first line is still to be typed. Only objects have a kind at the top.
bool is_spec(std::string_view text) {
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
  constexpr std::string_view words[] = {"manifest", "page", "script", "makefile", "terraform"};
  std::string_view type = words[static_cast<std::size_t>(extract::type_of("", text))];
  Findings findings;
  std::string compiled = R"("specs":0,"workloads":[])";
  if (type == words[0] && is_spec(text)) {
    type = "spec";
    compiled = judge_specs(text, options, findings);
  } else {
    judge_file(text, findings);
  }
  const auto [version, catalog_date, gcloud] = api::about();
  return fmt::format(R"({{"version":"{}","catalog":"{}","type":"{}",{},{}}})", version,
                     catalog_date, type, compiled, findings.members());
}

std::string imported(std::string_view text) {
  Sources sources;
  sources.add({"text", std::string(text), 1});
  const imports::Imported made =
      imports::import_files(sources, knowledge().catalog, knowledge().templates, 1);
  diag::RenderOptions options;
  options.limit = most_findings;
  options.short_notes = true;
  std::string report;
  if (!made.diagnostics.empty()) report = diag::render(options, sources, made.diagnostics);
  return fmt::format(R"({{"spec":{},"report":{}}})", quoted(made.specs), quoted(report));
}

}  // namespace flexslice::web
