// From a node to a record, by its field table. spec/ calls it; nothing else reads a user's YAML.
#pragma once

#include "diag/diag.hpp"
#include "schema/table.hpp"
#include "yaml/node.hpp"

namespace flexslice::schema {

// Fills `record`, whose type belongs to `table`. Every independent mistake is reported (20xx); a
// value with a mistake is marked `bad`.
void decode(const yaml::Node& node, const Table& table, void* record, diag::Sink& sink);

template <class Record>
Record decode(const yaml::Node& node, diag::Sink& sink) {
  Record record;
  record.where = {node.span, true, node.kind != yaml::Kind::mapping};
  decode(node, TableOf<Record>::table, &record, sink);
  return record;
}

}  // namespace flexslice::schema
