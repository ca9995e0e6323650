// What is known about TPUs on GKE: generations, machine types, shapes, provisioning models, minimum
// versions, zones, gcloud's flags. The data stands in src/catalog/data/*.yaml and is compiled in as
// tables; `--catalog FILE` adds to it or overrides it in the same form. facts/ and rules/ ask it;
// explain and catalog print it. Texts are views into the tables, which outlive the Catalog.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/topology.hpp"
#include "diag/diag.hpp"
#include "yaml/frozen.hpp"

namespace flexslice::catalog {

using diag::Confidence;

// A list of texts, read where it stands in the table: nothing is copied when the catalog is loaded.
class Texts {
 public:
  class Iterator {
   public:
    explicit Iterator(yaml::View::Iterator at) : at_(at) {}
    std::string_view operator*() const { return (*at_)->text; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    yaml::View::Iterator at_;
  };

  Texts() = default;
  explicit Texts(yaml::View sequence) : sequence_(sequence) {}

  Iterator begin() const {
    return Iterator(sequence_ ? sequence_.begin() : yaml::View::Iterator());
  }
  Iterator end() const { return Iterator(sequence_ ? sequence_.end() : yaml::View::Iterator()); }
  bool empty() const { return begin() == end(); }
  bool contains(std::string_view text) const;
  std::vector<std::string_view> list() const;

