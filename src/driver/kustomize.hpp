// Judges what a kustomization does to names in objects that kustomize does not know.
#pragma once

#include <span>
#include <string>
#include <string_view>
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

// Drops findings about a file of a base that the patches of every overlay take away. `overlays`:
// paths of kustomizations, of which those count that list the base.
void drop_what_overlays_mend(std::string_view file, std::span<const std::string> overlays,
                             const catalog::Catalog& catalog, const ReadFile& read,
                             std::vector<diag::Diagnostic>& findings);

}  // namespace flexslice::lint
