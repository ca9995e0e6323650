// The tables that `flexslice explain TOPIC` asks, one function each. Private to explain/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "explain/layout.hpp"
#include "schema/json_schema.hpp"

namespace flexslice::explain {

struct Ask {
  const catalog::Catalog& catalog;
  std::string_view word;
};

// Each adds what its table says about the word, and tells whether there was something.
bool answer_generation(const Ask& ask, Sheet& sheet);
bool answer_machine(const Ask& ask, Sheet& sheet);
bool answer_topology(const Ask& ask, Sheet& sheet);
bool answer_model(const Ask& ask, Sheet& sheet);
bool answer_zone(const Ask& ask, Sheet& sheet);
bool answer_feature(const Ask& ask, Sheet& sheet);
bool answer_field(const Ask& ask, Sheet& sheet);
bool answer_port(const Ask& ask, Sheet& sheet);
bool answer_resource(const Ask& ask, Sheet& sheet);
bool answer_reserved(const Ask& ask, Sheet& sheet);
bool answer_source(const Ask& ask, Sheet& sheet);
// Names that do not exist here, and slice names that count cores.
bool answer_mistake(const Ask& ask, Sheet& sheet);

// What is known about having the generation with the model: `yes, since GKE 1.33.0`, `no`,
// `doubtful`, `not known`.
Entry support_entry(std::string_view label, const catalog::Model& model,
                    std::string_view generation);
// What is known about the zone: whether it has flex-start capacity, and which reservations in
// calendar mode.
Entry zone_entry(std::string_view label, const catalog::Zone& zone);
Entry minimum_entry(const catalog::Minimum& minimum);
// The fields of the spec language.
std::vector<schema::FieldDoc> field_docs(const catalog::Catalog& catalog);
// Upper and lower case count as the same.
bool same(std::string_view a, std::string_view b);

}  // namespace flexslice::explain
