// Objects as a kustomization patches them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "driver/near.hpp"
#include "yaml/node.hpp"
#include "yaml/parse.hpp"
#include "yaml/value.hpp"

namespace flexslice::lint {

// Reads a document as kubectl does, where the last of two keys counts. Nothing where it is not
// YAML, which lint says of the file itself. Places are in the document.
std::optional<yaml::Node> read_quietly(const yaml::Document& document);

// Findings about objects that only the patches of the kustomization make wrong, at the patch.
// `path_of`: of a file that the kustomization names.
std::vector<diag::Diagnostic> judge_patched(
    const yaml::Node& kustomization, std::span<const yaml::Node* const> objects,
    const catalog::Catalog& catalog, const ReadFile& read,
    const std::function<std::string(std::string_view)>& path_of);

// These objects after all patches of the kustomization; nothing where its patches are not
// understood.
std::vector<std::optional<yaml::Value>> patched_objects(
    const yaml::Node& kustomization, std::span<const yaml::Node* const> objects,
    const ReadFile& read, const std::function<std::string(std::string_view)>& path_of);

// Findings that an object has only after it was changed, and that the `known` texts do not have
// alone. Their places are the caller's.
std::vector<diag::Diagnostic> added_findings(const yaml::Value& before, const yaml::Value& after,
                                             std::span<const yaml::Value> known,
                                             const catalog::Catalog& catalog, std::string_view by);

// Judges these objects after all patches of the kustomization. An object whose patches are not
// understood has no findings.
std::vector<diag::Diagnostic> findings_after_patches(
    const yaml::Node& kustomization, std::span<const yaml::Node* const> objects,
    const catalog::Catalog& catalog, const ReadFile& read,
    const std::function<std::string(std::string_view)>& path_of);

}  // namespace flexslice::lint
