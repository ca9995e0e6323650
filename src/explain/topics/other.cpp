// Topics about everything but TPUs: models, zones, features, fields of the spec, ports, reserved
// names, sources, names that do not exist.
#include <fmt/core.h>

#include <algorithm>

#include "explain/topics/answers.hpp"
#include "facts/facts.hpp"
#include "spec/fields.hpp"

namespace flexslice::explain {

using catalog::Generation;
using catalog::MachineType;
using text::count;

namespace {

// `30 seconds`, `7 days`: in the largest unit that divides it.
std::string duration_text(std::int64_t seconds) {
  for (const auto& [length, unit] : {std::pair{86'400, "day"}, {3'600, "hour"}, {60, "minute"}}) {
    if (seconds % length == 0) return count(seconds / length, unit);
  }
  return count(seconds, "second");
}

void describe(const catalog::Catalog& catalog, const catalog::Model& model, Sheet& sheet) {
  sheet.title(fmt::format("{}: provisioning model", model.name));
  sheet.section("Nodes");
  sheet.entry("at first", model.nodes == "none"
                              ? "none; the autoscaler adds them for pods that wait"
                              : "all of the pool");
  sheet.entry("lifetime", model.lifetime);
  if (model.max_run_seconds > 0)
    sheet.entry(
        "maxRunDuration",
        fmt::format("{}{} to {}", model.takes_run_duration ? "" : "not in a spec; GKE accepts ",
                    duration_text(model.min_run_seconds), duration_text(model.max_run_seconds)));
  sheet.entry("when idle", fmt::format("Billed: {}", model.idle));
  sheet.entry("quota", fmt::format("{}, of Compute Engine", model.quota));
  sheet.entry("clusters", text::join(model.modes.list(), ", "));
  if (model.needs_queue) sheet.entry("needs", "`provisioning.queue`");
  if (model.takes_reservation) sheet.entry("needs", "`provisioning.reservation`");
  sheet.entry("source", "", source_line(model.evidence));
  sheet.section("Generations");
  for (const Generation& generation : catalog.generations)
    add_support(generation.id, model, generation.id, sheet);
}

// Names of the things whose evidence has the source.
std::string cited_for(const catalog::Catalog& catalog, std::string_view source) {
  std::vector<std::string_view> names;
  const auto add = [&](std::string_view name, const catalog::Evidence& evidence) {
    if (contains(evidence.sources, source) && !contains(names, name)) names.push_back(name);
  };
  const auto add_all = [&](const auto& things, auto name) {
    for (const auto& thing : things) add(thing.*name, thing.evidence);
  };
  for (const Generation& generation : catalog.generations) {
    add(generation.id, generation.evidence);
    add(generation.id, generation.limit_evidence);
    for (const auto& quota : generation.quotas) add(generation.id, quota.evidence);
    add_all(generation.machine_types, &MachineType::name);
    for (const auto& minimum : generation.minimums) add(generation.id, minimum.evidence);
    add_all(generation.zones, &catalog::Zone::name);
  }
  for (const auto& model : catalog.models) {
    add(model.name, model.evidence);
    for (const auto& support : model.supports) add(model.name, support.evidence);
  }
  add_all(catalog.features, &catalog::Feature::name);
  add_all(catalog.ports, &catalog::Port::use);
  add_all(catalog.default_requests, &catalog::DefaultRequest::resource);
  add_all(catalog.mistakes, &catalog::Mistake::name);
  add_all(catalog.reserved_env, &catalog::Reserved::name);
  return text::join(names, ", ");
}

// `v5p-8`: what people say for a slice, by cores on some generations and by chips on others.
void describe(const catalog::CoreName& core_name, std::string_view word, Sheet& sheet) {
  const auto& [generation, number, per_chip] = core_name;
  const std::string chips = count(number / per_chip, "chip");
  sheet.title(fmt::format("{}: no name on GKE", word));
  sheet.paragraph(per_chip > 1
                      ? fmt::format("Cloud TPU counts TensorCores here: {} / {} a chip = {}.",
                                    number, per_chip, chips)
                      : fmt::format("Cloud TPU counts chips here: {}.", chips));
  std::vector<std::string> shapes;
  for (const auto& topology : catalog::topologies(*generation, number / per_chip)) {
    if (topology.chips() * per_chip == number) shapes.push_back(topology.text());
  }
  sheet.paragraph(shapes.empty() ? fmt::format("No {} slice has as many.", generation->id)
                                 : fmt::format("Write `type: {}` and `topology: {}`.",
                                               generation->id, text::join(shapes, "` or `")));
}

void describe(const schema::FieldDoc& doc, const std::vector<schema::FieldDoc>& docs,
              Sheet& sheet) {
  const schema::Field& field = *doc.field;
  sheet.title(fmt::format("{}: field of a spec", doc.path));
  sheet.paragraph(field.doc);
  sheet.section("Value");
  sheet.entry("type",
              doc.type + (field.presence == schema::Presence::required ? ", required" : ""));
  if (!field.fallback.empty()) sheet.entry("default", field.fallback);
  if (!field.example.empty())
    sheet.entry("example", fmt::format("{}: {}", field.key, field.example));
  sheet.section("Fields");
  for (const schema::FieldDoc& inner : docs) {
    std::string_view rest = inner.path;
    if (!rest.starts_with(doc.path)) continue;
    rest.remove_prefix(doc.path.size());
    // `.key`, `[].key`, `.NAME.key`
    if ((rest.starts_with('.') || rest.starts_with('[')) &&
        std::count(rest.begin(), rest.end(), '.') == (rest.starts_with(".NAME.") ? 2 : 1))
      sheet.entry(inner.field->key, inner.field->doc);
  }
}

// How many of its ports the largest host can open.
int most_ports(const catalog::Catalog& catalog, std::string_view per) {
  int most = 1;
  for (const Generation& generation : catalog.generations) {
    for (const MachineType& machine : generation.machine_types) {
      if (per == "chip") most = std::max(most, machine.chips);
      if (per == "container") most = std::max(most, machine.max_containers);
    }
  }
  return most;
}

}  // namespace

void answer_model(const Ask& ask, Sheet& sheet) {
  if (const auto* asked = find_where(ask.catalog.models, [&](const catalog::Model& model) {
        return ask.is(model.name) || ask.is(model.title);
      }))
    describe(ask.catalog, *asked, sheet);
}

void answer_zone(const Ask& ask, Sheet& sheet) {
  bool titled = false;
  for (const Generation& generation : ask.catalog.generations) {
    for (const catalog::Zone& zone : generation.zones) {
      const bool in_region = ask.is(facts::region_of(zone.name));
      if (!in_region && !ask.is(zone.name)) continue;
      if (!titled) {
        sheet.title(fmt::format("{}: {}", ask.word, in_region ? "region" : "zone"));
        sheet.section("Generations that are known there, and their flex-start capacity");
      }
      titled = true;
      add_zone(generation.id, in_region ? std::string_view(zone.name) : std::string_view(), zone,
               sheet);
    }
  }
}

void answer_feature(const Ask& ask, Sheet& sheet) {
  for (const catalog::Feature& feature : ask.catalog.features) {
    if (!ask.is(feature.name)) continue;
    sheet.title(fmt::format("{}: {}", feature.name, feature.title));
    add_minimums(feature.minimums, sheet);
  }
}

std::vector<schema::FieldDoc> field_docs(const catalog::Catalog& catalog) {
  return schema::field_docs(schema::TableOf<claims::Claims>::table,
                            [&](std::string_view set) { return catalog::names(catalog, set); });
}

void answer_field(const Ask& ask, Sheet& sheet) {
  const std::vector<schema::FieldDoc> docs = field_docs(ask.catalog);
  for (const schema::FieldDoc& doc : docs) {
    if (doc.path == ask.word || doc.field->key == ask.word) describe(doc, docs, sheet);
  }
}

void answer_port(const Ask& ask, Sheet& sheet) {
  const auto number = text::whole_number(ask.word);
  const auto* port = find_where(ask.catalog.ports, [&](const catalog::Port& candidate) {
    return number && *number >= candidate.number &&
           *number < candidate.number + most_ports(ask.catalog, candidate.per);
  });
  if (port == nullptr) return;
  sheet.title(fmt::format("{}: {}", *number, port->use));
  sheet.section("Container port");
  std::string where =
      port->when == "always" ? "in every pod with TPUs" : fmt::format("with {}", port->when);
  if (!port->per.empty())
    where += fmt::format("; {} for the first {}, and the next port for each further one",
                         port->number, port->per);
  sheet.entry("open", where, source_line(port->evidence));
}

void answer_resource(const Ask& ask, Sheet& sheet) {
  for (const catalog::DefaultRequest& request : ask.catalog.default_requests) {
    if (request.resource != ask.word) continue;
    sheet.title(fmt::format("{}: resource of a container", request.resource));
    sheet.section("Without a request");
    sheet.entry(request.quantity, fmt::format("on {}", request.mode),
                source_line(request.evidence));
    return;
  }
}

void answer_reserved(const Ask& ask, Sheet& sheet) {
  const auto look = [&](catalog::ReservedList rows, std::string_view what) {
    const catalog::Reserved* reserved = catalog::find_reserved(rows, ask.word);
    if (reserved == nullptr) return;
    sheet.title(fmt::format("{}: {} that a spec must not give", reserved->name, what));
    sheet.paragraph(reserved->why);
    if (!reserved->evidence.sources.empty()) sheet.paragraph(source_line(reserved->evidence));
  };
  look(ask.catalog.reserved_env, "environment variable");
  look(ask.catalog.reserved_selectors, "node label");
  look(ask.catalog.reserved_labels, "label");
}

void answer_source(const Ask& ask, Sheet& sheet) {
  for (const catalog::Source& source : ask.catalog.sources) {
    if (!ask.is(source.id)) continue;
    sheet.title(fmt::format("{}: {}", source.id, source.title));
    sheet.section("Source");
    sheet.entry("date", source.date);
    if (const std::string names = cited_for(ask.catalog, source.id); !names.empty())
      sheet.entry("cited for", names);
  }
}

void answer_mistake(const Ask& ask, Sheet& sheet) {
  if (const auto core_name = catalog::find_core_name(ask.catalog, ask.word);
      core_name && core_name->count > 0)
    return describe(*core_name, ask.word, sheet);
  const catalog::Mistake* mistake = catalog::find_mistake(ask.catalog, ask.word);
  if (mistake == nullptr) return;
  sheet.title(fmt::format("{}: no name on GKE", mistake->name));
  if (!mistake->why.empty()) sheet.paragraph(mistake->why);
  if (!mistake->instead.empty()) sheet.paragraph(fmt::format("Write `{}`.", mistake->instead));
  if (!mistake->evidence.sources.empty()) sheet.paragraph(source_line(mistake->evidence));
}

}  // namespace flexslice::explain
