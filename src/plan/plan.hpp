// The plan: what a spec means, with everything derived and every cross-check passed. lower/ turns it into objects and commands; explain,
// provenance comments and `--emit plan` print what it says. Nothing in it is optional in the sense of "not yet known": an empty text or
// list means that there is none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/catalog.hpp"
#include "yaml/value.hpp"

namespace flexslice::plan {

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct Cluster {
  std::string name, location;  // both empty only on Autopilot
  std::string region;          // of location
  std::string project;         // empty: gcloud's configured one
  std::string version;         // empty: not stated
  bool autopilot = false;
  bool create = false;
  // What a cluster that is created needs, in gcloud's words; empty: nothing.
  std::string addons, workload_pool, machine_type;
};

// One slice; all slices are alike.
struct Tpu {
  const catalog::Generation* generation = nullptr;
  const catalog::MachineType* machine = nullptr;
  catalog::Topology topology;
  std::int64_t hosts = 1;  // VMs of one slice = topology.chips() / machine->chips
  std::int64_t slices = 1;

  bool multi_host() const { return hosts > 1; }
};

// One node pool; on Standard there is one for each slice, on Autopilot none.
struct Pool {
  std::string name;
  std::int64_t nodes = 1;        // multi-host: the slice's hosts; single-host: the most per zone
  std::string tpu_topology;      // value of --tpu-topology; empty: the flag must be absent
  std::string placement_policy;  // value of --placement-policy; empty: none
};

// A workload policy, for generations whose multi-host pools take their shape from one.
struct Policy {
  std::string name, region, topology;
};

// A path below projects/ as gcloud takes it, and its parts.
struct Reservation {
  std::string path, name, project, block, sub_block;
};

struct Provisioning {
  const catalog::Model* model = nullptr;
  std::string_view idle, lifetime;  // of the model, for the cluster's mode
  std::vector<std::string> zones;
  std::int64_t max_run_seconds = 0;  // 0: not asked for
  Reservation reservation;           // empty path: none
  std::string queue;                 // empty: none
  bool placed_by_queue = false;      // Kueue keeps each slice on one node pool
  std::string flavor;                // the queue's ResourceFlavor; empty without a queue
  std::int64_t quota_chips = 0;      // the most that the nodes can come to; counts against the Compute Engine quota of the model's kind
  std::vector<Pool> pools;
  std::vector<Policy> policies;
  Pairs resource_labels;  // on pools, of the form that Google Cloud takes
  Pairs node_labels;      // on nodes, so that the pods' own selectors match
};

// The pods, as far as the spec speaks of them. Fields of Kubernetes stand as values, ready to be written.
struct Workload {
  std::string kind;                     // of spec/kinds.def
  std::string service;                  // the headless Service that is also the pods' subdomain; empty: none
  std::vector<std::string> host_names;  // of the first and the last pod; empty where they are not known beforehand
  yaml::Value fields;                   // `workload.*` of the document, see document.cpp
};

// Why a value is what it is.
struct Reason {
  std::string path;                             // in the document, `tpu.hosts`
  std::string because;                          // one line with the arithmetic
  const catalog::Evidence* evidence = nullptr;  // null: follows from the spec alone
};

// A GKE version that something in the plan needs.
struct Need {
  std::string what;  // `v6e on Standard`
  std::string_view version;
  const catalog::Evidence* evidence = nullptr;
};

// A controller that the generated objects need, and the version that something in the plan needs of it.
struct ControllerNeed {
  const catalog::Controller* controller = nullptr;
  const catalog::ControllerMinimum* minimum = nullptr;
};

struct Patch {
  std::string kind, name;  // empty name: every object of the kind
  yaml::Node merge;        // a mapping; keeps its places, for findings about what it does
  Span where;              // of the target
};

struct Plan {
  std::string name, name_space;
  Pairs labels, annotations;  // sorted by key
  Cluster cluster;
  Tpu tpu;
  Provisioning provisioning;
  Workload workload;
  std::vector<Patch> patches;
  std::vector<Reason> reasons;
  std::vector<Need> needs;  // the highest version first
  std::vector<ControllerNeed> controllers;
  std::string source;  // file name of the spec, for headers
};

// What templates name in their holes. Values carry their reason as comment.
yaml::Value values(const Plan& plan);
// The plan as one document, which `--emit plan` prints: the values, then the versions they need and all reasons.
yaml::Value document(const Plan& plan);

// Every path of the document, with what it holds. A path ending in `.*` stands for whatever the user wrote below it.
struct PathDoc {
  std::string_view path;
  std::string_view type;  // `string`, `number`, `boolean`, `list`, `mapping`
  std::string_view doc;
};
std::span<const PathDoc> paths();
// Those of the values.
std::span<const PathDoc> value_paths();

// The JSON Schema (draft 2020-12) of the document, made from the paths. Open: later versions may add members.
yaml::Value json_schema(std::string_view id, std::string_view title);

}  // namespace flexslice::plan
