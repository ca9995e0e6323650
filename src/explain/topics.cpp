#include "explain/topics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "backend/template/template.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "explain/catalog_list.hpp"
#include "explain/layout.hpp"
#include "resolve/facts.hpp"
#include "schema/json_schema.hpp"
#include "schema/servers.hpp"
#include "spec/spec_fields.hpp"

namespace flexslice::explain {

using namespace catalog;
using explain::Sheet;
using text::count;

namespace {

// The note, if there is one, and on a line of its own who says so: `[CA, XPK (high, 2026-08)]`.
std::string cite(const Evidence& evidence) {
  return fmt::format("{}{}[{}]", evidence.note, evidence.note.empty() ? "" : "\n",
                     citation(evidence));
}

std::string cubes_text(const Generation& generation) {
  return fmt::format("and any AxBxC of multiples of 4 with A <= B <= C, up to {}",
                     count(generation.max_chips, "chip"));
}

std::string machine_shapes_text(const Generation& generation, const MachineType& machine) {
  const auto shapes =
      texts(machine.shapes, [](const Shape& shape) { return shape.topology.text(); });
  return text::join(shapes, " ") + (machine.cubes ? ", " + cubes_text(generation) : "");
}

// ` doubtful`, after `before`; nothing where the machine type is public.
std::string status_text(std::string_view before, const MachineType& machine,
                        std::string_view after) {
  return machine.status == catalog::Status::published
             ? ""
             : fmt::format("{}{}{}", before, word(machine.status), after);
}

// Other machine types of the generation that form the same shape.
std::string rivals(const Generation& generation, const MachineType& machine,
                   const Topology& topology) {
  const auto names = texts(machine_types_for(generation, topology), &MachineType::name,
                           [&](const auto* other) { return other->name != machine.name; });
  return names.empty() ? "" : fmt::format("; so can {}", text::join(names, ", "));
}

std::string_view hosts_text(spec::Hosts hosts) {
  switch (hosts) {
    case spec::Hosts::one:
      return "one host";
    case spec::Hosts::several:
      return "several hosts";
    case spec::Hosts::any:
      break;
  }
  return "one host or several";
}

std::string_view slices_text(spec::Slices slices) {
  switch (slices) {
    case spec::Slices::joined:
      return "joined by Multislice";
    case spec::Slices::independent:
      return "a replica on each";
    case spec::Slices::workers:
      return "of one host each, with independent workers";
    case spec::Slices::one:
      break;
  }
  return "one";
}

std::vector<schema::FieldDoc> spec_field_docs(const Catalog& catalog) {
  return schema::field_docs(schema::TableOf<spec::Claims>::table,
                            [&](NameSet set) { return names(catalog, set); });
}

// Answers by the tables about a word, with a member function for each kind of topic.
class Answers {
 public:
  Answers(const Catalog& catalog, std::string_view word) : catalog_(catalog), word_(word) {}

  Sheet& sheet() { return sheet_; }

  // Says whether the generation is available with the model: `yes, since GKE 1.33.0`, `no`,
  // `doubtful`, `not known`.
  void add_support(std::string_view label, const Model& model, std::string_view generation) {
    const Support* support = find_support(model, generation);
    if (support == nullptr) {
      sheet_.entry(label, "not known");
      return;
    }
    sheet_
        .entry(label, "{}{}{}{}", explain::support_word(*support),
               support->since.empty() ? "" : ", since GKE ", support->since,
               support->access == Access::allowlist ? ", for projects on an allowlist" : "")
        .from(cite(support->evidence));
  }

  // Says whether the zone has flex-start capacity, and which reservations in calendar mode.
  void add_zone(std::string_view label, std::string_view value, const Zone& zone) {
    std::string text = !zone.flex_start ? "not known" : *zone.flex_start ? "yes" : "no";
    if (zone.calendar_mode) text += "; reservations in calendar mode";
    if (zone.calendar_mode && zone.calendar_mode != CalendarMode::any)
      text += fmt::format(" for {} workloads", word(*zone.calendar_mode));
    sheet_.entry(label, text).from(cite(zone.evidence)).with(value);
  }

