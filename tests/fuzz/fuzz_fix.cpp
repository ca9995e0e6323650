// Any bytes as a spec: fixes can be applied, change nothing outside of their places, and come to an
// end.
#include "diag/fix.hpp"
#include "support.hpp"

namespace {

using namespace flexslice;
using fuzz::require;

diag::Fixed fix_once(const std::string& spec) {
  Sources sources;
  sources.add({"spec.yaml", spec});
  const Compiled compiled =
      compile({sources, 0, {}, {}}, fuzz::facts(), fuzz::built_in_templates(), {});
  std::size_t fixable = 0;
  for (const diag::Diagnostic& each : compiled.diagnostics) fixable += each.fixes.empty() ? 0 : 1;
  diag::Fixed fixed = diag::apply_fixes(spec, 0, compiled.diagnostics);
  require(fixed.applied + fixed.skipped == fixable, "every fix is applied or skipped", spec);
  require(fixed.applied > 0 || fixed.text == spec, "no fix changes nothing", fixed.text);
  require(fixed.applied == 0 || fixed.text != spec, "a fix changes something", spec);
  return fixed;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string spec(reinterpret_cast<const char*>(data), size);
  // Each round mends what was found; a fix that gives rise to another one without end would be a
  // bug.
  const std::size_t most = 20 + size;
  for (std::size_t round = 0; round < most; ++round) {
    diag::Fixed fixed = fix_once(spec);
    if (fixed.applied == 0) return 0;
    spec = std::move(fixed.text);
  }
  require(false, "fixes come to an end", spec);
  return 0;
}
