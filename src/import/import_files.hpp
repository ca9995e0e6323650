// flexslice import: the spec that compiles to what people already have. It is synthesis: a draft is
// made of what the files say, compiled, and compared with them; what differs becomes fields, then
// patches, and what no spec can say is reported. Pure, as compile is.
#pragma once

#include <string>
#include <vector>

#include "backend/template/template.hpp"
#include "base/source.hpp"
#include "catalog/catalog.hpp"
#include "diag/diag.hpp"

namespace flexslice::imports {

struct Imported {
  // Documents in the order of the workloads, separated by `---`; empty where there is none.
  std::string specs;
  // First the notes, which say what compile adds, then warnings of what cannot be kept and errors
  // for a spec that is missing or does not compile: what matters is at the end, where it is seen.
  // Both in order of place.
  std::vector<diag::Diagnostic> diagnostics;
  bool equal = true;  // the specs keep the objects and commands of the input, and compile may add
};

// All sources are read as files of one import, `jobs` at a time.
Imported import_files(const Sources& sources, const catalog::Catalog& catalog,
                      const templates::Set& templates, unsigned jobs);

}  // namespace flexslice::imports