  void add_minimums(const auto& minimums) {
    sheet_.section("Minimum GKE version");
    for (const auto& minimum : minimums)
      sheet_
          .entry(minimum.version, minimum.mode == MinimumMode::auto_created
                                      ? "for nodes that GKE creates itself"
                                      : fmt::format("on {}", word(minimum.mode)))
          .from(cite(minimum.evidence));
  }

  void describe(const Generation& generation) {
    sheet_.title("{}: {}", generation.id, text::join(generation.names, ", "));
    std::vector<std::string_view> labels;
    for (const auto& machine : generation.machine_types) {
      if (!contains(labels, machine.accelerator)) labels.push_back(machine.accelerator);
    }
    sheet_.section("Chips");
    sheet_.entry("label", text::join(labels, ", "));
    sheet_
        .entry("a chip", "{} GB of memory, {}, {} as JAX counts them", generation.hbm_gb,
               count(generation.cores_per_chip, "TensorCore"),
               count(generation.devices_per_chip, "device"))
        .from(cite(generation.evidence));
    std::string largest = fmt::format("at most {}", count(generation.max_chips, "chip"));
    if (generation.doubtful_above > 0)
      largest += fmt::format("; sources disagree above {}", generation.doubtful_above);
    sheet_.entry("a slice", largest).from(cite(generation.limit_evidence));
    sheet_.entry("Multislice", generation.multislice ? "yes" : "no");
    const Slicing& slicing = generation.slicing;
    const auto shapes = [](catalog::List<Shape> list) {
      return text::join(texts(list, [](const Shape& shape) { return shape.topology.text(); }), " ");
    };
    if (!slicing.pools.empty())
      sheet_
          .entry(slicing.title, "`provisioning.poolTopology` {}: slices of {}{}",
                 shapes(slicing.pools), shapes(slicing.parts),
                 slicing.joins ? ", or of several pools" : "")
          .from(cite(slicing.evidence));
    sheet_.section("Machine types");
    for (const auto& machine : generation.machine_types)
      sheet_
          .entry(machine.name, "{}{}: {}", status_text("", machine, ": "),
                 count(machine.chips, "chip"), machine_shapes_text(generation, machine))
          .from(cite(machine.evidence));
    sheet_.section("Provisioning models");
    for (const auto& model : catalog_.models) add_support(model.name, model, generation.id);
    add_minimums(generation.minimums);
    sheet_.section("Known zones, and their flex-start capacity");
    for (const Zone& zone : generation.zones) add_zone(zone.name, "", zone);
    sheet_.section("Compute Engine quota");
    for (const auto& quota : generation.quotas)
      sheet_.entry(word(quota.kind), "`{}`", quota.name).from(cite(quota.evidence));
  }

  void describe(const Generation& generation, const MachineType& machine) {
    const auto source = cite(machine.evidence);
    sheet_.title("{}: {} machine type{}", machine.name, generation.id,
                 status_text(", ", machine, ""));
    sheet_.section("A VM");
    sheet_.entry("label", machine.accelerator);
    sheet_.entry("chips", "{}, and no other request of google.com/tpu", machine.chips);
    if (machine.max_containers > 1)
      sheet_.entry("containers", "GKE accepts {} in a pod, with {} each", machine.max_containers,
                   count(machine.chips / machine.max_containers, "chip"));
    if (machine.refuses_topology_flag)
      sheet_.entry("topology flag", "GKE rejects `--tpu-topology`");
    const auto add_number = [&](std::string_view label, int number, std::string_view unit) {
      if (number > 0) sheet_.entry(label, "{}{}", number, unit);
    };
    add_number("vCPUs", machine.vcpus, "");
    add_number("memory", machine.memory_gib, " GiB");
    add_number("NUMA nodes", machine.numa_nodes, "");
    if (!machine.boot_disk_types.empty())
      sheet_.entry("boot disk", text::join(machine.boot_disk_types, ", "));
    sheet_.entry("source", "").from(source);
    sheet_.section("Topologies");
    for (const auto& shape : machine.shapes) {
      const auto chips = shape.topology.chips();
      const auto of_shape = cite(shape.evidence);
      sheet_
          .entry(shape.topology.text(), "{}, {}{}", count(chips, "chip"),
                 count(chips / machine.chips, "host"), rivals(generation, machine, shape.topology))
          .from(of_shape == source ? "" : of_shape);
    }
    if (machine.cubes) sheet_.paragraph(cubes_text(generation));
  }

