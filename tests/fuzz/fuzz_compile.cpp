// Any bytes as a spec: the whole compiler gives artifacts that can be read, or says why not, and
// the same twice.
#include <algorithm>

#include "support.hpp"

using namespace flexslice;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string spec(reinterpret_cast<const char*>(data), size);
  const Compiled compiled = fuzz::compile_all(spec, fuzz::facts(), fuzz::built_in_templates());
  const auto certain = [](const diag::Diagnostic& each) {
    return each.level == diag::Level::error;
  };
  const bool refused =
      std::any_of(compiled.diagnostics.begin(), compiled.diagnostics.end(), certain);
  fuzz::require(compiled.ok != refused,
                "a spec gives artifacts or has an error that is certain, not both and not neither",
                spec);
  if (size % 8 != 0) return 0;  // twice is slow
  const Compiled again = fuzz::compile_all(spec, fuzz::facts(), fuzz::built_in_templates());
  fuzz::require(again.artifacts.size() == compiled.artifacts.size(),
                "the same input gives the same artifacts", spec);
  for (std::size_t i = 0; i < again.artifacts.size(); ++i) {
    fuzz::require(again.artifacts[i].text == compiled.artifacts[i].text,
                  "the same input gives the same bytes", spec);
  }
  return 0;
}
