#include "explain/listing.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "explain/layout.hpp"

namespace flexslice::explain {

using catalog::Catalog;
using catalog::Confidence;
using catalog::Generation;
using catalog::MachineType;
using catalog::Model;
using catalog::Topology;
using yaml::Value;

namespace {

std::string_view word(Confidence confidence) {
  return confidence == Confidence::high     ? "high"
         : confidence == Confidence::medium ? "medium"
                                            : "low";
}

bool passes(const Filter& filter, const Generation& generation) {
  const auto& wanted = filter.generations;
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), &generation) != wanted.end();
}

bool passes(const Filter& filter, const MachineType& machine) {
  const auto& wanted = filter.machine_types;
  if (wanted.empty()) return machine.status == "public";
  return std::find(wanted.begin(), wanted.end(), machine.name) != wanted.end();
}

bool passes(const Filter& filter, std::int64_t chips, std::int64_t hosts) {
  return chips >= filter.min_chips && chips <= filter.max_chips && hosts >= filter.min_hosts &&
         hosts <= filter.max_hosts;
}

bool supported(const Model& model, const Generation& generation) {
  const catalog::Support* support = catalog::find_support(model, generation.id);
  return support != nullptr && support->supported;
}

// Whether the model's nodes may be had in the zone, as far as anybody knows.
bool possible(const Model& model, const catalog::Zone& zone) {
  return !model.flex_start || zone.flex_start != false;
}

// The zones of the generation that the filter's model may have.
std::vector<const catalog::Zone*> zones_of(const Generation& generation, const Filter& filter) {
  std::vector<const catalog::Zone*> zones;
  for (const catalog::Zone& zone : generation.zones) {
    if (!filter.zone.empty() && zone.name != filter.zone) continue;
    if (filter.model == nullptr || possible(*filter.model, zone)) zones.push_back(&zone);
  }
  return zones;
}

bool passes_place(const Filter& filter, const Generation& generation) {
  if (filter.model != nullptr && !supported(*filter.model, generation)) return false;
  return filter.zone.empty() || !zones_of(generation, filter).empty();
}

Confidence confidence_of(const Filter& filter, const Generation& generation,
                         const catalog::Evidence& shape, std::int64_t chips) {
  Confidence least = shape.confidence;
  if (generation.doubtful_above > 0 && chips > generation.doubtful_above)
    least = std::min(least, Confidence::low);
  if (filter.model != nullptr)
    least =
        std::min(least, catalog::find_support(*filter.model, generation.id)->evidence.confidence);
  if (filter.zone.empty()) return least;
  const catalog::Zone& zone = *zones_of(generation, filter).front();
  if (filter.model != nullptr && filter.model->flex_start && !zone.flex_start)
    return Confidence::low;
  return std::min(least, zone.evidence.confidence);
}

// Every shape that the machine type forms, cubes up to the filter's bound included.
std::vector<Topology> topologies_of(const Generation& generation, const MachineType& machine,
                                    const Filter& filter) {
  std::vector<Topology> listed;
  for (const catalog::Shape& shape : machine.shapes) listed.push_back(shape.topology);
  if (!machine.cubes) return listed;
  for (const Topology& topology :
       catalog::topologies(generation, std::min(filter.max_chips, generation.max_chips))) {
    const bool known = std::find(listed.begin(), listed.end(), topology) != listed.end();
    if (!known && catalog::find_shape(generation, machine, topology) != nullptr)
      listed.push_back(topology);
  }
  return listed;
}

std::string join_names(const std::vector<std::string>& names) { return text::join(names, " "); }

// Zones that somebody names for the model, not those where it merely may be had.
std::string zones_words(const Generation& generation, const Filter& filter) {
  std::vector<std::string> names;
  for (const catalog::Zone* zone : zones_of(generation, filter)) {
    if (!filter.model->flex_start || zone->flex_start) names.emplace_back(zone->name);
  }
  return names.empty() ? "none known" : join_names(names);
}

std::vector<std::string> models_of(const Catalog& catalog, const Generation& generation,
                                   const Filter& filter) {
  std::vector<std::string> names;
  for (const Model& model : catalog.models) {
    if (!supported(model, generation)) continue;
    const Filter alone{{}, {}, &model, filter.zone};
    if (!filter.zone.empty() && zones_of(generation, alone).empty()) continue;
    names.emplace_back(model.name);
  }
  return names;
}

Value evidence_json(const catalog::Evidence& evidence) {
  Value made = Value::mapping();
  made["confidence"] = Value::string(word(evidence.confidence));
  Value& sources = made["sources"] = Value::sequence();
  for (std::string_view id : evidence.sources) sources.push(Value::string(id));
  if (!evidence.as_of.empty()) made["asOf"] = Value::string(evidence.as_of);
  if (!evidence.note.empty()) made["note"] = Value::string(evidence.note);
  return made;
}

