// Tables of fields, topics of explain and the catalog decide what to say and to offer at a place.
#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "explain/codes.hpp"
#include "explain/topics.hpp"
#include "lsp/desk.hpp"
#include "lsp/keys.hpp"
#include "resolve/facts.hpp"
#include "resolve/labels.hpp"
#include "schema/json_schema.hpp"
#include "schema/kubernetes_types.hpp"
#include "spec/kinds.hpp"
#include "spec/matrix.hpp"
#include "spec/spec_fields.hpp"

namespace flexslice::lsp {

namespace {

using catalog::Generation, catalog::MachineType, catalog::NameSet;
using schema::Category, schema::Field, schema::Table, schema::Type;
using std::size_t;

// The part of the text that the offset is in, and where in it.
struct In {
  const extract::Excerpt* part = nullptr;
  size_t offset = 0;
};

In part_at(const Contents& parts, size_t offset) {
  In in;
  for (const extract::Excerpt& part : parts.all) {
    for (const extract::Excerpt::Segment& segment : part.segments) {
      const size_t length = part.end_of(segment) - segment.begin;
      if (segment.replaced > 0 || offset < segment.host || offset > segment.host + length) continue;
      in = {&part, segment.begin + (offset - segment.host)};
    }
  }
  return in;
}

// A value, or what its elements must be.
struct Shape {
  const Type* type = nullptr;
  const schema::Constraint* constraint = nullptr;
  const Field* field = nullptr;
  std::string path;  // as the field reference has it

  const Table* table() const {
    if (type == nullptr) return nullptr;
    if (type->category == Category::record) return type->table;
    return type->category == Category::tree && constraint != nullptr && !constraint->shape.empty()
               ? &schema::kubernetes::table(constraint->shape)
               : nullptr;
  }
};

Shape step_into(const Shape& from, const std::string& key) {
  if (from.type == nullptr) return {};
  const bool is_list = from.type->category == Category::list;
  if (is_list && key == item)
    return {from.type->element, &of_element(*from.constraint), from.field, from.path + "[]"};
  if (from.type->category == Category::map)
    return {from.type->element, &of_element(*from.constraint), from.field, from.path + ".NAME"};
  const Table* table = from.table();
  const Field* field = table == nullptr ? nullptr : table->find(key);
  if (field == nullptr) return {};
  return {field->type, &field->constraint, field, from.path + (from.path.empty() ? "" : ".") + key};
}

class Advisor {
 public:
  Advisor(const Settings& settings, const OpenFile& named, size_t offset)
      : settings_(settings), named_(named), offset_(offset), parts_(contents_of(named)) {
    in_ = part_at(parts_, offset);
    if (in_.part == nullptr || in_.part->language != extract::Language::yaml) return;
    keys_ = find_keys(in_.part->text, in_.offset);
    const Table* table =
        parts_.are_specs ? &schema::TableOf<spec::Claims>::table
                         : schema::kubernetes::find(keys_.value("kind"), keys_.value("apiVersion"));
    if (table == nullptr) return;
    root_ = {.category = Category::record, .table = table};
    if (keys_.spot) shape_ = shape_of(keys_.spot->path);
  }

  std::optional<Hover> hover(std::span<const diag::Diagnostic> found) {
    Hover hover;
    if (keys_.spot && keys_.spot->on == Spot::On::key && shape_.field != nullptr) {
      add_field(hover);
    } else {
      add_word(hover);
    }
    add_findings(found, hover);
    if (hover.text.empty()) return std::nullopt;
    return hover;
  }

  Completions completions() {
    Completions made;
    if (!keys_.spot || shape_.type == nullptr) return made;
    const Spot& spot = *keys_.spot;
    made.begin = in_.part->host(spot.begin);
    made.end = made.begin + (spot.end - spot.begin);
    if (spot.on == Spot::On::key) {
      yaml::Path parent = spot.path;
      parent.pop_back();
      shape_ = shape_of(parent);
    }
    if (parts_.are_specs && shape_.path == "matrix.vary") {
      if (spot.on != Spot::On::value) add_paths(made);
      return made;
    }
    if (const Table* table = shape_.table(); table != nullptr) {
      if (spot.on != Spot::On::value) add_fields(*table, made);
      return made;
    }
    if (spot.on == Spot::On::key) return made;
    for (std::string& value : values())
      made.items.push_back({value, value, shape_type(value), "", false});
    return made;
  }

