// The catalog holds all facts about TPUs on GKE: generations, machine types, shapes, provisioning
// models, minimum versions, zones, gcloud's flags. The data is in src/catalog/data/*.yaml and is
// compiled in as constants; `--catalog FILE` adds to it or overrides it in the same format.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "catalog/topology.hpp"
#include "diag/diag.hpp"
#include "schema/name_patterns.hpp"
#include "spec/sets.hpp"
#include "yaml/node.hpp"

namespace flexslice::catalog {

using diag::Confidence;
using spec::ClusterMode, spec::Effect;

// Built-in strings and rows are constants; those of overlays are in Catalog::storage.
using Text = std::string_view;
template <class T>
using List = std::span<const T>;
using Texts = List<Text>;

// A GKE version such as `1.33.0-gke.1712000`, compared by its four numbers. A part that is not
// given counts as 0.
struct Version {
  std::array<std::int64_t, 4> parts{};
  friend auto operator<=>(const Version&, const Version&) = default;
};
// `1.33`, `1.33.0`, `1.33.0-gke.1712000`; nothing for any other form.
std::optional<Version> parse_version(std::string_view text);

// `doubtful` is known to some tools only and needs a warning, `unknown` is rejected.
enum class Status : std::uint8_t { published, doubtful, unknown };
constexpr auto words(Status) { return word_list("public", "doubtful", "unknown"); }

// A change of a field has one of these results, from the mildest: nothing stops, running pods and
// nodes stay as they are, some pods end, they are replaced step by step, all pods stop, or the
// change is refused.
enum class ChangeResult : std::uint8_t { in_place, new_only, fewer, rollout, stop, recreate };
constexpr auto words(ChangeResult) {
  return word_list("inPlace", "newOnly", "fewer", "rollout", "stop", "recreate");
}

// Something has to be done before an upgrade, objects are refused after it, or mean something else.
enum class UpgradeStep : std::uint8_t { first, refused, changed };
constexpr auto words(UpgradeStep) { return word_list("first", "refused", "changed"); }

// How a multi-host pool gets its shape: by --tpu-topology, by a workload policy, or by both.
enum class Placement : std::uint8_t { topology, policy, both };
constexpr auto words(Placement) { return word_list("topology", "policy", "both"); }

// The sizes of a topology are the sides of a torus, or chips of a board x boards of a group x
// groups, in this order.
enum class Wiring : std::uint8_t { torus, boards };
constexpr auto words(Wiring) { return word_list("torus", "boards"); }

// A minimum version is for clusters, or for nodes that GKE creates itself, on Autopilot or by node
// auto-provisioning.
enum class MinimumMode : std::uint8_t { standard, autopilot, auto_created };
constexpr auto words(MinimumMode) {
  return word_list(word(ClusterMode::standard), word(ClusterMode::autopilot), "auto-created");
}

// Workloads that reservations in calendar mode take.
enum class CalendarMode : std::uint8_t { any, batch, serving };
constexpr auto words(CalendarMode) { return word_list("any", "batch", "serving"); }

// The kinds of Compute Engine quota.
enum class QuotaKind : std::uint8_t { preemptible, on_demand, reserved };
constexpr auto words(QuotaKind) { return word_list("preemptible", "on-demand", "reserved"); }

// Only projects that Google admits may have some models.
enum class Access : std::uint8_t { allowlist };
constexpr auto words(Access) { return word_list("allowlist"); }

// A pool starts with all of its nodes, or with none if the autoscaler adds them.
enum class FirstNodes : std::uint8_t { none, all };
constexpr auto words(FirstNodes) { return word_list("none", "all"); }

// Pools and the autoscaler take these values, with gcloud's words.
enum class ReservationAffinity : std::uint8_t { none, specific };
constexpr auto words(ReservationAffinity) { return word_list("none", "specific"); }
enum class LocationPolicy : std::uint8_t { any, balanced };
constexpr auto words(LocationPolicy) { return word_list("ANY", "BALANCED"); }

// Workloads whose pods have a port open, and what has a port of its own there. No manifest names
// the port of JAX, which the program chooses.
enum class PortUse : std::uint8_t { always, multislice, jax };
constexpr auto words(PortUse) { return word_list("always", "multislice", "jax"); }
enum class PortOwner : std::uint8_t { chip, container };
constexpr auto words(PortOwner) { return word_list("chip", "container"); }

#define FS_TABLE(type, noun, scalar) struct type {
#define FS_REQUIRED(type, member, ...) type member{};
#define FS_OPTIONAL(type, member, ...) type member{};
#define FS_DEFAULT(type, member, value) type member = value;
#define FS_MEMBER(type, member) type member{};
#define FS_END \
  }            \
  ;
