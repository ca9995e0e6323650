// What a kustomization does to names in objects that kustomize does not know.
#pragma once

#include <vector>

#include "base/source.hpp"
#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "driver/near.hpp"

namespace flexslice::lint {

// True where the text, of a kustomization, may change something.
bool may_rename(std::string_view text);

// Source 0 is the kustomization. `read`: files that it lists, by their paths.
std::vector<diag::Diagnostic> judge_kustomization(Sources& sources, const catalog::Catalog& catalog,
                                                  const ReadFile& read);

}  // namespace flexslice::lint