  // The nearest topologies of one that no generation has.
  void list_nearest(const Topology& topology) {
    sheet_.paragraph("Not available in any generation.");
    sheet_.section("Nearest topologies");
    for (const auto& generation : catalog_.generations) {
      if (const auto ordered = reordered_shape(generation, topology)) {
        sheet_.entry(generation.id, "{}, the same sizes in ascending order", ordered->text());
        continue;
      }
      const auto nearest =
          texts(nearest_topologies(generation, topology), [](const auto& existing) {
            return fmt::format("{} ({})", existing.text(), count(existing.chips(), "chip"));
          });
      sheet_.entry(generation.id, text::join(nearest, ", "));
    }
  }

  void generation() {
    const auto is_name = [&](std::string_view name) { return is_asked(name); };
    for (const auto& generation : catalog_.generations) {
      if (is_asked(generation.id) || any_of(generation.names, is_name) ||
          any_of(texts(generation.machine_types, &MachineType::accelerator), is_name))
        describe(generation);
    }
  }

  void machine() {
    const auto name = text::lower(word_);
    if (const auto* generation = generation_of_machine_type(catalog_, name))
      describe(*generation, *find_machine_type(*generation, name));
  }

  void topology() {
    const auto topology = parse_topology(word_);
    if (!topology) return;
    sheet_.title("{}: topology of {}", topology->text(), count(topology->chips(), "chip"));
    sheet_.section("Formed by");
    bool exists = false, ambiguous = false;
    for (const auto& generation : catalog_.generations) {
      const auto machines = machine_types_for(generation, *topology);
      exists = exists || !machines.empty();
      ambiguous = ambiguous || machines.size() > 1;
      for (const auto* machine : machines)
        sheet_
            .entry(generation.id, "{} of {}", count(topology->chips() / machine->chips, "host"),
                   count(machine->chips, "chip"))
            .from(cite(*find_shape(generation, *machine, *topology)))
            .with(machine->name);
    }
    if (ambiguous)
      sheet_.paragraph(
          "Where a generation has two machine types for it, their nodes have the same accelerator "
          "and topology labels, so `tpu.machineType` must choose one.");
    if (exists) return;
    sheet_.section("");
    list_nearest(*topology);
  }

  void describe(const Model& model) {
    sheet_.title("{}: provisioning model", model.name);
    sheet_.section("Nodes");
    sheet_.entry("at first", model.nodes == FirstNodes::none
                                 ? "none; the autoscaler adds them for pending pods"
                                 : "all of the pool");
    sheet_.entry("lifetime", model.lifetime);
    if (model.max_run_seconds > 0)
      sheet_.entry("maxRunDuration", "{}{} to {}",
                   model.takes_run_duration ? "" : "not configurable in a spec; GKE accepts ",
                   schema::duration_text(model.min_run_seconds),
                   schema::duration_text(model.max_run_seconds));
    sheet_.entry("when idle", "Billed: {}", model.idle);
    sheet_.entry("quota", "{}, of Compute Engine", word(model.quota));
    sheet_.entry("clusters", text::join(texts(model.modes, word<ClusterMode>), ", "));
    if (model.needs_queue) sheet_.entry("needs", "`provisioning.queue`");
    if (model.takes_reservation) sheet_.entry("needs", "`provisioning.reservation`");
    sheet_.entry("source", "").from(cite(model.evidence));
    sheet_.section("Generations");
    for (const auto& generation : catalog_.generations)
      add_support(generation.id, model, generation.id);
  }

