// Objects as a kustomization patches them.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "driver/near.hpp"
#include "yaml/node.hpp"

namespace flexslice::lint {

// Findings about objects that only the patches of the kustomization make wrong, at the patch.
// `path_of`: of a file that the kustomization names.
std::vector<diag::Diagnostic> judge_patched(
    const yaml::Node& kustomization, std::span<const yaml::Node* const> objects,
    const catalog::Catalog& catalog, const ReadFile& read,
    const std::function<std::string(std::string_view)>& path_of);

// Judges these objects after all patches of the kustomization. An object whose patches are not
// understood has no findings.
std::vector<diag::Diagnostic> findings_after_patches(
    const yaml::Node& kustomization, std::span<const yaml::Node* const> objects,
    const catalog::Catalog& catalog, const ReadFile& read,
    const std::function<std::string(std::string_view)>& path_of);

}  // namespace flexslice::lint