 private:
  Shape shape_of(const yaml::Path& path) const {
    Shape shape{&root_, nullptr, nullptr, ""};
    // A list below a field's path has values of that field.
    if (parts_.are_specs && path.size() == 4 && path[0] == "matrix" && path[1] == "vary") {
      for (std::string_view key : text::split(path[2], '.'))
        shape = step_into(shape, std::string(key));
      return shape;
    }
    for (const std::string& key : path) shape = step_into(shape, key);
    return shape;
  }

  static void say(Hover& hover, std::string_view text) {
    if (!hover.text.empty()) hover.text += "\n";
    hover.text += text;
  }

  void add_findings(std::span<const diag::Diagnostic> found, Hover& hover) {
    std::vector<diag::Code> said;
    for (const diag::Diagnostic& finding : found) {
      const Span where = finding.where;
      if (offset_ < where.begin || offset_ > where.end || contains(said, finding.code)) continue;
      said.push_back(finding.code);
      say(hover, explain::diagnostic_text(diag::row(finding.code)));
      place(hover, where.begin, where.end);
    }
  }

  schema::Choices choices() const {
    return [&](NameSet set) { return catalog::names(settings_.catalog, set); };
  }

  void place(Hover& hover, size_t begin, size_t end) const {
    if (hover.end > hover.begin) return;
    hover.begin = begin;
    hover.end = end;
  }

  void add_field(Hover& hover) {
    const Spot& spot = *keys_.spot;
    const auto topic = parts_.are_specs
                           ? explain::topic_text(settings_.catalog, shape_.path, "field")
                           : std::nullopt;
    say(hover,
        topic ? *topic
              : fmt::format("{}: {}\n", shape_.path, schema::type_text(*shape_.field, choices())));
    place(hover, in_.part->host(spot.begin), in_.part->host(spot.end));
  }

  // The word at the offset, of any language.
  void add_word(Hover& hover) {
    const auto is_part = [](char c) {
      return ascii::is_letter_or_digit(c) || c == '-' || c == '.' || c == '/' || c == '_';
    };
    size_t begin = std::min(offset_, named_.text.size()), end = begin;
    while (begin > 0 && is_part(named_.text[begin - 1])) --begin;
    while (end < named_.text.size() && is_part(named_.text[end])) ++end;
    const std::string_view word = named_.text.substr(begin, end - begin);
    if (word.empty()) return;
    for (std::string_view category :
         {"type", "machineType", "topology", "model", "zone", "resource", "reserved", "name"}) {
      // A kind, and a number, are words of many other things.
      if (const auto topic = explain::topic_text(settings_.catalog, word, category)) {
        say(hover, *topic);
        place(hover, begin, end);
        return;
      }
    }
    if (shape_.field == nullptr || !parts_.are_specs) return;
    if (const auto topic = explain::topic_text(settings_.catalog, word, "kind")) {
      say(hover, *topic);
      place(hover, begin, end);
    }
  }

  void add_fields(const Table& table, Completions& made) const {
    const Spot& spot = *keys_.spot;
    yaml::Path parent = spot.path;
    if (spot.on == Spot::On::key) parent.pop_back();
    const std::string_view kind = parts_.are_specs ? kind_word() : "";
    std::vector<const Field*> fields;
    for (const Field& field : table.fields) {
      const auto is_given = [&](const KeyEntry& entry) {
        return entry.path.size() == parent.size() + 1 && entry.path.back() == field.key &&
               entry.key_begin != spot.begin &&
               std::equal(parent.begin(), parent.end(), entry.path.begin());
      };
      const bool is_other_kinds =
          !kind.empty() && !field.kinds.empty() && !catalog::has_word(field.kinds, kind);
      // An item of a list is one of several that have the same path.
      const bool in_list = contains(parent, item);
      if (!is_other_kinds && !field.internal && (in_list || none_of_keys(is_given)))
        fields.push_back(&field);
    }
    std::stable_partition(fields.begin(), fields.end(), [](const Field* field) {
      return field->presence == schema::Presence::required;
    });
    for (const Field* field : fields)
      made.items.push_back({std::string(field->key), text_of(*field, spot),
                            schema::type_text(*field, choices()), std::string(field->doc), true});
  }

