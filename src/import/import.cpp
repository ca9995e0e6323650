#include "import/import.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "import/input.hpp"
#include "import/match.hpp"
#include "import/report.hpp"
#include "import/synthesis.hpp"
#include "import/write.hpp"
#include "lint/lint.hpp"

namespace flexslice::imports {

namespace {

using diag::Diagnostic;

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

}  // namespace

Imported import_files(Sources& sources, const catalog::Catalog& catalog,
                      const templates::Set& templates) {
  const std::size_t files = sources.size();
  diag::Sink sink;
  Reader reader(sources, sink);
  Input input = reader.read();
  lint_files(sources, files, catalog, sink);
  Imported imported;
  Placeholders names;
  const Compiler compiler(catalog, templates, names);
  Report report(sink);
  std::size_t workloads = 0;
  std::vector<Synthesis> specs;
  for (std::size_t i = 0; i < input.objects.size(); ++i) {
    const auto workload = workload_in(input.objects[i].value);
    if (!workload || workload->pod == nullptr) continue;
    ++workloads;
    input.objects[i].used = true;
    specs.push_back(synthesize(*workload, i, input, catalog, compiler, names));
    report.spec(specs.back(), input);
  }
  for (const Synthesis& spec : specs) {
    if (!imported.specs.empty()) imported.specs += "---\n";
    imported.specs += spec_text(spec.spec);
  }
  report.rest(input, workloads, specs);
  imported.equal = report.is_equal();
  imported.diagnostics = sink.take();
  for (Diagnostic& finding : imported.diagnostics) reader.move_to_files(finding);
  std::ranges::stable_sort(imported.diagnostics, {}, [](const Diagnostic& finding) {
    return std::tuple(finding.where.source, finding.where.begin);
  });
  return imported;
}

}  // namespace flexslice::imports
