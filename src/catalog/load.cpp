// The tables of a catalog document: every key of every thing, and the member it fills.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "catalog/catalog.hpp"
#include "catalog/loader.hpp"

namespace flexslice::catalog {

namespace {

template <class Owner, class Value>
Owner owner_of(Value Owner::*);

template <auto Member>
void read_member(Loader& loader, const Field& field, yaml::View value, void* object) {
  using Owner = decltype(owner_of(Member));
  loader.read(field, value, static_cast<Owner*>(object)->*Member);
}

template <auto Member>
constexpr Field optional(std::string_view key, std::string_view choices = {}) {
  return {key, read_member<Member>, false, choices};
}

template <auto Member>
constexpr Field required(std::string_view key, std::string_view choices = {}) {
  return {key, read_member<Member>, true, choices};
}

// The evidence of a thing that encloses others is read before its other fields.
constexpr Field evidence_read_before{"evidence", [](Loader&, const Field&, yaml::View, void*) {}};

}  // namespace

template <>
struct Form<Source> {
  static constexpr std::array fields{
      required<&Source::id>("id"),
      required<&Source::title>("title"),
      required<&Source::date>("date"),
  };
  static constexpr Table table{"a source", fields};
  static constexpr std::string_view name_key = "id";
  static constexpr bool lone_scalar = false, encloses = false;
  static bool is(const Source& source, std::string_view name) { return source.id == name; }
};

template <>
struct Form<Shape> {
  static constexpr std::array fields{
      required<&Shape::topology>("topology"),
      optional<&Shape::evidence>("evidence"),
  };
  static constexpr Table table{"a shape", fields};
  static constexpr std::string_view name_key = "topology";
  static constexpr bool lone_scalar = true, encloses = false;
  static bool is(const Shape& shape, std::string_view name) {
    return shape.topology.text() == name;
  }
  static bool before(const Shape& a, const Shape& b) { return smaller(a.topology, b.topology); }
};

template <>
struct Form<MachineType> {
  static constexpr std::array fields{
      required<&MachineType::name>("name"),
      required<&MachineType::accelerator>("accelerator"),
      required<&MachineType::chips>("chips"),
      optional<&MachineType::vcpus>("vcpus"),
      optional<&MachineType::memory_gib>("memoryGib"),
      optional<&MachineType::numa_nodes>("numaNodes"),
      optional<&MachineType::boot_disk_types>("bootDiskTypes"),
      optional<&MachineType::status>("status", "public doubtful unknown"),
      optional<&MachineType::max_containers>("maxContainers"),
      optional<&MachineType::refuses_topology_flag>("refusesTopologyFlag"),
      Field{evidence_read_before},
      required<&MachineType::shapes>("shapes"),
      optional<&MachineType::cubes>("cubes"),
  };
  static constexpr Table table{"a machine type", fields};
  static constexpr std::string_view name_key = "name";
  static constexpr bool lone_scalar = false, encloses = true;
  static bool is(const MachineType& machine, std::string_view name) { return machine.name == name; }
};

template <>
struct Form<Minimum> {
  static constexpr std::array fields{
      required<&Minimum::mode>("mode", "standard autopilot auto-created"),
      required<&Minimum::version>("version"),
      optional<&Minimum::evidence>("evidence"),
  };
  static constexpr Table table{"a minimum version", fields};
  static constexpr std::string_view name_key = "mode";
  static constexpr bool lone_scalar = false, encloses = false;
  static bool is(const Minimum& minimum, std::string_view name) { return minimum.mode == name; }
};

template <>
struct Form<Zone> {
  static constexpr std::array fields{
      required<&Zone::name>("name"),
      optional<&Zone::flex_start>("flexStart"),
      optional<&Zone::calendar_mode>("calendarMode", "any batch serving"),
      optional<&Zone::cluster_machine_type>("clusterMachineType"),
      optional<&Zone::evidence>("evidence"),
  };
  static constexpr Table table{"a zone", fields};
  static constexpr std::string_view name_key = "name";
  static constexpr bool lone_scalar = true, encloses = false;
  static bool is(const Zone& zone, std::string_view name) { return zone.name == name; }
};

template <>
struct Form<Quota> {
  static constexpr std::array fields{
      required<&Quota::kind>("kind", "preemptible on-demand reserved"),
      required<&Quota::name>("name"),
      optional<&Quota::evidence>("evidence"),
  };
  static constexpr Table table{"a quota", fields};
  static constexpr std::string_view name_key = "kind";
  static constexpr bool lone_scalar = false, encloses = false;
  static bool is(const Quota& quota, std::string_view kind) { return quota.kind == kind; }
};

template <>
struct Form<Generation> {
  static constexpr std::array fields{
      required<&Generation::id>("id"),
      optional<&Generation::names>("names"),
      Field{evidence_read_before},
      required<&Generation::dimensions>("dimensions"),
      optional<&Generation::cores_per_chip>("coresPerChip"),
      optional<&Generation::devices_per_chip>("devicesPerChip"),
      optional<&Generation::hbm_gb>("hbmGb"),
      required<&Generation::max_chips>("maxChips"),
      optional<&Generation::doubtful_above>("doubtfulAbove"),
      optional<&Generation::limit_evidence>("limitEvidence"),
      optional<&Generation::max_dimension>("maxDimension"),
      optional<&Generation::multislice>("multislice"),
      optional<&Generation::placement>("placement", "topology policy both"),
      optional<&Generation::core_names>("coreNames"),
      optional<&Generation::core_names_count_cores>("coreNamesCountCores"),
      required<&Generation::machine_types>("machineTypes"),
      optional<&Generation::minimums>("minimums"),
      optional<&Generation::zones>("zones"),
      optional<&Generation::quotas>("quotas"),
  };
  static constexpr Table table{"a generation", fields};
  static constexpr std::string_view name_key = "id";
  static constexpr bool lone_scalar = false, encloses = true;
  static bool is(const Generation& generation, std::string_view name) {
    return generation.id == name;
  }
};

template <>
struct Form<Support> {
  static constexpr std::array fields{
      required<&Support::generations>("generations"),
      optional<&Support::supported>("supported"),
      optional<&Support::since>("since"),
      optional<&Support::access>("access", "allowlist"),
      optional<&Support::evidence>("evidence"),
  };
  static constexpr Table table{"a support row", fields};
  static constexpr std::string_view name_key = {};
  static constexpr bool lone_scalar = false, encloses = false;
  static bool is(const Support&, std::string_view) { return false; }
};

template <>
struct Form<Label> {
  static constexpr std::array fields{
      required<&Label::key>("key"),
      required<&Label::value>("value"),
  };
  static constexpr Table table{"a label", fields};
  static constexpr std::string_view name_key = "key";
  static constexpr bool lone_scalar = false, encloses = false;
  static bool is(const Label& label, std::string_view name) { return label.key == name; }
};

template <>
struct Form<Taint> {
  static constexpr std::array fields{
      required<&Taint::key>("key"),
      required<&Taint::value>("value"),
      required<&Taint::effect>("effect", "NoSchedule PreferNoSchedule NoExecute"),
  };
  static constexpr Table table{"a taint", fields};
  static constexpr std::string_view name_key = "key";
  static constexpr bool lone_scalar = false, encloses = false;
  static bool is(const Taint& taint, std::string_view name) { return taint.key == name; }
};

template <>
struct Form<Model> {
  static constexpr std::array fields{
      required<&Model::name>("name"),
      required<&Model::title>("title"),
      Field{evidence_read_before},
      required<&Model::nodes>("nodes", "none all"),
      required<&Model::quota>("quota", "preemptible on-demand reserved"),
      required<&Model::idle>("idle"),
      required<&Model::lifetime>("lifetime"),
      optional<&Model::autopilot_idle>("autopilotIdle"),
      optional<&Model::autopilot_lifetime>("autopilotLifetime"),
      optional<&Model::needs_queue>("needsQueue"),
      optional<&Model::takes_reservation>("takesReservation"),
      optional<&Model::takes_run_duration>("takesRunDuration"),
      optional<&Model::min_run_seconds>("minRunSeconds"),
      optional<&Model::max_run_seconds>("maxRunSeconds"),
      optional<&Model::default_run_seconds>("defaultRunSeconds"),
      optional<&Model::flex_start>("flexStart"),
      optional<&Model::spot>("spot"),
      optional<&Model::auto_repair>("autoRepair"),
      optional<&Model::reservation_affinity>("reservationAffinity", "none specific"),
      optional<&Model::location_policy>("locationPolicy", "ANY BALANCED"),
      optional<&Model::node_selector>("nodeSelector"),
      optional<&Model::node_labels>("nodeLabels"),
      optional<&Model::taints>("taints"),
      required<&Model::modes>("modes"),
      required<&Model::supports>("supports"),
  };
  static constexpr Table table{"a provisioning model", fields};
  static constexpr std::string_view name_key = "name";
  static constexpr bool lone_scalar = false, encloses = true;
  static bool is(const Model& model, std::string_view name) { return model.name == name; }
};

template <>
struct Form<Feature> {
  static constexpr std::array fields{
      required<&Feature::name>("name"),
      required<&Feature::title>("title"),
      Field{evidence_read_before},
      required<&Feature::minimums>("minimums"),
  };
  static constexpr Table table{"a feature", fields};
  static constexpr std::string_view name_key = "name";
  static constexpr bool lone_scalar = false, encloses = true;
  static bool is(const Feature& feature, std::string_view name) { return feature.name == name; }
};

template <>
struct Form<ControllerMinimum> {
  static constexpr std::array fields{
      required<&ControllerMinimum::feature>("feature"),
      required<&ControllerMinimum::title>("title"),
      required<&ControllerMinimum::versions>("versions"),
      optional<&ControllerMinimum::evidence>("evidence"),
  };
  static constexpr Table table{"a minimum of a controller", fields};
  static constexpr std::string_view name_key = "feature";
  static constexpr bool lone_scalar = false, encloses = false;
  static bool is(const ControllerMinimum& minimum, std::string_view name) {
    return minimum.feature == name;
  }
};

template <>
struct Form<Controller> {
  static constexpr std::array fields{
      required<&Controller::name>("name"),         Field{evidence_read_before},
      required<&Controller::group>("group"),       required<&Controller::site>("site"),
      optional<&Controller::minimums>("minimums"),
  };
  static constexpr Table table{"a controller", fields};
  static constexpr std::string_view name_key = "name";
  static constexpr bool lone_scalar = false, encloses = true;
  static bool is(const Controller& controller, std::string_view name) {
    return controller.name == name;
  }
};

template <>
struct Form<Port> {
  static constexpr std::array fields{
      required<&Port::number>("number"),
      required<&Port::use>("use"),
      required<&Port::when>("when", "always multislice"),
      optional<&Port::per>("per", "chip container"),
      optional<&Port::evidence>("evidence"),
  };
  static constexpr Table table{"a port", fields};
  static constexpr std::string_view name_key = "number";
  static constexpr bool lone_scalar = false, encloses = false;
  static bool is(const Port& port, std::string_view name) {
    return text::whole_number(name) == port.number;
  }
};

template <>
struct Form<DefaultRequest> {
  static constexpr std::array fields{
      required<&DefaultRequest::resource>("resource"),
      required<&DefaultRequest::mode>("mode", "standard autopilot"),
      required<&DefaultRequest::quantity>("quantity"),
      optional<&DefaultRequest::evidence>("evidence"),
  };
  static constexpr Table table{"a default request", fields};
  static constexpr std::string_view name_key = "resource";
  static constexpr bool lone_scalar = false, encloses = false;
  static bool is(const DefaultRequest& request, std::string_view name) {
    return request.resource == name;
  }
};

template <>
struct Form<GcloudFlag> {
  static constexpr std::array fields{
      required<&GcloudFlag::name>("name"),
      optional<&GcloudFlag::since>("since"),
      optional<&GcloudFlag::note>("note"),
  };
  static constexpr Table table{"a flag", fields};
  static constexpr std::string_view name_key = "name";
  static constexpr bool lone_scalar = true, encloses = false;
  static bool is(const GcloudFlag& flag, std::string_view name) { return flag.name == name; }
};

template <>
struct Form<GcloudCommand> {
  static constexpr std::array fields{
      required<&GcloudCommand::name>("name"),
      required<&GcloudCommand::since>("since"),
      required<&GcloudCommand::flags>("flags"),
      optional<&GcloudCommand::later>("later"),
  };
  static constexpr Table table{"a gcloud command", fields};
  static constexpr std::string_view name_key = "name";
  static constexpr bool lone_scalar = false, encloses = false;
  static bool is(const GcloudCommand& command, std::string_view name) {
    return command.name == name;
  }
};

template <>
struct Form<Mistake> {
  static constexpr std::array fields{
      required<&Mistake::name>("name"),
      optional<&Mistake::instead>("instead"),
      required<&Mistake::why>("why"),
      optional<&Mistake::evidence>("evidence"),
  };
  static constexpr Table table{"a mistake", fields};
  static constexpr std::string_view name_key = "name";
  static constexpr bool lone_scalar = false, encloses = false;
  static bool is(const Mistake& mistake, std::string_view name) { return mistake.name == name; }
};

template <>
struct Form<Reserved> {
  static constexpr std::array fields{
      required<&Reserved::name>("name"),
      required<&Reserved::why>("why"),
      optional<&Reserved::evidence>("evidence"),
  };
  static constexpr Table table{"a reserved name", fields};
  static constexpr std::string_view name_key = "name";
  static constexpr bool lone_scalar = false, encloses = false;
  static bool is(const Reserved& reserved, std::string_view name) { return reserved.name == name; }
};

namespace {

constexpr std::array gcloud_fields{
    optional<&Catalog::gcloud_version>("version"),
    optional<&Catalog::gcloud_newest>("newest"),
    optional<&Catalog::gcloud_commands>("commands"),
};
constexpr Table gcloud_table{"the gcloud profile", gcloud_fields};

void read_gcloud(Loader& loader, const Field& field, yaml::View value, void* catalog) {
  if (!value.is_mapping()) return loader.wrong_type(field, value, "a mapping");
  loader.read_mapping(gcloud_table, value, catalog, false);
}

// The newest date of all documents.
void read_as_of(Loader& loader, const Field& field, yaml::View value, void* object) {
  auto& as_of = static_cast<Catalog*>(object)->as_of;
  std::string_view date;
  loader.read(field, value, date);
  as_of = std::max(as_of, date);
}

constexpr std::array document_fields{
    Field{"asOf", read_as_of},
    Field{evidence_read_before},
    optional<&Catalog::sources>("sources"),
    optional<&Catalog::generations>("generations"),
    optional<&Catalog::models>("models"),
    optional<&Catalog::features>("features"),
    optional<&Catalog::controllers>("controllers"),
    optional<&Catalog::ports>("ports"),
    optional<&Catalog::default_requests>("defaultRequests"),
    Field{"gcloud", read_gcloud},
    optional<&Catalog::mistakes>("mistakes"),
    optional<&Catalog::reserved_env>("reservedEnv"),
    optional<&Catalog::reserved_selectors>("reservedSelectors"),
    optional<&Catalog::reserved_labels>("reservedLabels"),
    optional<&Catalog::deprecated_labels>("deprecatedLabels"),
};
constexpr Table document_table{"the catalog", document_fields};

}  // namespace

void load(yaml::View document, Catalog& catalog, diag::Sink& sink) {
  catalog.overlaid = true;
  Loader(sink).read_document(document_table, document, catalog);
}

}  // namespace flexslice::catalog