  // Returns the kind as it is stated or by default; empty while it is not known.
  std::string_view kind_word() const {
    if (const std::string_view stated = keys_.value("workload.kind"); !stated.empty())
      return stated;
    const MachineType* machine = machine_of(keys_.value("tpu.topology"));
    if (machine == nullptr) return {};
    const auto slices = text::whole_number(keys_.value("tpu.slices")).value_or(1);
    const auto chips = catalog::parse_topology(keys_.value("tpu.topology"))->chips();
    const bool has_checkpoints = any_of(keys_.entries, [](const KeyEntry& entry) {
      return entry.path == yaml::Path{"workload", "checkpoints"};
    });
    return spec::default_kind(slices > 1, chips > machine->chips,
                              !keys_.value("workload.retries").empty(), has_checkpoints)
        .word;
  }

  // The only one that forms the topology.
  const MachineType* machine_of(std::string_view topology) const {
    const Generation* generation =
        catalog::find_generation(settings_.catalog, keys_.value("tpu.type"));
    const auto shape = catalog::parse_topology(topology);
    if (generation == nullptr || !shape) return nullptr;
    if (const auto* stated =
            catalog::find_machine_type(*generation, keys_.value("tpu.machineType")))
      return stated;
    const auto machines = catalog::machine_types_for(*generation, *shape);
    return machines.size() == 1 ? machines.front() : nullptr;
  }

  // `16 chips, 4 hosts` of a topology.
  std::string shape_type(std::string_view value) const {
    const bool is_topology =
        shape_.constraint != nullptr && shape_.constraint->choices_of == NameSet::topologies;
    const auto topology = is_topology ? catalog::parse_topology(value) : std::nullopt;
    if (!topology) return {};
    const std::string chips = text::count(topology->chips(), "chip");
    const MachineType* machine = machine_of(value);
    return machine == nullptr
               ? chips
               : fmt::format("{}, {}", chips,
                             text::count(topology->chips() / machine->chips, "host"));
  }

  // A matrix varies fields that are named by their path, and no elements of lists.
  void add_paths(Completions& made) const {
    for (const schema::FieldDoc& doc : schema::field_docs(*root_.table, choices())) {
      const Category category = doc.field->type->category;
      if (!spec::may_vary(doc.path) || category == Category::record ||
          doc.path.find("[]") != doc.path.npos || doc.path.find("NAME") != doc.path.npos)
        continue;
      made.items.push_back({doc.path, doc.path + (keys_.spot->on == Spot::On::key ? "" : ": "),
                            doc.type, std::string(doc.field->doc), true});
    }
  }

  bool none_of_keys(const auto& holds) const { return std::ranges::none_of(keys_.entries, holds); }

  // With what follows it: a scalar on its line, a collection below it.
  static std::string text_of(const Field& field, const Spot& spot) {
    if (spot.on == Spot::On::key) return std::string(field.key);
    const Category category = field.type->category;
    const bool is_below =
        !spot.in_brackets &&
        (category == Category::record || category == Category::map || category == Category::tree);
    return fmt::format("{}:{}", field.key,
                       is_below ? "\n" + std::string(spot.column + 2, ' ') : std::string(" "));
  }

  std::vector<std::string> values() const {
    if (!parts_.are_specs) {
      if (auto of_label = label_values()) return *of_label;
    }
    if (shape_.type->category == Category::flag) return {"true", "false"};
    if (shape_.constraint == nullptr) return {};
    const schema::Constraint& constraint = *shape_.constraint;
    if (!constraint.choices.empty()) return {constraint.choices.begin(), constraint.choices.end()};
    if (constraint.pattern == schema::Pattern::zone) return names(NameSet::zones);
    if (constraint.pattern == schema::Pattern::location) return regions();
    return constraint.choices_of == NameSet::none ? std::vector<std::string>()
                                                  : names(constraint.choices_of);
  }

