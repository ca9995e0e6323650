#include "explain/catalog_list.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "explain/layout.hpp"
#include "resolve/facts.hpp"
#include "schema/pattern.hpp"
#include "yaml/emit.hpp"
#include "yaml/value.hpp"

namespace flexslice::explain {

using namespace catalog;
using yaml::Value;

namespace {

// One list: what programs get, and which of it people see.
struct Column {
  std::string heading;  // `>` aligns it to the right
  std::string_view key, inner = {};
};
struct Listing {
  std::string_view name;
  std::vector<Column> columns;
  std::vector<Value> rows;
};

// Adds members to a row; empty texts are left out.
struct Record {
  Value& value;

  Record& add(std::string_view key, std::string_view text) {
    if (!text.empty()) value[key] = Value::string(text);
    return *this;
  }
  Record& add(std::string_view key, std::int64_t number) {
    value[key] = Value::number(number);
    return *this;
  }
  template <Worded Enum>
  Record& add(std::string_view key, std::optional<Enum> known) {
    return add(key, known ? word(*known) : std::string_view());
  }
  template <class Texts>
  Record& add_list(std::string_view key, const Texts& texts) {
    Value& list = value[key] = Value::sequence();
    for (std::string_view text : texts) list.push(Value::string(text));
    return *this;
  }
};

void add_evidence(Value& row, const Evidence& evidence) {
  Record{row["evidence"]}
      .add("confidence", word(evidence.confidence))
      .add_list("sources", evidence.sources)
      .add("asOf", evidence.as_of)
      .add("note", evidence.note);
}

// The text of a cell: lists become words, an explicit null means that nobody knows.
std::string cell_text(const Value* value) {
  if (value == nullptr) return {};
  switch (value->kind) {
    case Value::Kind::null:
      return "not known";
    case Value::Kind::boolean:
      return value->text == "true" ? "yes" : "no";
    case Value::Kind::sequence:
      return text::join(texts(value->items, &Value::text), " ");
    default:
      return value->text;
  }
}

std::string print_listing(const Catalog& catalog, Listing list, bool json) {
  if (json) {
    Value document;
    Record{document}.add("apiVersion", "flexslice-catalog/v1").add("asOf", catalog.as_of);
    (document[list.name] = Value::sequence()).items = std::move(list.rows);
    return yaml::emit_json(document);
  }
  std::vector<std::vector<std::string>> cells;
  for (const auto& row : list.rows) {
    auto& line = cells.emplace_back();
    for (const auto& column : list.columns) {
      const Value* value = row.find(column.key);
      line.push_back(cell_text(column.inner.empty() ? value : value->find(column.inner)));
    }
  }
  return explain::aligned_table(texts(list.columns, &Column::heading), cells);
}

bool passes(const Filter& filter, const Generation& generation) {
  return filter.generations.empty() || contains(filter.generations, &generation);
}

bool passes(const Filter& filter, const MachineType& machine) {
  return filter.machine_types.empty() ? machine.status == catalog::Status::published
                                      : contains(filter.machine_types, machine.name);
}

bool passes(const Filter& filter, std::int64_t chips, std::int64_t hosts) {
  return chips >= filter.min_chips && chips <= filter.max_chips && hosts >= filter.min_hosts &&
         hosts <= filter.max_hosts;
}

bool is_supported(const Model& model, const Generation& generation) {
  const Support* support = find_support(model, generation.id);
  return support != nullptr && support->supported;
}

constexpr std::int64_t gigabyte = 1'000'000'000, seconds_per_hour = 3600;

bool passes_region(const Filter& filter, std::string_view region) {
  return filter.region.empty() || region == filter.region ||
         (region.starts_with(filter.region) && region[filter.region.size()] == '-');
}

// The zones of the generation that the filter's model may have.
std::vector<const Zone*> zones_of(const Generation& generation, const Filter& filter) {
  std::vector<const Zone*> zones;
  for (const Zone& zone : generation.zones) {
    const bool refused =
        filter.model != nullptr && filter.model->flex_start && zone.flex_start == false;
    const std::string_view region = zone.name.substr(0, zone.name.rfind('-'));
    if (!refused && (filter.zone.empty() || zone.name == filter.zone) &&
        passes_region(filter, region))
      zones.push_back(&zone);
  }
  return zones;
}

bool passes_place(const Filter& filter, const Generation& generation) {
  if (filter.model != nullptr && !is_supported(*filter.model, generation)) return false;
  return (filter.zone.empty() && filter.region.empty()) || !zones_of(generation, filter).empty();
}

Confidence confidence_of(const Filter& filter, const Generation& generation, const Evidence& shape,
                         std::int64_t chips) {
  Confidence least = shape.confidence;
  if (generation.doubtful_above > 0 && chips > generation.doubtful_above) least = Confidence::low;
  if (filter.model != nullptr)
    least = std::min(least, find_support(*filter.model, generation.id)->evidence.confidence);
  if (filter.zone.empty()) return least;
  const Zone& zone = *zones_of(generation, filter).front();
  if (filter.model != nullptr && filter.model->flex_start && !zone.flex_start)
    return Confidence::low;
  return std::min(least, zone.evidence.confidence);
}

// Every shape that the machine type forms, cubes up to the filter's bound included.
std::vector<Topology> topologies_of(const Generation& generation, const MachineType& machine,
                                    const Filter& filter) {
  std::vector<Topology> listed;
  for (const auto& shape : machine.shapes) listed.push_back(shape.topology);
  if (!machine.cubes) return listed;
  for (const auto& topology :
       topologies(generation, std::min(filter.max_chips, generation.max_chips))) {
    if (!contains(listed, topology) && find_shape(generation, machine, topology) != nullptr)
      listed.push_back(topology);
  }
  return listed;
}

// Zones that somebody names for the filter's model, not those where it merely may be available.
std::vector<std::string_view> known_zones(const Generation& generation, const Filter& filter) {
  return texts(zones_of(generation, filter), &Zone::name, [&](const Zone* zone) {
    return filter.model == nullptr || !filter.model->flex_start || zone->flex_start;
  });
}

std::vector<std::string_view> models_of(const Catalog& catalog, const Generation& generation,
                                        const Filter& place) {
  return texts(catalog.models, &Model::name, [&](const Model& model) {
    Filter filter;
    filter.model = &model;
    filter.zone = place.zone;
    filter.region = place.region;
    return passes_place(filter, generation);
  });
}

Listing models(const Catalog& catalog, const Filter& filter) {
  Listing list{"models",
               {{"TYPE", "type"},
                {"MODEL", "model"},
                {"SUPPORT", "support"},
                {"ACCESS", "access"},
                {"SINCE GKE", "since"},
                {"CONFIDENCE", "evidence", "confidence"},
                {"SOURCES", "evidence", "sources"}},
               {}};
  for (const auto& generation : catalog.generations) {
    if (!passes(filter, generation)) continue;
    for (const auto& model : catalog.models) {
      const Support* support = find_support(model, generation.id);
      if (support == nullptr || (filter.model != nullptr && filter.model != &model)) continue;
      const bool asks_place = !filter.zone.empty() || !filter.region.empty();
      if (asks_place && !contains(models_of(catalog, generation, filter), model.name)) continue;
      Value& row = list.rows.emplace_back();
      Record{row}
          .add("type", generation.id)
          .add("model", model.name)
          .add("support", support_word(*support))
          .add("access", support->access)
          .add("since", support->since)
          .add_list("modes", texts(model.modes, word<ClusterMode>))
          .add("quota", word(model.quota));
      add_evidence(row, support->evidence);
    }
  }
  return list;
}

Listing zones(const Catalog& catalog, const Filter& filter) {
  Listing list{"zones",
               {{"ZONE", "zone"},
                {"TYPE", "type"},
                {"FLEX-START", "flexStart"},
                {"CALENDAR MODE", "calendarMode"},
                {"CONFIDENCE", "evidence", "confidence"},
                {"SOURCES", "evidence", "sources"}},
               {}};
  for (const auto& generation : catalog.generations) {
    if (!passes(filter, generation) || !passes_place(filter, generation)) continue;
    for (const Zone* zone : zones_of(generation, filter)) {
      Value& row = list.rows.emplace_back();
      Record{row}.add("zone", zone->name).add("type", generation.id);
      row["flexStart"] = zone->flex_start ? Value::boolean(*zone->flex_start) : Value{};
      Record{row}.add("calendarMode", zone->calendar_mode);
      add_evidence(row, zone->evidence);
    }
  }
  return list;
}

Listing prices(const Catalog& catalog, const Filter& filter) {
  Listing list{"prices",
               {{"TYPE", "type"},
                {"REGION", "region"},
                {"MODEL", "model"},
                {">USD/CHIP-HOUR", "usd"},
                {"AS OF", "evidence", "asOf"},
                {"CONFIDENCE", "evidence", "confidence"},
                {"SOURCES", "evidence", "sources"}},
               {}};
  const auto add = [&](const Price& price, std::string_view region, std::string_view model) {
    const Generation* generation = find_generation(catalog, price.generation);
    if (generation == nullptr ? !filter.generations.empty() : !passes(filter, *generation)) return;
    if (filter.model != nullptr && filter.model->name != model) return;
    if (!filter.zone.empty() && !filter.zone.starts_with(std::string(region) + '-')) return;
    if (!passes_region(filter, region)) return;
    // An earlier row of the same price counts.
    if (find_price(catalog, price.generation, region, model) != &price) return;
    Value& row = list.rows.emplace_back();
    Record{row}
        .add("type", price.generation)
        .add("region", region)
        .add("model", model)
        .add("usd", price.usd);
    add_evidence(row, price.evidence);
  };
  for (const Price& price : catalog.prices) {
    for (std::string_view region : price.regions)
      for (std::string_view model : price.models) add(price, region, model);
  }
  if (filter.by_price)
    std::ranges::stable_sort(list.rows, {}, [](const Value& row) {
      return parse_dollars(row.text_at({"usd"})).value_or(0);
    });
  return list;
}

// Counts from year 0. A year alone is its first month, so that an age is the longest possible.
std::optional<std::int64_t> months(std::string_view date) {
  const auto year = text::whole_number(date.substr(0, 4));
  const auto month = text::whole_number(date.size() < 7 ? "1" : date.substr(5, 2));
  if (!year || !month) return std::nullopt;
  return *year * 12 + *month;
}

Listing sources(const Catalog& catalog) {
  Listing list{"sources",
               {{"SOURCE", "id"},
                {"DATE", "date"},
                {">MONTHS OLD", "monthsOld"},
                {"CHECKED", "checked"},
                {"TITLE", "title"},
                {"ADDRESS", "url"}},
               {}};
  const auto today = months(catalog.as_of);
  for (const auto& source : catalog.sources) {
    Record row{list.rows.emplace_back()};
    row.add("id", source.id).add("date", source.date);
    if (const auto date = months(source.date); date && today) row.add("monthsOld", *today - *date);
    row.add("checked", source.checked).add("title", source.title).add("url", source.url);
  }
  return list;
}

// `43.20`.
std::string amount_text(std::int64_t millionths) { return dollars_text(millionths).substr(1); }

std::int64_t run_price(std::int64_t per_hour, const Filter& filter) {
  return per_hour > INT64_MAX / filter.seconds ? per_hour / seconds_per_hour * filter.seconds
                                               : per_hour * filter.seconds / seconds_per_hour;
}

// A zone of the region is known to have the generation, and flex-start where that is asked for.
bool has_zone_in(const Generation& generation, std::string_view region, const Filter& filter) {
  const bool starts_flexibly = filter.model != nullptr && filter.model->flex_start;
  return any_of(generation.zones, [&](const Zone& zone) {
    return resolve::region_of(zone.name) == region && (!starts_flexibly || zone.flex_start == true);
  });
}

// Sets the least price of the row that passes the filter. Commitments are no models.
// `where_known`: only of regions with a zone that is known to have the generation.
void look_up_price(const Catalog& catalog, const Filter& filter, bool where_known, ShapeRow& row) {
  std::int64_t least = INT64_MAX;
  for (const Price& price : catalog.prices) {
    if (price.generation != row.generation->id) continue;
    const std::int64_t usd = parse_dollars(price.usd).value_or(INT64_MAX);
    for (std::string_view model : price.models) {
      const Model* known = find_model(catalog, model);
      if (known == nullptr || (filter.model != nullptr && filter.model != known)) continue;
      for (std::string_view region : price.regions) {
        if (!filter.zone.empty() && !filter.zone.starts_with(std::string(region) + '-')) continue;
        // An earlier row of the same price counts.
        if (!passes_region(filter, region) || usd >= least ||
            (where_known && !has_zone_in(*row.generation, region, filter)) ||
            find_price(catalog, price.generation, region, model) != &price)
          continue;
        least = usd;
        row.price = &price;
        row.region = region;
        row.model = model;
      }
    }
  }
}

}  // namespace

std::int64_t ShapeRow::hbm() const { return topology.chips() * generation->hbm_gb * gigabyte; }

std::optional<std::int64_t> ShapeRow::hour() const {
  if (price == nullptr) return std::nullopt;
  return topology.chips() * parse_dollars(price->usd).value_or(0);
}

std::string hbm_text(std::int64_t bytes) {
  return bytes == 0 ? "" : fmt::format("{}GB", bytes / gigabyte);
}

std::vector<std::string> nearest_hbm(const Catalog& catalog, const Filter& filter) {
  Filter others = filter;
  others.min_hbm = 0;
  others.by_price = false;
  std::vector<std::string> nearest;
  const Generation* last = nullptr;
  for (const ShapeRow& row : shapes(catalog, others)) {
    if (row.hbm() == 0 || row.hbm() >= filter.min_hbm) continue;
    std::string text =
        fmt::format("{} {} with {}", row.generation->id, row.topology.text(), hbm_text(row.hbm()));
    if (row.generation != last) nearest.emplace_back();
    last = row.generation;
    nearest.back() = std::move(text);
  }
  return nearest;
}

std::vector<ShapeRow> shapes(const Catalog& catalog, const Filter& filter) {
  std::vector<ShapeRow> rows;
  for (const auto& generation : catalog.generations) {
    if (!passes(filter, generation) || !passes_place(filter, generation)) continue;
    const auto first = static_cast<std::ptrdiff_t>(rows.size());
    for (const auto& machine : generation.machine_types) {
      if (!passes(filter, machine)) continue;
      for (const auto& topology : topologies_of(generation, machine, filter)) {
        const auto hosts = topology.chips() / machine.chips;
        if (!passes(filter, topology.chips(), hosts)) continue;
        if (topology.chips() * generation.hbm_gb * gigabyte < filter.min_hbm) continue;
        const Evidence& evidence = *find_shape(generation, machine, topology);
        rows.push_back({&generation,
                        &machine,
                        topology,
                        hosts,
                        &evidence,
                        confidence_of(filter, generation, evidence, topology.chips()),
                        nullptr,
                        {},
                        {}});
        if (filter.by_price || filter.seconds > 0) {
          look_up_price(catalog, filter, true, rows.back());
          if (rows.back().price == nullptr) look_up_price(catalog, filter, false, rows.back());
        }
      }
    }
    std::stable_sort(rows.begin() + first, rows.end(), [](const ShapeRow& a, const ShapeRow& b) {
      return smaller(a.topology, b.topology);
    });
  }
  if (filter.by_price)
    std::ranges::stable_sort(rows, {},
                             [](const ShapeRow& row) { return row.hour().value_or(INT64_MAX); });
  return rows;
}

std::vector<Cut> shorten(std::vector<ShapeRow>& rows, std::size_t limit) {
  std::vector<Cut> cut;
  if (limit == 0) return cut;
  std::map<const Generation*, std::size_t> kept;
  std::erase_if(rows, [&](const ShapeRow& row) {
    if (++kept[row.generation] <= limit) return false;
    const auto same = std::ranges::find(cut, row.generation, &Cut::generation);
    if (same == cut.end())
      cut.push_back({row.generation, 1});
    else
      ++same->left_out;
    return true;
  });
  return cut;
}

std::vector<std::string> doubts(const Filter& filter, const std::vector<ShapeRow>& rows) {
  std::vector<std::string> doubts;
  if (filter.model == nullptr) return doubts;
  const std::string_view title = filter.model->title;
  std::vector<const Generation*> said;
  for (const auto& row : rows) {
    if (contains(said, row.generation)) continue;
    const Generation* last = row.generation;
    said.push_back(last);
    const Zone* zone = find_zone(*last, filter.zone);
    if (zone != nullptr && filter.model->flex_start && !zone->flex_start)
      doubts.push_back(fmt::format("it is unknown whether {} has {} capacity of {}", filter.zone,
                                   title, last->id));
    const Support& support = *find_support(*filter.model, last->id);
    if (support.access == Access::allowlist)
      doubts.push_back(
          fmt::format("{} with {} is offered only to projects on an allowlist", last->id, title));
    if (support.evidence.confidence == Confidence::low)
      doubts.push_back(fmt::format("{} may not be available with {}: {}", last->id, title,
                                   support.evidence.note));
  }
  return doubts;
}

// The last column says what the filter left open: where the model is available, or which models are
// there.
std::string print_shapes(const Catalog& catalog, const Filter& filter,
                         const std::vector<ShapeRow>& rows, bool json) {
  Listing list{"shapes",
               {{"TYPE", "type"},
                {"MACHINE TYPE", "machineType"},
                {"TOPOLOGY", "topology"},
                {">CHIPS", "chips"},
                {">HOSTS", "hosts"},
                {">CHIPS/HOST", "chipsPerHost"},
                {">HBM", "hbm"},
                {"CONFIDENCE", "confidence"}},
               {}};
  const bool has_prices = filter.by_price || filter.seconds > 0;
  const std::string run_heading =
      filter.seconds > 0 ? ">USD/" + schema::duration_text(filter.seconds) : "";
  if (has_prices) list.columns.push_back({">USD/HOUR", "usdPerHour"});
  if (filter.seconds > 0) list.columns.push_back({run_heading, "usdPerRun"});
  if (has_prices && filter.model == nullptr) list.columns.push_back({"WITH", "priceModel"});
  if (has_prices) list.columns.push_back({"IN", "priceRegion"});
  const bool has_place = !filter.zone.empty() || !filter.region.empty();
  if (filter.model != nullptr && filter.zone.empty())
    list.columns.push_back({"KNOWN ZONES", "zones"});
  if (filter.model == nullptr && has_place) list.columns.push_back({"MODELS", "models"});
  // Programs get everything that is known about the generation.
  const Filter of_place = json ? Filter{} : filter;
  for (const ShapeRow& shape : rows) {
    const auto& [generation, machine, topology, hosts, evidence, confidence, price, region, model] =
        shape;
    Value& row = list.rows.emplace_back();
    Record{row}
        .add("type", generation->id)
        .add("machineType", machine->name)
        .add("status", word(machine->status))
        .add("accelerator", machine->accelerator)
        .add("topology", topology.text())
        .add("chips", topology.chips())
        .add("hosts", hosts)
        .add("chipsPerHost", machine->chips)
        .add("hbm", hbm_text(shape.hbm()))
        .add("devices", topology.chips() * generation->devices_per_chip)
        .add_list("models", models_of(catalog, *generation, of_place))
        .add_list("zones", known_zones(*generation, of_place))
        .add("confidence", word(confidence));
    if (const auto per_hour = shape.hour()) {
      Record{row}.add("usdPerHour", amount_text(*per_hour));
      if (filter.seconds > 0)
        Record{row}.add("usdPerRun", amount_text(run_price(*per_hour, filter)));
      Record{row}.add("priceModel", model).add("priceRegion", region);
      add_evidence(row["price"], price->evidence);
    } else if (has_prices && !json) {
      Record{row}.add("usdPerHour", "not known");
    }
    if (row["zones"].is_empty() && !json) row["zones"] = Value::string("none known");
    add_evidence(row, *evidence);
  }
  return print_listing(catalog, std::move(list), json);
}

std::string print_list(const Catalog& catalog, const Filter& filter, Listed list, bool json) {
  return print_listing(catalog,
                       list == Listed::models   ? models(catalog, filter)
                       : list == Listed::zones  ? zones(catalog, filter)
                       : list == Listed::prices ? prices(catalog, filter)
                                                : sources(catalog),
                       json);
}

std::string_view support_word(const Support& support) {
  return !support.supported                               ? "no"
         : support.evidence.confidence == Confidence::low ? "doubtful"
                                                          : "yes";
}

}  // namespace flexslice::explain
