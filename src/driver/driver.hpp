// A document through the passes: one spec, the points of its matrix, or its places.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "driver/passes.hpp"

namespace flexslice {

// The catalog and the templates of the program itself. Read once, and never destroyed, so that
// threads may outlive main.
struct BuiltIn {
  catalog::Catalog catalog = catalog::built_in();
  templates::Set templates;
};
const BuiltIn& built_in_knowledge();

// Sources of one compilation: `spec` is the document, `defaults` and `sets` the layers under and
// over it, all indices into `sources`.
struct Input {
  const Sources& sources;
  std::uint32_t spec = 0;
  std::vector<std::uint32_t> defaults;  // the first lies lowest
  std::vector<std::uint32_t> sets;
};

// The document with the layers under and over it. Nothing where one of them cannot be read.
std::optional<yaml::Node> merge_layers(const Input& input, diag::Sink& sink);

// The specs of a document: one, or the points of its matrix, and then the sweep, which has what
// they share: scripts, whole documents, all manifests and the needs of the queue; or its places,
// and then what these share: run.sh, and the manager of MultiKueue. `jobs`: threads, for points.
std::vector<Compiled> compile_all(const Input& input, const catalog::Catalog& catalog,
                                  const templates::Set& templates, const CompileOptions& options,
                                  unsigned jobs = 1);

// Takes the findings of a document's specs: each once, with the points that it is about if these
// are not all. An error in one of them leaves none of them ok.
std::vector<diag::Diagnostic> take_findings(std::vector<Compiled>& specs);

// The first of them, with all findings. A document of spaces alone is no spec, with or without
// layers.
Compiled compile(const Input& input, const catalog::Catalog& catalog,
                 const templates::Set& templates, const CompileOptions& options);

// A spec that no file holds, under a file's name. Comments suppress nothing in it.
Compiled compile(const yaml::Node& spec, std::string_view name, const catalog::Catalog& catalog,
                 const templates::Set& templates, const CompileOptions& options);

// Leaves only the names that say which spec it is.
void drop_results(Compiled& compiled);

}  // namespace flexslice