Value document(const Catalog& catalog, std::string_view list) {
  Value made = Value::mapping();
  made["apiVersion"] = Value::string("flexslice-catalog/v1");
  made["asOf"] = Value::string(catalog.as_of);
  made[list] = Value::sequence();
  return made;
}

std::string sources_words(const catalog::Evidence& evidence) {
  const std::vector<std::string_view> ids = evidence.sources.list();
  return text::join(ids, " ");
}

std::string_view support_word(const catalog::Support& support) {
  return !support.supported                               ? "no"
         : support.evidence.confidence == Confidence::low ? "doubtful"
                                                          : "yes";
}

// Calls `each` for every model and generation that the filter lets pass.
template <class Each>
void for_supports(const Catalog& catalog, const Filter& filter, Each each) {
  for (const Generation& generation : catalog.generations) {
    if (!passes(filter, generation)) continue;
    for (const Model& model : catalog.models) {
      if (filter.model != nullptr && filter.model != &model) continue;
      if (const catalog::Support* support = catalog::find_support(model, generation.id))
        each(generation, model, *support);
    }
  }
}

template <class Each>
void for_zones(const Catalog& catalog, const Filter& filter, Each each) {
  for (const Generation& generation : catalog.generations) {
    if (!passes(filter, generation) ||
        (filter.model != nullptr && !supported(*filter.model, generation)))
      continue;
    for (const catalog::Zone* zone : zones_of(generation, filter)) each(generation, *zone);
  }
}

}  // namespace

std::vector<ShapeRow> shapes(const Catalog& catalog, const Filter& filter) {
  std::vector<ShapeRow> rows;
  for (const Generation& generation : catalog.generations) {
    if (!passes(filter, generation) || !passes_place(filter, generation)) continue;
    const std::size_t first = rows.size();
    for (const MachineType& machine : generation.machine_types) {
      if (!passes(filter, machine)) continue;
      for (const Topology& topology : topologies_of(generation, machine, filter)) {
        const std::int64_t hosts = topology.chips() / machine.chips;
        if (!passes(filter, topology.chips(), hosts)) continue;
        const catalog::Evidence& evidence = *catalog::find_shape(generation, machine, topology);
        rows.push_back({&generation, &machine, topology, hosts, &evidence,
                        confidence_of(filter, generation, evidence, topology.chips())});
      }
    }
    std::stable_sort(
        rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(),
        [](const ShapeRow& a, const ShapeRow& b) { return smaller(a.topology, b.topology); });
  }
  return rows;
}

std::vector<Cut> shorten(std::vector<ShapeRow>& rows, std::size_t limit) {
  std::vector<Cut> cut;
  if (limit == 0) return cut;
  std::size_t kept = 0;
  const Generation* generation = nullptr;
  std::erase_if(rows, [&](const ShapeRow& row) {
    if (row.generation != generation) kept = 0;
    generation = row.generation;
    if (++kept <= limit) return false;
    if (cut.empty() || cut.back().generation != generation) cut.push_back({generation, 0});
    ++cut.back().left_out;
    return true;
  });
  return cut;
}

// The last column says what the filter left open: where the model can be had, or how it can be had
// there.
std::string shapes_table(const Catalog& catalog, const Filter& filter,
                         const std::vector<ShapeRow>& rows) {
  const bool zones = filter.model != nullptr && filter.zone.empty();
  const bool models = filter.model == nullptr && !filter.zone.empty();
  std::vector<std::string> headings{"TYPE",   "MACHINE TYPE", "TOPOLOGY",  ">CHIPS",
                                    ">HOSTS", ">CHIPS/HOST",  "CONFIDENCE"};
  if (zones) headings.emplace_back("KNOWN ZONES");
  if (models) headings.emplace_back("MODELS");
  std::vector<std::vector<std::string>> cells;
  for (const ShapeRow& row : rows) {
    cells.push_back({std::string(row.generation->id), std::string(row.machine->name),
                     row.topology.text(), std::to_string(row.topology.chips()),
                     std::to_string(row.hosts), std::to_string(row.machine->chips),
                     std::string(word(row.confidence))});
    if (zones) cells.back().push_back(zones_words(*row.generation, filter));
    if (models) cells.back().push_back(join_names(models_of(catalog, *row.generation, filter)));
  }
  return table(headings, cells);
}

std::string models_table(const Catalog& catalog, const Filter& filter) {
  std::vector<std::vector<std::string>> cells;
  for_supports(
      catalog, filter,
      [&](const Generation& generation, const Model& model, const catalog::Support& support) {
        cells.push_back({std::string(generation.id), std::string(model.name),
                         std::string(support_word(support)), std::string(support.access),
                         std::string(support.since), std::string(word(support.evidence.confidence)),
                         sources_words(support.evidence)});
      });
  return table({"TYPE", "MODEL", "SUPPORT", "ACCESS", "SINCE GKE", "CONFIDENCE", "SOURCES"}, cells);
}