  // Names of the facts whose evidence has the source.
  std::string cited_for(std::string_view source) const {
    std::vector<std::string_view> names;
    const auto add = [&](std::string_view name, const Evidence& evidence) {
      if (contains(evidence.sources, source) && !contains(names, name)) names.push_back(name);
    };
    const auto add_all = [&](const auto& things, auto name) {
      for (const auto& thing : things) add(thing.*name, thing.evidence);
    };
    for (const auto& generation : catalog_.generations) {
      add(generation.id, generation.evidence);
      add(generation.id, generation.limit_evidence);
      add(generation.id, generation.slicing.evidence);
      for (const auto& quota : generation.quotas) add(generation.id, quota.evidence);
      add_all(generation.machine_types, &MachineType::name);
      for (const auto& minimum : generation.minimums) add(generation.id, minimum.evidence);
      add_all(generation.zones, &Zone::name);
    }
    for (const auto& model : catalog_.models) {
      add(model.name, model.evidence);
      add(model.name, model.grace_evidence);
      for (const auto& support : model.supports) add(model.name, support.evidence);
    }
    add_all(catalog_.features, &Feature::name);
    add_all(catalog_.ports, &Port::use);
    add_all(catalog_.default_requests, &DefaultRequest::resource);
    add_all(catalog_.node_labels, &NodeLabel::key);
    add_all(catalog_.autopilot_capabilities, &Capability::name);
    add_all(catalog_.storage_classes, &StorageClass::name);
    add_all(catalog_.class_selectors, &Reserved::name);
    add_all(catalog_.mistakes, &Mistake::name);
    add_all(catalog_.reserved_env, &Reserved::name);
    return text::join(names, ", ");
  }

  // `v5p-8`: what people say for a slice, by cores on some generations and by chips on others.
  void describe(const CoreName& core_name) {
    const auto& [generation, number, per_chip] = core_name;
    const std::string chips = count(number / per_chip, "chip");
    sheet_.title("{}: not a GKE name", word_);
    sheet_.paragraph(per_chip > 1
                         ? fmt::format("Cloud TPU counts TensorCores here: {} / {} a chip = {}.",
                                       number, per_chip, chips)
                         : fmt::format("Cloud TPU counts chips here: {}.", chips));
    std::vector<std::string> shapes;
    for (const auto& topology : topologies(*generation, number / per_chip)) {
      if (topology.chips() * per_chip == number) shapes.push_back(topology.text());
    }
    sheet_.paragraph(shapes.empty() ? fmt::format("No {} slice has that many.", generation->id)
                                    : fmt::format("Write `type: {}` and `topology: {}`.",
                                                  generation->id, text::join(shapes, "` or `")));
    if (const auto meant = topology_of_chips(*generation, number / per_chip);
        meant && shapes.size() > 1)
      sheet_.paragraph(fmt::format("xpk and Cloud TPU mean {} by the number.", meant->text()));
  }

  void describe(const schema::FieldDoc& doc, const std::vector<schema::FieldDoc>& docs) {
    const schema::Field& field = *doc.field;
    sheet_.title("{}: field of a spec", doc.path);
    sheet_.paragraph(field.doc);
    sheet_.section("Value");
    sheet_.entry("type",
                 doc.type + (field.presence == schema::Presence::required ? ", required" : ""));
    if (!field.fallback.empty()) sheet_.entry("default", field.fallback);
    if (!field.example.empty()) sheet_.entry("example", "{}: {}", field.key, field.example);
    sheet_.section("Fields");
    for (const auto& inner : docs) {
      std::string_view rest = inner.path;
      if (!rest.starts_with(doc.path)) continue;
      rest.remove_prefix(doc.path.size());
      // `.key`, `[].key`, `.NAME.key`
      if ((rest.starts_with('.') || rest.starts_with('[')) &&
          std::count(rest.begin(), rest.end(), '.') == (rest.starts_with(".NAME.") ? 2 : 1))
        sheet_.entry(inner.field->key, inner.field->doc);
    }
  }

