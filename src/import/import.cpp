#include "import/import.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "import/input.hpp"
#include "import/match.hpp"
#include "import/report.hpp"
#include "import/synthesis.hpp"
#include "import/write.hpp"
#include "import/xpk.hpp"
#include "lint/lint.hpp"
#include "yaml/emit.hpp"

namespace flexslice::imports {

namespace {

using diag::Diagnostic;
using yaml::Value;

// What lint says of each file.
void lint_files(const Sources& sources, std::size_t files, const catalog::Catalog& catalog,
                diag::Sink& sink) {
  for (std::uint32_t file = 0; file < files; ++file) {
    Sources own;
    own.add(sources[file]);
    for (Diagnostic& finding : lint::lint(own, catalog, {}).diagnostics) {
      finding.where.source = file;
      for (diag::Related& related : finding.related) related.where.source = file;
      finding.fixes.clear();
      sink.add(std::move(finding));
    }
  }
}

// What could not be kept, as the comment of a spec.
std::string comments(const diag::Sink& sink, std::size_t from) {
  std::string text;
  for (const Diagnostic& finding : sink.found().subspan(from)) {
    if (finding.level != diag::Level::note)
      text +=
          fmt::format("# {}: {}\n", diag::code_text(finding.code), yaml::one_line(finding.message));
  }
  return text;
}

void add_document(const std::string& comments, const Value& spec, std::string& specs) {
  if (!specs.empty()) specs += "---\n";
  specs += comments + spec_text(spec);
}

}  // namespace

Imported import_files(Sources& sources, const catalog::Catalog& catalog,
                      const templates::Set& templates) {
  const std::size_t files = sources.size();
  diag::Sink sink;
  MaterialReader reader(sources, sink);
  Material input = reader.read();
  lint_files(sources, files, catalog, sink);
  Imported imported;
  Placeholders names;
  const Compiler compiler(catalog, templates, names);
  Report report(sink, names);
  std::size_t workloads = 0;
  for (std::size_t i = 0; i < input.objects.size(); ++i) {
    const auto workload = workload_in(input.objects[i].value);
    if (!workload || workload->pod == nullptr) continue;
    ++workloads;
    input.objects[i].used = true;
    Synthesis synthesis = synthesize(*workload, i, input, catalog, compiler, names);
    const std::size_t before = sink.found().size();
    report.spec(synthesis, input);
    add_document(comments(sink, before), synthesis.spec, imported.specs);
  }
  for (const Command& command : input.commands) {
    if (command.name != xpk_workload) continue;
    ++workloads;
    const std::size_t before = sink.found().size();
    Value spec = report.xpk(command, spec_of_xpk(command, input, catalog), compiler);
    add_document(comments(sink, before), spec, imported.specs);
  }
  report.rest(input, workloads);
  imported.equal = report.is_equal();
  imported.diagnostics = sink.take();
  for (Diagnostic& finding : imported.diagnostics) reader.move_to_files(finding);
  std::ranges::stable_sort(imported.diagnostics, {}, [](const Diagnostic& finding) {
    return std::tuple(finding.where.source, finding.where.begin);
  });
  return imported;
}

}  // namespace flexslice::imports
