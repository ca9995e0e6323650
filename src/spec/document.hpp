// A document is prepared before it is decoded. First, it must be a spec at all. Then layers are
// applied: `--defaults FILE` underneath each spec, `--set path=value` on top. This is done on
// nodes, before decode, so that every value keeps the place where it was written.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "diag/diag.hpp"
#include "spec/claims.hpp"
#include "yaml/node.hpp"

namespace flexslice::spec {

// Looks for a line like `apiVersion: flexslice/…`.
bool has_spec_line(std::string_view text);

// Returns false, with one error in the sink, for an object of Kubernetes: the fields that it lacks
// to be a spec would only be noise.
bool is_spec(const yaml::Node& document, diag::Sink& sink);

// Mappings merge, and `[2]` in `over` merges into that item of a list, or is the item after the
// last; `null` takes away what `base` has, and anything else takes its place. A field that is
// missing in the result is reported in `over`, or in `base` if `missing_in_base` is set.
yaml::Node overlay(yaml::Node base, yaml::Node over, bool missing_in_base = false);

// `patches` are applied of all files: those of `base` are put before those of `over`.
void add_patches_below(const yaml::Node& base, yaml::Node& over);
// Notes each list of `base` that one of `over` takes the place of.
void note_replaced(const yaml::Node& base, const yaml::Node& over, diag::Sink& sink);

// `value` at the end of a path as messages print it: `a.b`, `a[0].b`, `a[key.with/dots]`. The keys
// are where the path is written.
yaml::Node at_path(std::string_view path, Span where, yaml::Node value);

// `path=value` of one `--set`, the whole text of sources[index], as a tree with that one value. The
// value is read as YAML. Nothing when the text has no such form; the sink then has an error.
std::optional<yaml::Node> set_value(const Sources& sources, std::uint32_t index, diag::Sink& sink);

// Makes of each `shm` the volume that it is short for.
void fill_shared_memory(Claims& claims);

}  // namespace flexslice::spec
