// Any bytes as a manifest, a page and a script, alone and together: nothing crashes, every place is
// within its file, and what is written is YAML.
#include "import/import_files.hpp"
#include "support.hpp"
#include "yaml/parse.hpp"

using namespace flexslice;

namespace {

void import_as(std::initializer_list<std::string_view> names, const std::string& text) {
  Sources sources;
  for (std::string_view name : names) sources.add({std::string(name), text, 1});
  const imports::Imported imported =
      imports::import_files(sources, fuzz::facts(), fuzz::built_in_templates(), 1);
  for (const diag::Diagnostic& finding : imported.diagnostics) {
    const Span& where = finding.where;
    fuzz::require(
        where.source < names.size() && where.begin <= where.end && where.end <= text.size(),
        "a place is within its file", text);
  }
  for (const yaml::Document& document : yaml::split_documents(imported.specs)) {
    Sources own;
    diag::Sink sink;
    const auto tree = yaml::parse(own, own.add({"spec.yaml", std::string(document.text), 1}), sink);
    fuzz::require(tree.has_value(), "a spec is YAML", text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  import_as({"a.yaml"}, text);
  import_as({"a.md"}, text);
  import_as({"a.sh", "a.yaml"}, text);
  return 0;
}