  void describe(const spec::WorkloadKind& kind) {
    sheet_.title("{}: workload kind", kind.word);
    sheet_.section("Workload");
    sheet_.entry("object", kind.object);
    if (const auto* controller = controller_of(kind))
      sheet_.entry("needs", "{} in the cluster, {}{}{}", controller->name, controller->site,
                   controller->tested.empty() ? "" : "; tested ", controller->tested);
    sheet_.entry("runs", kind.ends ? "until its command ends" : "until it is deleted");
    sheet_.entry("a slice", "has {}{}", hosts_text(kind.hosts),
                 kind.instead.empty() ? "" : fmt::format("; for others, `kind: {}`", kind.instead));
    sheet_.entry("slices", kind.pathways ? "driven by one program on a head without chips"
                                         : slices_text(kind.slices));
    if (kind.max_name < 63) sheet_.entry("name", "has at most {} characters", kind.max_name);
    sheet_.section("Fields that not every kind has");
    for (const schema::Field& field : schema::TableOf<spec::Workload>::table.fields) {
      if (contains(text::split(field.kinds, ' '), kind.word)) sheet_.entry(field.key, field.doc);
    }
    sheet_.section("Example");
    sheet_.paragraph(fmt::format("`flexslice init --kind {}` prints a spec.", kind.word));
  }

  // How many of its ports the largest host can open.
  int most_ports(std::optional<PortOwner> per) const {
    int most = 1;
    for (const auto& generation : catalog_.generations) {
      for (const auto& machine : generation.machine_types) {
        if (per == PortOwner::chip) most = std::max(most, machine.chips);
        if (per == PortOwner::container) most = std::max(most, machine.max_containers);
      }
    }
    return most;
  }

  void model() {
    if (const auto* asked = find_where(catalog_.models, [&](const Model& model) {
          return is_asked(model.name) || is_asked(model.title);
        }))
      describe(*asked);
  }

  void kind() {
    for (const spec::WorkloadKind& kind : spec::kinds) {
      const bool is_scheduled =
          kind.word == spec::scheduled_job.word && is_asked(spec::scheduled_job.object);
      if (is_asked(kind.word) || is_asked(kind.object) || is_scheduled) describe(kind);
    }
  }

  void zone() {
    bool titled = false;
    for (const auto& generation : catalog_.generations) {
      for (const Zone& zone : generation.zones) {
        const bool in_region = is_asked(resolve::region_of(zone.name));
        if (!in_region && !is_asked(zone.name)) continue;
        if (!titled) {
          sheet_.title("{}: {}", word_, in_region ? "region" : "zone");
          sheet_.section("Generations known there, and their flex-start capacity");
        }
        titled = true;
        add_zone(generation.id, in_region ? std::string_view(zone.name) : std::string_view(), zone);
      }
    }
  }

  void feature() {
    for (const auto& feature : catalog_.features) {
      if (!is_asked(feature.name)) continue;
      sheet_.title("{}: {}", feature.name, feature.title);
      add_minimums(feature.minimums);
    }
  }

  void field() {
    const std::vector<schema::FieldDoc> docs = spec_field_docs(catalog_);
    for (const auto& doc : docs) {
      if (doc.path == word_ || doc.field->key == word_) describe(doc, docs);
    }
  }

  void port() {
    const auto number = text::whole_number(word_);
    const auto* port = find_where(catalog_.ports, [&](const Port& candidate) {
      return number && *number >= candidate.number &&
             *number < candidate.number + most_ports(candidate.per);
    });
    if (port == nullptr) return;
    sheet_.title("{}: {}", *number, port->use);
    sheet_.section("Container port");
    std::string where = port->when == PortUse::always ? "in every pod with TPUs"
                        : port->when == PortUse::jax  ? "on the first host, by the program"
                                                      : fmt::format("with {}", word(port->when));
    if (port->per)
      where += fmt::format("; {} for the first {}, and the next port for each further one",
                           port->number, word(*port->per));
    sheet_.entry("open", where).from(cite(port->evidence));
  }

  void resource() {
    for (const auto& request : catalog_.default_requests) {
      if (request.resource != word_) continue;
      sheet_.title("{}: resource of a container", request.resource);
      sheet_.section("Without a request");
      sheet_.entry(request.quantity, "on {}", word(request.mode)).from(cite(request.evidence));
      return;
    }
  }

  void reserved() {
    const auto look = [&](ReservedList rows, std::string_view what) {
      const Reserved* reserved = find_reserved(rows, word_);
      if (reserved == nullptr) return;
      sheet_.title("{}: {} reserved by flexslice", reserved->name, what);
      sheet_.paragraph(reserved->why);
      if (!reserved->evidence.sources.empty()) sheet_.paragraph(cite(reserved->evidence));
    };
    look(catalog_.reserved_env, "environment variable");
    look(catalog_.reserved_selectors, "node label");
    look(catalog_.reserved_labels, "label");
  }