 private:
  yaml::View sequence_;
};

// Who says so, and how sure it is. Every fact carries one.
struct Evidence {
  Confidence confidence = Confidence::high;
  Span where;     // of the fact in an overlay; {} when it is built in
  Texts sources;  // ids of Catalog::sources; empty: nobody is named (overlays, and facts of low
                  // confidence)
  std::string_view as_of;  // `2026-08`, when the newest source was read or is dated
  std::string_view note;   // doubts and conflicts, in a sentence
};

struct Source {
  std::string_view id;
  std::string_view title;
  std::string_view date;
};

// A GKE version such as `1.33.0-gke.1712000`, compared by its four numbers. A part that is not
// given counts as 0.
struct Version {
  std::array<std::int64_t, 4> parts{};
  friend auto operator<=>(const Version&, const Version&) = default;
};
// `1.33`, `1.33.0`, `1.33.0-gke.1712000`; nothing for any other form.
std::optional<Version> parse_version(std::string_view text);

// One slice shape that a machine type can form.
struct Shape {
  Topology topology;
  Evidence evidence;
};

struct MachineType {
  std::string_view name;         // as for --machine-type
  std::string_view accelerator;  // value of cloud.google.com/gke-tpu-accelerator
  int chips = 0;                 // per VM; also the only possible request of google.com/tpu
  int vcpus = 0;                 // per VM, informational; 0 is unknown
  int memory_gib = 0;            // per VM, informational; 0 is unknown
  int numa_nodes = 0;            // informational; 0 is unknown
  Texts boot_disk_types;         // the only ones it takes; empty: not known to be restricted
  std::vector<Shape> shapes;     // ascending by chips; for cubes only the small ones
  int max_containers = 1;        // of one pod that can share the chips in equal parts
  bool refuses_topology_flag =
      false;  // the server refuses --tpu-topology for a pool of single hosts
  bool cubes =
      false;  // also any AxBxC of multiples of 4 with A <= B <= C, within the generation's bounds
  std::string_view status = "public";  // `public`; `doubtful`: known to some tools only, needs a
                                       // warning; `unknown`: rejected
  Evidence evidence;
};

// The GKE version that a feature needs.
struct Minimum {
  // Of clusters, `standard` or `autopilot`; or `auto-created`: nodes that GKE creates itself, on
  // Autopilot or by node auto-provisioning.
  std::string_view mode;
  std::string_view version;
  Evidence evidence;
};

struct Zone {
  std::string_view name;
  std::optional<bool> flex_start;  // nothing: not known
  // Workloads that reservations in calendar mode take here: `any`, `batch` or `serving`; empty: no
  // such reservations.
  std::string_view calendar_mode;
  // For a cluster's own nodes, where its region lacks the machines that gcloud takes by default;
  // empty: it has them, or it is not known.
  std::string_view cluster_machine_type;
  Evidence evidence;
};

// The Compute Engine quota that nodes of a generation count against, in chips. Its name as the
// console shows it.
struct Quota {
  std::string_view kind;  // as Model::quota
  std::string_view name;
  Evidence evidence;
};

struct Generation {
  std::string_view id;              // as in tpu.type
  Texts names;                      // product names
  int dimensions = 2;               // of its topologies
  int cores_per_chip = 1;           // TensorCores
  int devices_per_chip = 1;         // as JAX counts them
  int hbm_gb = 0;                   // per chip
  std::int64_t max_chips = 0;       // of one slice
  std::int64_t doubtful_above = 0;  // more chips than this are a warning; 0: no such bound
  int max_dimension = 0;            // of a cube, in chips; 0: no such bound
  bool multislice = true;
  // How a multi-host pool gets its shape: `topology` (--tpu-topology), `policy` (a workload
  // policy), or `both`.
  std::string_view placement = "topology";
  Texts core_names;  // prefixes of names that count cores or chips instead of naming a shape
  bool core_names_count_cores =
      false;  // the number behind the prefix counts TensorCores, otherwise chips
  std::vector<MachineType> machine_types;
  std::vector<Minimum> minimums;
  std::vector<Zone> zones;
  std::vector<Quota> quotas;
  Evidence evidence;
  Evidence limit_evidence;  // of max_chips and doubtful_above
};

// Whether one provisioning model can be had on some generations.
struct Support {
  Texts generations;
  bool supported = true;
  std::string_view since;   // GKE version; empty: not known or always
  std::string_view access;  // `allowlist`: only for projects that Google admits; empty: open to all
  Evidence evidence;
};

struct Label {
  std::string_view key, value;
};
struct Taint {
  std::string_view key, value, effect;
};

// How nodes are provisioned, in terms that every back end understands.
struct Model {
  std::string_view name;   // the word in the spec
  std::string_view title;  // for sentences: `flex-start`, `a reservation`
  std::string_view nodes;  // what the pool starts with: `none` (the autoscaler adds them) or `all`
  std::string_view quota;  // the quota that is used: `preemptible`, `on-demand` or `reserved`
  std::string_view idle;   // what stays billed when no workload runs, one sentence
  std::string_view lifetime;  // how long a node lives, one sentence
  std::string_view autopilot_idle,
      autopilot_lifetime;          // the same where GKE makes the nodes; empty: no different
  bool needs_queue = false;        // only a ProvisioningRequest, and so a queue, makes nodes come
  bool takes_reservation = false;  // provisioning.reservation is required; elsewhere it is refused
  bool takes_run_duration =
      false;  // provisioning.maxRunDuration is accepted; elsewhere it is refused
  std::int64_t min_run_seconds =
      0;  // bounds of the node lifetime that can be requested from GKE; 0: not known
  std::int64_t max_run_seconds = 0;
  std::int64_t default_run_seconds =
      0;                    // node lifetime when maxRunDuration is not given; 0: unlimited
  bool flex_start = false;  // nodes of flex-start capacity, which zones are checked for
  bool spot = false;        // nodes of Spot capacity
  bool auto_repair = true;  // GKE repairs the nodes
  std::string_view reservation_affinity;  // of pools, in gcloud's words; empty: its default
  std::string_view location_policy;  // of the autoscaler, in gcloud's words; empty: its default
  std::vector<Label>
      node_selector;  // labels that GKE gives the nodes, or the pool has from node_labels
  std::vector<Label> node_labels;  // given to the nodes by the pool
  std::vector<Taint> taints;       // of the nodes, which the pods tolerate
  Texts modes;                     // cluster modes that have it: `standard`, `autopilot`
  std::vector<Support> supports;
  Evidence evidence;
};

// Something a spec may use that has a minimum GKE version of its own, such as `multislice` or
// `autopilot`.
struct Feature {
  std::string_view name;
  std::string_view title;
  std::vector<Minimum> minimums;
  Evidence evidence;
};

// What needs a version of a controller.
struct ControllerMinimum {
  std::string_view feature;  // the name that plan/ knows it by
  std::string_view title;    // for sentences: `for …`
  Texts versions;  // the first release that has it, on each release branch, ascending; every later
                   // branch has it
  Evidence evidence;
};

// A controller that has to be installed in the cluster, and that generated objects are for.
struct Controller {
  std::string_view name;
  std::string_view group;  // of its objects' apiVersion, with the `/`
  std::string_view site;
  std::vector<ControllerMinimum> minimums;
  Evidence evidence;
};

struct Port {
  int number = 0;
  std::string_view use;
  std::string_view when;  // `always` or `multislice`
  std::string_view
      per;  // `chip` or `container`: each further one has the next port; empty: there is one
  Evidence evidence;
};

// A flag that the catalog's gcloud lacks or that is younger than the command it belongs to.
struct GcloudFlag {
  std::string_view name;   // `--flex-start`
  std::string_view since;  // first gcloud version that is known to have it; empty: later than
                           // Catalog::gcloud_version, not known when
  std::string_view note;
};
// One gcloud command and its flags, for the promise that no emitted command has a flag which the
// stated gcloud lacks.
struct GcloudCommand {
  std::string_view
      name;  // `container node-pools create`; `*` has the flags that every command takes
  std::string_view since;  // the gcloud version whose help lists `flags`
  std::string_view flags;  // separated by blanks
  std::vector<GcloudFlag> later;
};

// A name that people write and should not, with what to write instead: of a machine, accelerator or
// generation that does not exist here, or an old name of a node label.
struct Mistake {
  std::string_view name;
  std::string_view instead;  // empty: nothing takes its place
  std::string_view why;      // one sentence
  Evidence evidence;
};

// What GKE requests for a container that does not request it.
struct DefaultRequest {
  std::string_view resource;  // `ephemeral-storage`
  std::string_view mode;      // of the clusters that do it: `standard` or `autopilot`
  std::string_view quantity;  // `1Gi`
  Evidence evidence;
};

// A name that a spec must not give: an environment variable that GKE sets, a node label that
// flexslice selects by, a label that a controller sets. A name ending in `*` stands for all that
// begin so.
struct Reserved {
  std::string_view name;
  std::string_view why;
  Evidence evidence;
};

struct Catalog {
  std::string_view as_of;  // date of the newest fact
  std::string_view
      gcloud_version;  // the oldest that is described, and the one that scripts are written for
  std::string_view gcloud_newest;  // the newest whose flags are known
  std::vector<Source> sources;
  std::vector<Generation> generations;
  std::vector<Model> models;
  std::vector<Feature> features;
  std::vector<Controller> controllers;
  std::vector<Port> ports;
  std::vector<DefaultRequest> default_requests;
  std::vector<GcloudCommand> gcloud_commands;
  std::vector<Mistake> mistakes;
  std::vector<Reserved> reserved_env;
  std::vector<Reserved> reserved_selectors;
  std::vector<Reserved> reserved_labels;
  std::vector<Mistake> deprecated_labels;  // of nodes
  bool overlaid = false;                   // by something else than the built-in facts
};

// Adds one document's facts. A thing whose name (`id`, `name`, `number`) is already there keeps
// what the document does not give; lists of named things are merged in the same way, other lists
// are replaced. Evidence comes from the nearest enclosing `evidence` of the document. Reports what
// is malformed (32xx); a document with errors is still added as far as it was understood.
void load(yaml::View document, Catalog& catalog, diag::Sink& sink);
// Across everything loaded: hosts × chips per VM = chips, shapes unique, legal and sorted, versions
// readable, every name known. What has no place of its own (built-in facts that an overlay made
// wrong) is reported at `where`.
void verify(const Catalog& catalog, diag::Sink& sink, Span where = {});
// The built-in facts.
Catalog built_in();

// By id, or by an accelerator label value. Null when there is none.
const Generation* find_generation(const Catalog& catalog, std::string_view text);
const MachineType* find_machine_type(const Generation& generation, std::string_view name);
// The generation that has this machine type, or null.
const Generation* generation_of_machine_type(const Catalog& catalog, std::string_view name);
const Model* find_model(const Catalog& catalog, std::string_view name);
const Feature* find_feature(const Catalog& catalog, std::string_view name);
const Controller* find_controller(const Catalog& catalog, std::string_view name);
// `0.16.6, 0.17.1, 0.18.0 or later`.
std::string versions_text(const ControllerMinimum& minimum);
// The row for this cluster mode, or null: no minimum is known.
const Minimum* find_minimum(const std::vector<Minimum>& minimums, std::string_view mode);
const Zone* find_zone(const Generation& generation, std::string_view name);
// The row of that kind, or null: its name is not known.
const Quota* find_quota(const Generation& generation, std::string_view kind);
// The support row that speaks of this generation, or null: not known to be supported.
const Support* find_support(const Model& model, std::string_view generation);
// A slice name such as `v5p-8`, which counts TensorCores on some generations and chips on others.
struct CoreName {
  const Generation* generation;
  std::int64_t count;     // the number in the name
  std::int64_t per_chip;  // what one chip counts
};
std::optional<CoreName> find_core_name(const Catalog& catalog, std::string_view name);
// Upper and lower case count as the same here.
const Mistake* find_mistake(const Catalog& catalog, std::string_view name);
const Mistake* find_deprecated_label(const Catalog& catalog, std::string_view name);
const Source* find_source(const Catalog& catalog, std::string_view id);

// The names of one set: `generations`, `machine types` (the public ones), `models`, `zones`,
// `topologies` (cubes up to 256 chips), `sources`. Without repetitions, in the catalog's order.
std::vector<std::string> names(const Catalog& catalog, std::string_view set);

// Whether that version of gcloud knows the flag of that command (or of every command). Empty
// `version`: the catalog's own.
bool gcloud_knows(const Catalog& catalog, std::string_view command, std::string_view flag,
                  std::string_view version = {});
// Whether `words`, separated by blanks, has that word.
bool has_word(std::string_view words, std::string_view word);
// What is known about a flag that the catalog's gcloud lacks, or null.
const GcloudFlag* find_later_flag(const Catalog& catalog, std::string_view command,
                                  std::string_view flag);

// The row that reserves the name, or null.
using ReservedList = const std::vector<Reserved>&;
const Reserved* find_reserved(ReservedList reserved, std::string_view name);

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
// The existing shape of the same sizes, for one that is only written in another order.
std::optional<Topology> in_order(const Generation& generation, const Topology& wanted);
// The one or two existing shapes next to `wanted` by chips, then by form: the largest not above and
// the smallest not below.
std::vector<Topology> nearest_topologies(const Generation& generation, const Topology& wanted);

// `CA, XPK (high, 2026-08)`.
std::string citation(const Evidence& evidence);

}  // namespace flexslice::catalog
