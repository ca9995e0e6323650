// Explains a word by every table of the catalog and of the spec language. `flexslice explain WORD`
// prints it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"

namespace flexslice::explain {

// Explains a word by every table: `v6e`, `ct6e-standard-4t`, `4x4`, `flex-start`, `us-east5-b`,
// `tpu.machineType`, `CA`. Nothing when no table has it. A category, one of topic_categories, asks
// one table only.
std::optional<std::string> topic_text(const catalog::Catalog& catalog, std::string_view word,
                                      std::string_view category = {});
std::vector<std::string_view> topic_categories();
// Words that topic_text has an answer for, sorted: of all tables, or of one. Not all of them:
// fields are left out of the whole.
std::vector<std::string> topic_words(const catalog::Catalog& catalog,
                                     std::string_view category = {});

}  // namespace flexslice::explain
