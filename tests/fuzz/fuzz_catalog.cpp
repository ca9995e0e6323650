// Any bytes as an overlay of the catalog: it is loaded or refused, and with what was loaded without
// an error specs still compile.
#include "catalog/catalog.hpp"
#include "support.hpp"
#include "yaml/parse.hpp"

using namespace flexslice;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Sources sources;
  sources.add({"overlay.yaml", std::string(reinterpret_cast<const char*>(data), size)});
  diag::Sink sink;
  const auto tree = yaml::parse(sources, 0, sink);
  catalog::Catalog catalog = fuzz::facts();
  if (tree) {
    catalog::load(*tree, catalog, sink);
    if (sink.errors() == 0) catalog::verify(catalog, sink);
  }
  const bool good = sink.errors() == 0;
  fuzz::check_findings(sources, sink.take());
  if (!good || !tree) return 0;
  for (std::string_view spec : fuzz::sample_specs())
    fuzz::compile_all(std::string(spec), catalog, fuzz::built_in_templates());
  return 0;
}
