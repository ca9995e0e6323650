// From a node to a record, by its field table: how a user's spec is read.
#pragma once

#include "base/completeness.hpp"
#include "diag/diag.hpp"
#include "schema/table.hpp"
#include "yaml/node.hpp"

namespace flexslice::schema {

// Fills `record`, whose type belongs to `table`. Every independent mistake is reported (20xx); a
// value with a mistake is marked `bad`.
// `at`: the field of the spec that holds the record; empty: the record is the spec.
void decode(const yaml::Node& node, const Table& table, void* record, diag::Sink& sink,
            std::string_view at = {});

// Judges a layer of a document, in which anything may be missing, and what another layer fills in.
void judge_layer(const yaml::Node& layer, const Table& table, diag::Sink& sink);

struct PatchField {
  std::size_t index;      // in `patches` of the spec
  std::string_view name;  // `merge` or `strategicMerge`
};
// Judges a patch of a spec on what the raw `table` describes. Something may be missing, since the
// rest is merged into an object that is whole, but not in the items of lists that it replaces.
void judge_patch(const yaml::Node& patch, const Table& table, const PatchField& field,
                 diag::Sink& sink);

struct Manifest {
  std::string_view api_version;  // of the object
  Completeness completeness = {};
  // Fields that the tables lack: `JobSet spec.replicatedJobs.newField`, with all below them.
  std::span<const std::string_view> added = {};
};
// Judges an object of a manifest likewise, as far as it is written: what is missing outside its
// lists may be added elsewhere.
void judge_manifest(const yaml::Node& object, const Table& table, const Manifest& manifest,
                    diag::Sink& sink);

template <class Record>
Record decode(const yaml::Node& node, diag::Sink& sink, std::string_view at = {}) {
  Record record;
  record.where = {node.span, true, node.kind != yaml::Kind::mapping};
  decode(node, TableOf<Record>::table, &record, sink, at);
  return record;
}

}  // namespace flexslice::schema