std::string zones_table(const Catalog& catalog, const Filter& filter) {
  std::vector<std::vector<std::string>> cells;
  for_zones(catalog, filter, [&](const Generation& generation, const catalog::Zone& zone) {
    cells.push_back({std::string(zone.name), std::string(generation.id),
                     !zone.flex_start   ? "not known"
                     : *zone.flex_start ? "yes"
                                        : "no",
                     std::string(zone.calendar_mode), std::string(word(zone.evidence.confidence)),
                     sources_words(zone.evidence)});
  });
  return table({"ZONE", "TYPE", "FLEX-START", "CALENDAR MODE", "CONFIDENCE", "SOURCES"}, cells);
}

std::string sources_table(const Catalog& catalog) {
  std::vector<std::vector<std::string>> cells;
  for (const catalog::Source& source : catalog.sources)
    cells.push_back({std::string(source.id), std::string(source.date), std::string(source.title)});
  return table({"SOURCE", "DATE", "TITLE"}, cells);
}

Value shapes_json(const Catalog& catalog, const std::vector<ShapeRow>& rows) {
  Value made = document(catalog, "shapes");
  for (const ShapeRow& row : rows) {
    Value& each = made["shapes"].push(Value::mapping());
    each["type"] = Value::string(row.generation->id);
    each["machineType"] = Value::string(row.machine->name);
    each["status"] = Value::string(row.machine->status);
    each["accelerator"] = Value::string(row.machine->accelerator);
    each["topology"] = Value::string(row.topology.text());
    each["chips"] = Value::number(row.topology.chips());
    each["hosts"] = Value::number(row.hosts);
    each["chipsPerHost"] = Value::number(row.machine->chips);
    each["devices"] = Value::number(row.topology.chips() * row.generation->devices_per_chip);
    each["models"] = Value::strings(models_of(catalog, *row.generation, {}));
    Value& zones = each["zones"] = Value::sequence();
    for (const catalog::Zone& zone : row.generation->zones) zones.push(Value::string(zone.name));
    each["confidence"] = Value::string(word(row.confidence));
    each["evidence"] = evidence_json(*row.evidence);
  }
  return made;
}

Value models_json(const Catalog& catalog, const Filter& filter) {
  Value made = document(catalog, "models");
  for_supports(
      catalog, filter,
      [&](const Generation& generation, const Model& model, const catalog::Support& support) {
        Value& each = made["models"].push(Value::mapping());
        each["type"] = Value::string(generation.id);
        each["model"] = Value::string(model.name);
        each["support"] = Value::string(support_word(support));
        if (!support.access.empty()) each["access"] = Value::string(support.access);
        if (!support.since.empty()) each["since"] = Value::string(support.since);
        each["modes"] = Value::sequence();
        for (std::string_view mode : model.modes) each["modes"].push(Value::string(mode));
        each["quota"] = Value::string(model.quota);
        each["evidence"] = evidence_json(support.evidence);
      });
  return made;
}

Value zones_json(const Catalog& catalog, const Filter& filter) {
  Value made = document(catalog, "zones");
  for_zones(catalog, filter, [&](const Generation& generation, const catalog::Zone& zone) {
    Value& each = made["zones"].push(Value::mapping());
    each["zone"] = Value::string(zone.name);
    each["type"] = Value::string(generation.id);
    each["flexStart"] = zone.flex_start ? Value::boolean(*zone.flex_start) : Value{};
    if (!zone.calendar_mode.empty()) each["calendarMode"] = Value::string(zone.calendar_mode);
    each["evidence"] = evidence_json(zone.evidence);
  });
  return made;
}

Value sources_json(const Catalog& catalog) {
  Value made = document(catalog, "sources");
  for (const catalog::Source& source : catalog.sources) {
    Value& each = made["sources"].push(Value::mapping());
    each["id"] = Value::string(source.id);
    each["date"] = Value::string(source.date);
    each["title"] = Value::string(source.title);
  }
  return made;
}

std::vector<std::string> doubts(const Filter& filter, const std::vector<ShapeRow>& rows) {
  std::vector<std::string> found;
  if (filter.model == nullptr) return found;
  const Generation* last = nullptr;
  for (const ShapeRow& row : rows) {
    if (row.generation == last) continue;
    last = row.generation;
    const catalog::Zone* zone =
        filter.zone.empty() ? nullptr : catalog::find_zone(*last, filter.zone);
    if (zone != nullptr && filter.model->flex_start && !zone->flex_start) {
      found.push_back(fmt::format("whether {} has {} capacity of {} is not known", filter.zone,
                                  filter.model->title, last->id));
    }
    const catalog::Support& support = *catalog::find_support(*filter.model, last->id);
    if (support.access == "allowlist") {
      found.push_back(fmt::format("{} with {} is offered only to projects on an allowlist",
                                  last->id, filter.model->title));
    }
    if (support.evidence.confidence == Confidence::low) {
      found.push_back(fmt::format("whether {} can be had with {} is doubtful: {}", last->id,
                                  filter.model->title, support.evidence.note));
    }
  }
  return found;
}

}  // namespace flexslice::explain
