// Kubernetes objects as claims: every pod template, whatever kind of object holds it, and what of
// Kueue concerns TPUs.
#pragma once

#include <span>
#include <vector>

#include "view/view.hpp"
#include "yaml/node.hpp"

namespace flexslice::view {

// Returns whether the node says what kind of object it is, and in which version.
bool is_object(const yaml::Node& node);

// `list` may be null.
std::vector<TaintClaims> taint_claims(const yaml::Node* list);
bool tolerates(std::span<const TaintClaims> tolerations, const TaintClaims& taint);

// Adds what the document has. It may be a fragment of an object, or a list of objects. The catalog
// has the labels that say how nodes are provisioned.
void read_document(const yaml::Node& document, const catalog::Catalog& catalog, Found& found);

}  // namespace flexslice::view
