#include "cli/batch.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/io.hpp"

namespace flexslice::cli {

Batch::Batch(const Run& run) : run_(run) { rendering_.options = run.render; }

Checked Batch::document(Source source, const CompileOptions& options) {
  Sources sources;
  Input input{sources, 0, {}, {}};
  for (const Source& layer : run_.defaults) input.defaults.push_back(sources.add(layer));
  input.spec = sources.add(std::move(source));
  for (const Source& layer : run_.sets) input.sets.push_back(sources.add(layer));
  Checked checked{compile(input, run_.knowledge.catalog, run_.knowledge.templates, options), {}};
  diag::apply_policy(run_.policy, checked.compiled.diagnostics);
  if (diag::count(checked.compiled.diagnostics).errors > 0) checked.compiled.ok = false;
  ++(checked.compiled.ok ? good_ : bad_);
  diag::render_findings(rendering_, sources, checked.compiled.diagnostics, checked.findings);
  return checked;
}

int Batch::file(const std::string& path, const CompileOptions& options, const std::function<int(const Checked&)>& each) {
  DocumentReader reader(path);
  int status = fine;
  while (auto source = reader.next()) status = std::max(status, each(document(std::move(*source), options)));
  if (reader.failed()) return file_error(reader.failed()->message);
  return status;
}

int Batch::status() const { return bad_ > 0 ? findings : fine; }

void Batch::summary() const {
  if (good_ + bad_ < 2) return;
  print_error(text::format("{} fine, {} with errors\n", text::count(static_cast<std::int64_t>(good_), "spec"), bad_));
}

}  // namespace flexslice::cli
