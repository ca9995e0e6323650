// Judges what a kustomization does to names in objects that kustomize does not know.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "driver/kustomized_objects.hpp"
#include "driver/near.hpp"

namespace flexslice::lint {

// True where the file may be a kustomization, or an object that deploys one, and change something.
bool may_kustomize(std::string_view path, std::string_view text);

// Adds to the findings of lint, but for those that a comment of the file allows. Source 0 is the
// file. `read`: files that it lists, by their paths.
void judge_kustomization(Sources& sources, const catalog::Catalog& catalog, const ReadFile& read,
                         const ListFiles& list, std::vector<diag::Diagnostic>& findings);

// True where the file may have an object that deploys a kustomization.
bool may_deploy(std::string_view path, std::string_view text);

// Drops findings about a file of a base that the patches of every overlay take away. `overlays`:
// paths of kustomizations, of which those count that list the base, and of files with objects that
// deploy one.
void drop_what_overlays_mend(std::string_view file, std::span<const std::string> overlays,
                             const catalog::Catalog& catalog, const ReadFile& read,
                             std::vector<diag::Diagnostic>& findings);

}  // namespace flexslice::lint