#include "catalog/rows.def"

// The built-in facts. Nothing is decoded, copied or allocated.
Catalog built_in();
// Adds one document's facts. A row whose name (`id`, `name`, `number`) is already there keeps what
// the document does not give; lists of named rows are merged in the same way, other lists are
// replaced. Evidence comes from the nearest enclosing `evidence` of the document. Reports what is
// malformed (32xx); a document with errors is still added as far as it was understood.
void load(const yaml::Node& document, Catalog& catalog, diag::Sink& sink);
// Across everything loaded: hosts × chips per VM = chips, shapes unique, legal and sorted, versions
// readable, every name known. What has no place of its own (built-in facts that an overlay made
// wrong) is reported at `where`.
void verify(const Catalog& catalog, diag::Sink& sink, Span where = {});

// The row that has this name, or null.
template <class T, class Name>
const T* named(List<T> rows, Name T::*name, const auto& text) {
  return find_where(rows, [&](const T& row) { return row.*name == text; });
}

// By id, or by an accelerator label value. Null when there is none.
const Generation* find_generation(const Catalog& catalog, std::string_view text);
// By an accelerator label value alone. Null when there is none.
const Generation* generation_of_label(const Catalog& catalog, std::string_view value);
inline const MachineType* find_machine_type(const Generation& generation, std::string_view name) {
  return named(generation.machine_types, &MachineType::name, name);
}
// The generation that has this machine type, or null.
const Generation* generation_of_machine_type(const Catalog& catalog, std::string_view name);
inline const Model* find_model(const Catalog& catalog, std::string_view name) {
  return named(catalog.models, &Model::name, name);
}
inline const Feature* find_feature(const Catalog& catalog, std::string_view name) {
  return named(catalog.features, &Feature::name, name);
}
inline const Controller* find_controller(const Catalog& catalog, std::string_view name) {
  return named(catalog.controllers, &Controller::name, name);
}
// Returns whether the release has what the minimum is about. A release such as `0.16` is taken for
// the latest one of its branch.
bool has_release(const ControllerMinimum& minimum, std::string_view release);
// `0.16.6, 0.17.1, 0.18.0 or later`.
std::string versions_text(const ControllerMinimum& minimum);
// The row for this, or null: no minimum is known.
inline const Minimum* find_minimum(List<Minimum> minimums, MinimumMode mode) {
  return named(minimums, &Minimum::mode, mode);
}
inline const Zone* find_zone(const Generation& generation, std::string_view name) {
  return named(generation.zones, &Zone::name, name);
}
// The row of that kind, or null: its name is not known.
inline const Quota* find_quota(const Generation& generation, QuotaKind kind) {
  return named(generation.quotas, &Quota::kind, kind);
}
// The price of a chip and hour, or null: no source gives it.
const Price* find_price(const Catalog& catalog, std::string_view generation,
                        std::string_view region, std::string_view model);
// The price of an hour of an ordinary node, or null: no source gives it.
const OrdinaryPrice* find_ordinary_price(const Catalog& catalog, std::string_view machine,
                                         std::string_view region);
// `2.7` in millionths; nothing if it is no amount.
std::optional<std::int64_t> parse_dollars(std::string_view text);
// `$43.20`, rounded to the cent.
std::string dollars_text(std::int64_t millionths);
// The support row of this generation, or null: not known to be supported.
const Support* find_support(const Model& model, std::string_view generation);
// A slice name such as `v5p-8`, which counts TensorCores on some generations and chips on others.
struct CoreName {
  const Generation* generation;
  std::int64_t count;     // the number in the name
  std::int64_t per_chip;  // what one chip counts
};
std::optional<CoreName> find_core_name(const Catalog& catalog, std::string_view name);
// The shape that a name means by that many chips; nothing: no slice has them.
std::optional<Topology> topology_of_chips(const Generation& generation, std::int64_t chips);
// The slice that a device type such as `v5p-128` or `v6e-4x4` names.
struct Device {
  const Generation* generation;
  std::string_view prefix;                // `v5p-`
  std::int64_t chips = 0;                 // 0: the number is of no whole chips
  bool has_shape = false;                 // the name has a topology, not a number
  std::optional<Topology> topology = {};  // nothing: there is no such slice
};
// Returns nothing if the name begins as no device type does.
std::optional<Device> find_device(const Catalog& catalog, std::string_view name);
// The names of the next smaller and the next larger slices, as far as there are some.
std::vector<std::string> devices_near(const Device& device);
// Upper and lower case count as the same here.
const Mistake* find_mistake(const Catalog& catalog, std::string_view name);
inline const Mistake* find_deprecated_label(const Catalog& catalog, std::string_view name) {
  return named(catalog.deprecated_labels, &Mistake::name, name);
}
inline const Source* find_source(const Catalog& catalog, std::string_view id) {
  return named(catalog.sources, &Source::id, id);
}