  void source() {
    for (const auto& source : catalog_.sources) {
      if (!is_asked(source.id)) continue;
      sheet_.title("{}: {}", source.id, source.title);
      sheet_.section("Source");
      sheet_.entry("date", source.date);
      if (!source.checked.empty()) sheet_.entry("checked", source.checked);
      if (const auto names = cited_for(source.id); !names.empty()) sheet_.entry("cited for", names);
    }
  }

  // People also ask for things that are no names.
  void guide() {
    const yaml::Value guides = templates::expand({}, "explain/guides", {});
    for (const yaml::Value& guide : guides.items) {
      const yaml::Value* also = guide.find("also");
      if (!is_asked(guide.text_at({"word"})) &&
          (also == nullptr ||
           !any_of(also->items, [&](const yaml::Value& each) { return is_asked(each.text); })))
        continue;
      sheet_.title("{}: {}", guide.text_at({"word"}), guide.text_at({"title"}));
      sheet_.paragraph(guide.text_at({"text"}));
      const yaml::Value* sections = guide.find("sections");
      if (sections == nullptr) continue;
      for (const yaml::Value& section : sections->items) {
        sheet_.section(section.text_at({"heading"}));
        for (const yaml::Value& row : section.find("rows")->items)
          sheet_.entry(row.text_at({"label"}), row.text_at({"text"}));
      }
    }
  }

  void mistake() {
    if (const auto core_name = find_core_name(catalog_, word_); core_name && core_name->count > 0)
      return describe(*core_name);
    const Mistake* mistake = find_mistake(catalog_, word_);
    if (mistake == nullptr) return;
    sheet_.title("{}: not a GKE name", mistake->name);
    if (!mistake->why.empty()) sheet_.paragraph(mistake->why);
    if (!mistake->instead.empty()) sheet_.paragraph(fmt::format("Write `{}`.", mistake->instead));
    if (!mistake->evidence.sources.empty()) sheet_.paragraph(cite(mistake->evidence));
  }

  // Lists all that is known of the releases of a program.
  void release() {
    if (is_asked("releases")) return list_releases();
    for (const auto& known : schema::servers::releases()) {
      const auto is_its = [&](const Controller& controller) {
        return any_of(schema::servers::served_objects(), [&](const auto& object) {
          return object.program == known.program && object.version.starts_with(controller.group);
        });
      };
      const Controller* controller = find_where(catalog_.controllers, is_its);
      const std::string_view word = controller == nullptr ? std::string_view() : controller->word;
      const bool is_gke = known.program == "kubernetes" && is_asked("gke");
      if (is_asked(known.program) || is_asked(known.title) || is_gke ||
          (!word.empty() && (is_asked(word) || is_asked(controller->name))))
        describe(known, controller);
    }
  }

  void list_releases() {
    sheet_.title("releases: what is known here of each program's objects");
    sheet_.section("The newest, and when it was made");
    for (const auto& known : schema::servers::releases())
      sheet_.entry(known.program, "{} of {}", known.newest, known.newest_date);
  }

