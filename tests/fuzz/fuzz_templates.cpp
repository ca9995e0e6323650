// `# kubernetes/job` in the first line and any bytes behind it as the template of that name: it is
// refused, or specs still compile.
#include <vector>

#include "driver/driver.hpp"
#include "support.hpp"
#include "yaml/parse.hpp"

namespace {

using namespace flexslice;

// As the command line judges an overlay.
bool is_accepted(const templates::Set& set, const Sources& sources) {
  diag::Sink sink;
  check_templates(set, sink);
  const bool good = sink.errors() == 0;
  fuzz::check_findings(sources, sink.take());
  return good;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t line_end = text.find('\n');
  if (!text.starts_with("# ") || line_end == std::string::npos) return -1;
  const std::string name = text.substr(2, line_end - 2);
  if (!fuzz::built_in_templates().find(name)) return -1;
  Sources sources;
  sources.add({name + ".yaml", text});
  diag::Sink sink;
  auto tree = yaml::parse(sources, 0, sink);
  fuzz::check_findings(sources, sink.found());
  if (!tree) return 0;
  templates::Set set;
  set.override_with(name, *tree);
  if (!is_accepted(set, sources)) return 0;
  for (std::string_view spec : fuzz::sample_specs())
    fuzz::compile_all(std::string(spec), fuzz::facts(), set);
  return 0;
}