using schema::NameSet;
// The names of one set, of machine types the public ones, of topologies cubes up to 256 chips.
// Without repetitions, in the catalog's order.
std::vector<std::string> names(const Catalog& catalog, NameSet set);

// Returns whether that version of gcloud knows the flag of that command (or of every command). An
// empty `version` means the catalog's own.
bool gcloud_knows(const Catalog& catalog, std::string_view command, std::string_view flag,
                  std::string_view version = {});
// Returns whether the catalog lists the flags that later versions added to the command.
bool knows_later_flags(const Catalog& catalog, std::string_view command);
// `words` are separated by spaces.
bool has_word(std::string_view words, std::string_view word);
// Returns the facts about a flag that the catalog's gcloud lacks, or null.
const GcloudFlag* find_later_flag(const Catalog& catalog, std::string_view command,
                                  std::string_view flag);
// Says since when gcloud has a flag that this version lacks, or which one is meant.
void explain_unknown_flag(const Catalog& catalog, std::string_view command, std::string_view flag,
                          std::string_view version, diag::Diagnostic& finding);

// The row of that kind in the API version, else of the version, or null.
const OldVersion* find_old_version(const Catalog& catalog, std::string_view version,
                                   std::string_view kind);

// The row of the API version, or null.
const ServedApi* find_served_api(const Catalog& catalog, std::string_view version);
// Returns whether the stated release comes before the other one. Without a third number it stands
// for the latest of its branch.
bool is_before(std::string_view stated, std::string_view release);
const Controller* controller_by_word(const Catalog& catalog, std::string_view word);

// Returns whether a release of Kubernetes or GKE has the fault, or nothing if the text does not
// say.
std::optional<bool> has_fault(const KubernetesFault& fault, std::string_view version);

// The row that reserves the name, or null.
using ReservedList = List<Reserved>;
const Reserved* find_reserved(ReservedList reserved, std::string_view name);

// The chips and sizes that the largest slice may have. Tools know shapes beyond them.
bool fits_limits(const Generation& generation, const Topology& topology);

// The evidence that this machine type forms that shape, or null. Cubes are judged by their rule,
// with the generation's limits.
const Evidence* find_shape(const Generation& generation, const MachineType& machine,
                           const Topology& topology);
// Machine types that can form the shape: several for 2x4, none for a shape that does not exist.
// Doubtful ones only when no public one can.
std::vector<const MachineType*> machine_types_for(const Generation& generation,
                                                  const Topology& topology);
// The shapes that public machine types form (of a generation without any: doubtful ones), ascending
// by chips; cubes up to `max_chips`.
std::vector<Topology> topologies(const Generation& generation, std::int64_t max_chips = 256);
// All shapes that a spec can have with this `tpu.type`, the generation's id or an accelerator
// label; ascending by chips.
std::vector<Topology> topologies_of_type(const Generation& generation, std::string_view type);
// The existing shape of the same sizes, for one that is only written in another order.
std::optional<Topology> reordered_shape(const Generation& generation, const Topology& wanted);
// The one or two existing shapes next to `wanted` by chips, then by form: the largest not above and
// the smallest not below.
std::vector<Topology> nearest_topologies(const Generation& generation, const Topology& wanted);

// Returns whether slices of that shape can be made of such node pools.
bool can_form(const Slicing& slicing, const Topology& pool, const Topology& slice);
// The shapes of slices within such a pool, the largest first.
std::vector<Topology> parts_of(const Slicing& slicing, const Topology& pool);
// The label of nodes of one part of that shape.
std::string part_label(const Slicing& slicing, const Topology& part);

// `CA, XPK (high, 2026-08)`.
std::string citation(const Evidence& evidence);

}  // namespace flexslice::catalog
