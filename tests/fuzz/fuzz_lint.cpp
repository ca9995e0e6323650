// Any bytes as a manifest, a page, a script and a Makefile: nothing crashes, every place is within
// the file, and fixes can be applied.
#include "diag/fix.hpp"
#include "driver/lint_file.hpp"
#include "support.hpp"

using namespace flexslice;

namespace {

void check_place(const Span& where, const std::string& text) {
  fuzz::require(where.source == 0 && where.begin <= where.end && where.end <= text.size(),
                "a place is within the file", text);
}

void lint_as(std::string_view name, const std::string& text) {
  Sources sources;
  sources.add({std::string(name), text, 1});
  const lint::Linted linted =
      lint::lint(sources, fuzz::facts(), {.notes = true, .gcloud_version = "528.0.0"});
  for (const diag::Diagnostic& finding : linted.diagnostics) {
    check_place(finding.where, text);
    for (const diag::Related& related : finding.related) check_place(related.where, text);
    for (const diag::Edit& edit : finding.fixes) check_place(edit.where, text);
  }
  diag::apply_fixes(text, 0, linted.diagnostics);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Only text that mentions TPUs is read.
  const std::string text =
      "# google.com/tpu\n" + std::string(reinterpret_cast<const char*>(data), size);
  for (std::string_view name : {"a.yaml", "a.md", "a.sh", "Makefile", "a.yaml.tftpl", "a.tf"})
    lint_as(name, text);
  return 0;
}
