// The catalog as lists: shapes that pass a filter, models, zones, sources; each as a table for
// people and as JSON for programs. `flexslice catalog` prints them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"

namespace flexslice::explain {

enum class Listed : std::uint8_t { shapes, models, zones, prices, sources };
constexpr auto words(Listed) { return word_list("shapes", "models", "zones", "prices", "sources"); }

// Everything that is empty, null or left as it is lets everything pass.
struct Filter {
  std::vector<const catalog::Generation*> generations;
  std::vector<std::string_view> machine_types;
  const catalog::Model* model = nullptr;
  std::string_view zone;
  std::string region;        // `europe-west4`, or `europe` for all that begin so
  bool by_price = false;     // lists the cheapest first
  std::int64_t min_hbm = 0;  // bytes of a slice
  std::int64_t seconds = 0;  // of a run, whose price is shown
  std::int64_t min_chips = 1, max_chips = INT64_MAX;  // of a slice
  std::int64_t min_hosts = 1, max_hosts = INT64_MAX;  // of a slice
};

struct ShapeRow {
  const catalog::Generation* generation = nullptr;
  const catalog::MachineType* machine = nullptr;
  catalog::Topology topology;
  std::int64_t hosts = 0;
  const catalog::Evidence* evidence = nullptr;  // that the shape exists
  // The least certain fact in play decides: shape, model, zone.
  catalog::Confidence confidence = catalog::Confidence::low;
  // The least price of a chip and hour that passes the filter, and where it is; null: none is
  // known.
  const catalog::Price* price = nullptr;
  std::string_view region, model;

  std::int64_t hbm() const;                  // bytes; 0: not known
  std::optional<std::int64_t> hour() const;  // millionths of a dollar
};

// By generation, then ascending by chips; or the cheapest first. Machine types that are not public
// only when the filter names them.
std::vector<ShapeRow> shapes(const catalog::Catalog& catalog, const Filter& filter);

// At most `limit` rows of each generation; 0: all. What was left out is counted, one count for each
// generation that lost some.
struct Cut {
  const catalog::Generation* generation;
  std::size_t left_out;
};
std::vector<Cut> shorten(std::vector<ShapeRow>& rows, std::size_t limit);

// Returns the largest shape of each generation with less memory than is requested: `v5e 4x8 with
// 512GB`.
std::vector<std::string> nearest_hbm(const catalog::Catalog& catalog, const Filter& filter);
// `512GB`, `1.5TB`, or `1528GB` where that is exact.
std::string hbm_text(std::int64_t bytes);

// The doubts that the rows of an answer have in common, such as flex-start capacity that is not
// known for the zone.
std::vector<std::string> doubts(const Filter& filter, const std::vector<ShapeRow>& rows);

// A table; as JSON with all evidence, in a document `{apiVersion, asOf, shapes | models | zones |
// prices | sources}`, whose keys stay. `list` is one of the last four.
std::string print_shapes(const catalog::Catalog& catalog, const Filter& filter,
                         const std::vector<ShapeRow>& rows, bool json);
std::string print_list(const catalog::Catalog& catalog, const Filter& filter, Listed list,
                       bool json);

// Says whether a generation is available with a model: `yes`, `no`, `doubtful`.
std::string_view support_word(const catalog::Support& support);

}  // namespace flexslice::explain
