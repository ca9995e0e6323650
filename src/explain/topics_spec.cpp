// Topics about everything but TPUs: models, zones, features, fields of the spec, ports, reserved
// names, sources, names that do not exist.
#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "explain/explain.hpp"
#include "explain/topics.hpp"
#include "schema/json_schema.hpp"
#include "spec/fields.hpp"

namespace flexslice::explain {

using catalog::Generation;
using text::count;

namespace {

// `30 seconds`, `7 days`: in the largest unit that divides it.
std::string duration_words(std::int64_t seconds) {
  constexpr std::int64_t minute = 60;
  constexpr std::int64_t hour = 60 * minute;
  constexpr std::int64_t day = 24 * hour;
  if (seconds % day == 0) return count(seconds / day, "day");
  if (seconds % hour == 0) return count(seconds / hour, "hour");
  if (seconds % minute == 0) return count(seconds / minute, "minute");
  return count(seconds, "second");
}

// The model's name, its title, and the words of its title for people who leave the rest out.
void describe(const catalog::Catalog& catalog, const catalog::Model& model, Sheet& sheet) {
  sheet.title(fmt::format("{}: provisioning model", model.name));
  sheet.section("Nodes");
  sheet.entry({"at first",
               {},
               model.nodes == "none" ? "none; the autoscaler adds them for pods that wait"
                                     : "all of the pool",
               {}});
  sheet.entry({"lifetime", {}, std::string(model.lifetime), {}});
  if (model.max_run_seconds > 0) {
    const std::string range = fmt::format("{} to {}", duration_words(model.min_run_seconds),
                                          duration_words(model.max_run_seconds));
    sheet.entry(
        {"maxRunDuration",
         {},
         model.takes_run_duration ? range : fmt::format("not in a spec; GKE accepts {}", range),
         {}});
  }
  sheet.entry({"when idle", {}, fmt::format("Billed: {}", model.idle), {}});
  sheet.entry({"quota", {}, fmt::format("{}, of Compute Engine", model.quota), {}});
  sheet.entry({"clusters", {}, text::join(model.modes.list(), ", "), {}});
  if (model.needs_queue) sheet.entry({"needs", {}, "`provisioning.queue`", {}});
  if (model.takes_reservation) sheet.entry({"needs", {}, "`provisioning.reservation`", {}});
  sheet.entry({"source", {}, {}, source_line(model.evidence)});
  sheet.section("Generations");
  for (const Generation& generation : catalog.generations)
    sheet.entry(support_entry(generation.id, model, generation.id));
}

std::string_view region_of(std::string_view zone) { return zone.substr(0, zone.rfind('-')); }

const catalog::Evidence* cites(const catalog::Evidence& evidence, std::string_view source) {
  return evidence.sources.contains(source) ? &evidence : nullptr;
}

// Names of the things whose evidence has the source.
std::string cited_for(const catalog::Catalog& catalog, std::string_view source) {
  std::vector<std::string_view> names;
  const auto add = [&](std::string_view name, const catalog::Evidence& evidence) {
    if (cites(evidence, source) != nullptr &&
        std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  };
  for (const Generation& generation : catalog.generations) {
    add(generation.id, generation.evidence);
    add(generation.id, generation.limit_evidence);
    for (const auto& quota : generation.quotas) add(generation.id, quota.evidence);
    for (const auto& machine : generation.machine_types) add(machine.name, machine.evidence);
    for (const auto& minimum : generation.minimums) add(generation.id, minimum.evidence);
    for (const auto& zone : generation.zones) add(zone.name, zone.evidence);
  }
  for (const auto& model : catalog.models) {
    add(model.name, model.evidence);
    for (const auto& support : model.supports) add(model.name, support.evidence);
  }
  for (const auto& feature : catalog.features) add(feature.name, feature.evidence);
  for (const auto& port : catalog.ports) add(port.use, port.evidence);
  for (const auto& request : catalog.default_requests) add(request.resource, request.evidence);
  for (const auto& mistake : catalog.mistakes) add(mistake.name, mistake.evidence);
  for (const auto& reserved : catalog.reserved_env) add(reserved.name, reserved.evidence);
  return text::join(names, ", ");
}

// `v5p-8`: what people say for a slice, by cores on some generations and by chips on others.
bool describe_core_name(const Ask& ask, Sheet& sheet) {
  for (const Generation& generation : ask.catalog.generations) {
    for (std::string_view prefix : generation.core_names) {
      if (!ask.word.starts_with(prefix)) continue;
      const auto number = text::whole_number(ask.word.substr(prefix.size()));
      if (!number || *number == 0) continue;
      const std::int64_t per_chip =
          generation.core_names_count_cores ? generation.cores_per_chip : 1;
      sheet.title(fmt::format("{}: no name on GKE", ask.word));
      sheet.paragraph(
          per_chip > 1 ? fmt::format("Cloud TPU counts TensorCores here: {} / {} a chip = {}.",
                                     *number, per_chip, count(*number / per_chip, "chip"))
                       : fmt::format("Cloud TPU counts chips here: {}.", count(*number, "chip")));
      std::vector<std::string> shapes;
      for (const auto& topology : catalog::topologies(generation, *number / per_chip)) {
        if (topology.chips() * per_chip == *number) shapes.push_back(topology.text());
      }
      sheet.paragraph(shapes.empty() ? fmt::format("No {} slice has as many.", generation.id)
                                     : fmt::format("Write `type: {}` and `topology: {}`.",
                                                   generation.id, text::join(shapes, "` or `")));
      return true;
    }
  }
  return false;
}

void describe(const schema::FieldDoc& doc, std::span<const schema::FieldDoc> all, Sheet& sheet) {
  const schema::Field& field = *doc.field;
  sheet.title(fmt::format("{}: field of a spec", doc.path));
  sheet.paragraph(field.doc);
  sheet.section("Value");
  sheet.entry({"type",
               {},
               doc.type + (field.presence == schema::Presence::required ? ", required" : ""),
               {}});
  if (!field.fallback.empty()) sheet.entry({"default", {}, std::string(field.fallback), {}});
  if (!field.example.empty())
    sheet.entry({"example", {}, fmt::format("{}: {}", field.key, field.example), {}});
  std::vector<const schema::FieldDoc*> inner;
  for (const schema::FieldDoc& each : all) {
    const std::string_view path = each.path;
    if (!path.starts_with(doc.path) || path.size() <= doc.path.size() ||
        path[doc.path.size()] == ' ')
      continue;
    const std::string_view rest = path.substr(doc.path.size());
    if ((rest[0] == '.' || rest[0] == '[') &&
        std::count(rest.begin(), rest.end(), '.') == (rest.starts_with(".NAME.") ? 2 : 1))
      inner.push_back(&each);
  }
  if (inner.empty()) return;
  sheet.section("Fields");
  for (const schema::FieldDoc* each : inner)
    sheet.entry({std::string(each->field->key), {}, std::string(each->field->doc), {}});
}

// How many of its ports the largest host can open.
int most_of(const catalog::Catalog& catalog, std::string_view per) {
  int most = 1;
  for (const Generation& generation : catalog.generations) {
    for (const auto& machine : generation.machine_types) {
      if (per == "chip") most = std::max(most, machine.chips);
      if (per == "container") most = std::max(most, machine.max_containers);
    }
  }
  return most;
}

}  // namespace

bool answer_model(const Ask& ask, Sheet& sheet) {
  for (const catalog::Model& model : ask.catalog.models) {
    if (!same(model.name, ask.word) && !same(model.title, ask.word)) continue;
    describe(ask.catalog, model, sheet);
    return true;
  }
  return false;
}

bool answer_zone(const Ask& ask, Sheet& sheet) {
  std::vector<Entry> entries;
  bool is_region = false;
  for (const Generation& generation : ask.catalog.generations) {
    for (const catalog::Zone& zone : generation.zones) {
      const bool in_region = same(region_of(zone.name), ask.word);
      if (!in_region && !same(zone.name, ask.word)) continue;
      is_region = in_region;
      Entry entry = zone_entry(generation.id, zone);
      entry.value = in_region ? zone.name : std::string_view();
      entries.push_back(std::move(entry));
    }
  }
  if (entries.empty()) return false;
  sheet.title(fmt::format("{}: {}", ask.word, is_region ? "region" : "zone"));
  sheet.section("Generations that are known there, and their flex-start capacity");
  for (Entry& entry : entries) sheet.entry(std::move(entry));
  return true;
}

bool answer_feature(const Ask& ask, Sheet& sheet) {
  for (const catalog::Feature& feature : ask.catalog.features) {
    if (!same(feature.name, ask.word)) continue;
    sheet.title(fmt::format("{}: {}", feature.name, feature.title));
    sheet.section("GKE version, at least");
    for (const catalog::Minimum& minimum : feature.minimums) {
      sheet.entry(minimum_entry(minimum));
    }
    return true;
  }
  return false;
}

std::vector<schema::FieldDoc> field_docs(const catalog::Catalog& catalog) {
  return schema::field_docs(schema::TableOf<claims::Claims>::table,
                            [&](std::string_view set) { return catalog::names(catalog, set); });
}

bool answer_field(const Ask& ask, Sheet& sheet) {
  const std::vector<schema::FieldDoc> docs = field_docs(ask.catalog);
  bool any = false;
  for (const schema::FieldDoc& doc : docs) {
    if (doc.path != ask.word && doc.field->key != ask.word) continue;
    describe(doc, docs, sheet);
    any = true;
  }
  return any;
}

bool answer_port(const Ask& ask, Sheet& sheet) {
  const auto number = text::whole_number(ask.word);
  for (const catalog::Port& port : ask.catalog.ports) {
    if (!number || *number < port.number || *number >= port.number + most_of(ask.catalog, port.per))
      continue;
    sheet.title(fmt::format("{}: {}", *number, port.use));
    sheet.section("Container port");
    std::string where =
        port.when == "always" ? "in every pod with TPUs" : fmt::format("with {}", port.when);
    if (!port.per.empty())
      where += fmt::format("; {} for the first {}, and the next port for each further one",
                           port.number, port.per);
    sheet.entry({"open", {}, where, source_line(port.evidence)});
    return true;
  }
  return false;
}

bool answer_resource(const Ask& ask, Sheet& sheet) {
  for (const catalog::DefaultRequest& request : ask.catalog.default_requests) {
    if (request.resource != ask.word) continue;
    sheet.title(fmt::format("{}: resource of a container", request.resource));
    sheet.section("Without a request");
    sheet.entry({std::string(request.quantity),
                 {},
                 fmt::format("on {}", request.mode),
                 source_line(request.evidence)});
    return true;
  }
  return false;
}

bool answer_reserved(const Ask& ask, Sheet& sheet) {
  bool any = false;
  const auto look = [&](const std::vector<catalog::Reserved>& list, std::string_view what) {
    const catalog::Reserved* found = catalog::find_reserved(list, ask.word);
    if (found == nullptr) return;
    sheet.title(fmt::format("{}: {} that a spec must not give", found->name, what));
    sheet.paragraph(found->why);
    if (!found->evidence.sources.empty()) sheet.paragraph(source_line(found->evidence));
    any = true;
  };
  look(ask.catalog.reserved_env, "environment variable");
  look(ask.catalog.reserved_selectors, "node label");
  look(ask.catalog.reserved_labels, "label");
  return any;
}

bool answer_source(const Ask& ask, Sheet& sheet) {
  for (const catalog::Source& source : ask.catalog.sources) {
    if (!same(source.id, ask.word)) continue;
    sheet.title(fmt::format("{}: {}", source.id, source.title));
    sheet.section("Source");
    sheet.entry({"date", {}, std::string(source.date), {}});
    if (const std::string names = cited_for(ask.catalog, source.id); !names.empty())
      sheet.entry({"cited for", {}, names, {}});
    return true;
  }
  return false;
}

bool answer_mistake(const Ask& ask, Sheet& sheet) {
  if (describe_core_name(ask, sheet)) return true;
  const catalog::Mistake* mistake = catalog::find_mistake(ask.catalog, ask.word);
  if (mistake == nullptr) return false;
  sheet.title(fmt::format("{}: no name on GKE", mistake->name));
  if (!mistake->why.empty()) sheet.paragraph(mistake->why);
  if (!mistake->instead.empty()) sheet.paragraph(fmt::format("Write `{}`.", mistake->instead));
  if (!mistake->evidence.sources.empty()) sheet.paragraph(source_line(mistake->evidence));
  return true;
}

}  // namespace flexslice::explain
