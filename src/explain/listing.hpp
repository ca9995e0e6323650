// The catalog as lists: shapes that pass a filter, models, zones, sources; each as a table for
// people and as a value for programs. `flexslice catalog` prints them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "yaml/value.hpp"

namespace flexslice::explain {

// Everything that is empty, null or left as it is lets everything pass.
struct Filter {
  std::vector<const catalog::Generation*> generations;
  std::vector<std::string_view> machine_types;
  const catalog::Model* model = nullptr;
  std::string_view zone;
  std::int64_t min_chips = 1, max_chips = INT64_MAX;  // of a slice
  std::int64_t min_hosts = 1, max_hosts = INT64_MAX;  // of a slice
};

struct ShapeRow {
  const catalog::Generation* generation = nullptr;
  const catalog::MachineType* machine = nullptr;
  catalog::Topology topology;
  std::int64_t hosts = 0;
  const catalog::Evidence* evidence = nullptr;  // that the shape exists
  catalog::Confidence confidence =
      catalog::Confidence::low;  // of the least certain fact in play: shape, model, zone
};

// By generation, then ascending by chips. Machine types that are not public only when the filter
// names them.
std::vector<ShapeRow> shapes(const catalog::Catalog& catalog, const Filter& filter);

// At most `limit` rows of each generation; 0: all. What was left out is counted in `cut`, one for
// each generation that lost some.
struct Cut {
  const catalog::Generation* generation;
  std::size_t left_out;
};
std::vector<Cut> shorten(std::vector<ShapeRow>& rows, std::size_t limit);

std::string shapes_table(const catalog::Catalog& catalog, const Filter& filter,
                         const std::vector<ShapeRow>& rows);
std::string models_table(const catalog::Catalog& catalog, const Filter& filter);
std::string zones_table(const catalog::Catalog& catalog, const Filter& filter);
std::string sources_table(const catalog::Catalog& catalog);

// The same with all evidence, below keys that stay: `{apiVersion, asOf, shapes | models | zones |
// sources}`.
yaml::Value shapes_json(const catalog::Catalog& catalog, const std::vector<ShapeRow>& rows);
yaml::Value models_json(const catalog::Catalog& catalog, const Filter& filter);
yaml::Value zones_json(const catalog::Catalog& catalog, const Filter& filter);
yaml::Value sources_json(const catalog::Catalog& catalog);

// The doubts that the rows of an answer have in common: flex-start capacity that nobody has named
// for the zone.
std::vector<std::string> doubts(const Filter& filter, const std::vector<ShapeRow>& rows);

}  // namespace flexslice::explain
