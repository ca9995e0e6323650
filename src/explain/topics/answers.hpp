// The tables that `flexslice explain WORD` asks, one function each. Private to explain/topics.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "catalog/catalog.hpp"
#include "layout/layout.hpp"
#include "schema/json_schema.hpp"

namespace flexslice::explain {

using layout::Sheet;

struct Ask {
  const catalog::Catalog& catalog;
  std::string_view word;

  // Upper and lower case count as the same.
  bool is(std::string_view name) const { return text::lower(name) == text::lower(word); }
};

// Each adds what its table says about the word, if it says something.
void answer_generation(const Ask& ask, Sheet& sheet);
void answer_machine(const Ask& ask, Sheet& sheet);
void answer_topology(const Ask& ask, Sheet& sheet);
void answer_model(const Ask& ask, Sheet& sheet);
void answer_zone(const Ask& ask, Sheet& sheet);
void answer_feature(const Ask& ask, Sheet& sheet);
void answer_field(const Ask& ask, Sheet& sheet);
void answer_port(const Ask& ask, Sheet& sheet);
void answer_resource(const Ask& ask, Sheet& sheet);
void answer_reserved(const Ask& ask, Sheet& sheet);
void answer_source(const Ask& ask, Sheet& sheet);
// Names that do not exist here, and slice names that count cores.
void answer_mistake(const Ask& ask, Sheet& sheet);

// The note, if there is one, and on a line of its own who says so: `[CA, XPK (high, 2026-08)]`.
std::string source_line(const catalog::Evidence& evidence);
// What is known about having the generation with the model: `yes, since GKE 1.33.0`, `no`,
// `doubtful`, `not known`.
void add_support(std::string_view label, const catalog::Model& model, std::string_view generation,
                 Sheet& sheet);
// What is known about the zone: whether it has flex-start capacity, and which reservations in
// calendar mode.
void add_zone(std::string_view label, std::string_view value, const catalog::Zone& zone,
              Sheet& sheet);
void add_minimums(const std::vector<catalog::Minimum>& minimums, Sheet& sheet);
// The fields of the spec language.
std::vector<schema::FieldDoc> field_docs(const catalog::Catalog& catalog);

}  // namespace flexslice::explain
