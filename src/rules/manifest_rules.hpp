// The rules for an object as its manifest says it: its frame, its kind and version, its fields,
// labels and annotations.
#pragma once

#include <string_view>
#include <vector>

#include "rules/release_rules.hpp"
#include "rules/rules.hpp"
#include "schema/table.hpp"
#include "view/view.hpp"

namespace flexslice::rules {

// Returns whether nothing that Kubernetes requires is missing, as in a part that kustomize merges
// into the whole.
bool has_required(const yaml::Node& node, const schema::Type& type);
// Reports what is wrong with the keys that make the document an object.
void judge_frames(const view::Found& found, Sink& sink);
bool has_misspelt_version(const yaml::Node& object);

// Values of labels, and keys, that kubectl reads as something else than a string.
void judge_strings(const view::Found& found, const Catalog& catalog, Sink& sink);
void judge_document_keys(const view::Found& found, Sink& sink);
// `needs`: versions and fields that depend on the release of a controller.
void judge_versions(const view::Found& found, const Catalog& catalog,
                    std::vector<ReleaseNeed>& needs, Sink& sink);
void judge_object_fields(const view::Found& found, const Catalog& catalog,
                         std::vector<Diagnostic>& twice, Sink& sink);
void judge_combinations(const view::Found& found, Span patches, Sink& sink);
void judge_objects(const view::Found& found, const Catalog& catalog, bool is_made, Sink& sink);

}  // namespace flexslice::rules