  void describe(const schema::servers::Release& known, const Controller* controller) {
    sheet_.title("{}: releases of {} that are known here", word_, known.title);
    sheet_.section("Fields, types and limits of objects");
    if (!known.older.empty()) sheet_.entry(known.older, "of {}", known.older_date);
    sheet_.entry(known.newest, "of {}, the newest", known.newest_date);
    std::map<std::string_view, std::vector<std::string_view>> kinds;
    for (const auto& object : schema::servers::served_objects()) {
      if (object.program == known.program) kinds[object.version].push_back(object.kind);
    }
    sheet_.section("API versions");
    const std::string_view name = controller == nullptr ? std::string_view() : controller->word;
    for (const ServedApi& served : catalog_.served_apis) {
      if (!name.empty() && served.controller == name) kinds[served.version];
    }
    for (const auto& [version, of_version] : kinds) {
      const ServedApi* served = find_served_api(catalog_, version);
      std::string text = text::join(of_version, ", ");
      const auto add = [&](std::string_view when, std::string_view release) {
        if (!release.empty())
          text += fmt::format("{}{} {}", text.empty() ? "" : "; ", when, release);
      };
      if (served != nullptr) {
        add("from", served->since);
        add("not from", served->until);
      }
      auto& entry = sheet_.entry(version, text);
      if (served != nullptr) entry.from(cite(served->evidence));
    }
    if (controller != nullptr && !controller->minimums.empty()) {
      sheet_.section("Needed for what compile writes");
      for (const ControllerMinimum& minimum : controller->minimums) {
        sheet_
            .entry(minimum.title,
                   minimum.versions.empty() ? "no known release" : versions_text(minimum))
            .from(cite(minimum.evidence));
      }
    }
    sheet_.section("Upgrades");
    for (const UpgradeEffect& row : catalog_.upgrade_effects) {
      if (row.program == name || (known.program == "kubernetes" && row.program == "gke"))
        sheet_.entry(row.release, "{}: {}", word(row.effect), row.what).from(cite(row.evidence));
    }
  }

  // The controller that has to be installed for the kind, or null.
  const Controller* controller_of(const spec::WorkloadKind& kind) const {
    return find_where(catalog_.controllers, [&](const Controller& controller) {
      return contains(controller.kinds, kind.object);
    });
  }

  // Upper and lower case count as the same.
  bool is_asked(std::string_view name) const { return text::lower(name) == text::lower(word_); }

  const Catalog& catalog_;
  std::string_view word_;
  Sheet sheet_;
};

struct Topic {
  std::string_view category;
  void (Answers::*answer)();
  NameSet names = NameSet::none;  // the catalog's set of words
};

constexpr Topic topics[] = {
    {"release", &Answers::release},
    {"type", &Answers::generation, NameSet::generations},
    {"machineType", &Answers::machine, NameSet::machine_types},
    {"topology", &Answers::topology, NameSet::topologies},
    {"model", &Answers::model, NameSet::models},
    {"kind", &Answers::kind},
    {"zone", &Answers::zone, NameSet::zones},
    {"feature", &Answers::feature},
    {"guide", &Answers::guide},
    {"field", &Answers::field},
    {"port", &Answers::port},
    {"resource", &Answers::resource},
    {"reserved", &Answers::reserved},
    {"source", &Answers::source, NameSet::sources},
    {"name", &Answers::mistake},
};

}  // namespace

std::vector<std::string_view> topic_categories() { return texts(topics, &Topic::category); }

std::optional<std::string> topic_text(const Catalog& catalog, std::string_view word,
                                      std::string_view category) {
  Answers answers(catalog, word);
  for (const auto& topic : topics) {
    // `v5litepod`, a product name, is explained already.
    const bool explained = topic.category == "name" && !answers.sheet().empty();
    if (!explained && (category.empty() || topic.category == category)) (answers.*topic.answer)();
  }
  return answers.sheet().empty() ? std::nullopt : std::optional(answers.sheet().take());
}

std::vector<std::string> topic_words(const Catalog& catalog, std::string_view category) {
  std::vector<std::string> words;
  const auto add = [&](const auto& more) { words.insert(words.end(), more.begin(), more.end()); };
  for (const auto& topic : topics) {
    if (category.empty() || topic.category == category) add(names(catalog, topic.names));
  }
  if (category.empty() || category == "type") {
    for (const auto& generation : catalog.generations) {
      for (std::string_view name : generation.names) words.emplace_back(name);
      add(texts(generation.machine_types, &MachineType::accelerator));
    }
  }
  if (category.empty() || category == "kind") {
    for (const spec::WorkloadKind& kind : spec::kinds) words.emplace_back(kind.word);
  }
  if (category.empty() || category == "release") {
    add(texts(schema::servers::releases(), &schema::servers::Release::program));
    words.emplace_back("releases");
  }
  if (category.empty() || category == "feature") add(texts(catalog.features, &Feature::name));
  if (category == "field") add(texts(spec_field_docs(catalog), &schema::FieldDoc::path));
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace flexslice::explain