  std::vector<std::string> names(NameSet set) const {
    const catalog::Catalog& facts = settings_.catalog;
    const Generation* generation = catalog::find_generation(facts, keys_.value("tpu.type"));
    if (generation == nullptr) return catalog::names(facts, set);
    const auto topology = catalog::parse_topology(keys_.value("tpu.topology"));
    switch (set) {
      case NameSet::topologies:
        return topologies(*generation, keys_.value("tpu.type"), keys_.value("tpu.machineType"));
      case NameSet::machine_types: {
        auto machines = topology ? catalog::machine_types_for(*generation, *topology)
                                 : std::vector<const MachineType*>();
        std::vector<std::string> all;
        for (const MachineType* machine : machines) all.emplace_back(machine->name);
        return all.empty() ? public_machines(*generation) : all;
      }
      case NameSet::zones:
        return zones(*generation);
      case NameSet::models: {
        std::vector<std::string> all;
        for (const catalog::Model& model : facts.models) {
          const catalog::Support* support = catalog::find_support(model, generation->id);
          if (support == nullptr || support->supported) all.emplace_back(model.name);
        }
        return all;
      }
      default:
        return catalog::names(facts, set);
    }
  }

  static std::vector<std::string> public_machines(const Generation& generation) {
    std::vector<std::string> all;
    for (const MachineType& machine : generation.machine_types) {
      if (machine.status == catalog::Status::published) all.emplace_back(machine.name);
    }
    return all;
  }

  static std::vector<std::string> topologies(const Generation& generation, std::string_view type,
                                             std::string_view machine_name) {
    const MachineType* machine = catalog::find_machine_type(generation, machine_name);
    std::vector<std::string> all;
    for (const catalog::Topology& topology : catalog::topologies_of_type(generation, type)) {
      if (machine == nullptr || catalog::find_shape(generation, *machine, topology) != nullptr)
        all.push_back(topology.text());
    }
    return all;
  }

  // Returns the regions with the generation.
  std::vector<std::string> regions() const {
    std::vector<std::string> all;
    for (const std::string& zone : names(NameSet::zones)) {
      const std::string_view region = resolve::region_of(zone);
      if (!contains(all, region)) all.emplace_back(region);
    }
    return all;
  }

  // Prefers zones of the cluster's region, since nodes are in it.
  std::vector<std::string> zones(const Generation& generation) const {
    const std::string_view location = keys_.value("cluster.location");
    std::vector<std::string> all, here;
    for (const catalog::Zone& zone : generation.zones) {
      all.emplace_back(zone.name);
      if (resolve::region_of(zone.name) == resolve::region_of(location))
        here.emplace_back(zone.name);
    }
    return here.empty() ? all : here;
  }

  // Offers values of node labels about TPUs in manifests.
  std::optional<std::vector<std::string>> label_values() const {
    const yaml::Path& path = keys_.spot->path;
    if (path.empty()) return std::nullopt;
    std::vector<std::string> all;
    if (path.back() == resolve::accelerator_label) {
      for (const Generation& generation : settings_.catalog.generations) {
        for (const MachineType& machine : generation.machine_types) {
          const bool is_known = contains(all, machine.accelerator);
          if (machine.status != catalog::Status::unknown && !is_known)
            all.emplace_back(machine.accelerator);
        }
      }
      return all;
    }
    if (path.back() != resolve::topology_label) return std::nullopt;
    yaml::Path sibling = path;
    sibling.back() = resolve::accelerator_label;
    const KeyEntry* entry = find_where(
        keys_.entries, [&](const KeyEntry& candidate) { return candidate.path == sibling; });
    const std::string_view type = entry == nullptr ? "" : std::string_view(entry->value);
    const Generation* generation = catalog::find_generation(settings_.catalog, type);
    return generation == nullptr ? catalog::names(settings_.catalog, NameSet::topologies)
                                 : topologies(*generation, type, "");
  }

  const Settings& settings_;
  const OpenFile& named_;
  size_t offset_;
  Contents parts_;
  In in_;
  Keys keys_;
  Type root_;
  Shape shape_;
};

}  // namespace

std::optional<Hover> hover(const Settings& settings, const OpenFile& named, size_t offset,
                           std::span<const diag::Diagnostic> found) {
  return Advisor(settings, named, offset).hover(found);
}

Completions completions(const Settings& settings, const OpenFile& named, size_t offset) {
  return Advisor(settings, named, offset).completions();
}

}  // namespace flexslice::lsp
