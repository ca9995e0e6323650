// The plan: what a spec means, with everything derived and every rule passed. Back ends turn it
// into objects and commands; explain, comments in artifacts and `--emit plan` print what it says,
// with the reason that each derived value carries. Nothing in it is optional in the sense of "not
// yet known": an empty text or list means that there is none. plan/fields.yaml has a row for each
// member: its key in the document and in templates, and what it holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "resolve/attempts.hpp"
#include "resolve/facts.hpp"
#include "schema/derived.hpp"
#include "schema/table.hpp"
#include "spec/claims.hpp"
#include "spec/kinds.hpp"
#include "yaml/value.hpp"

namespace flexslice::plan {

using resolve::Need;
using schema::Derived;
using schema::Pairs;
using schema::Text;

struct GkeCluster {
  std::string name, location;  // both empty only on Autopilot
  std::string region;          // of location
  std::string project;         // empty: gcloud's configured one
  std::string version;         // of GKE; empty: not stated
  std::string kueue;           // the release of Kueue; empty: not stated
  Pairs controllers;           // releases of all that are stated, by their words
  bool group_names = true;     // the release of JobSet has groupName
  bool autopilot = false, standard = true;
  bool create = false;
  bool zonal = false;  // the control plane is in one zone
  // A cluster that is created needs these, in gcloud's words; empty: nothing.
  std::string addons;
  std::string workload_pool;
  Derived<std::string_view> machine_type;
  Derived<std::int64_t> nodes =
      1;                           // of the default pool of a cluster that is created, in each zone
  Derived<std::string> node_zone;  // of that pool; empty: each zone of the region
  bool ray_operator = false;       // a cluster that is created gets it
  bool gcs_fuse = false, checkpoints = false;  // a cluster that is created gets their drivers
  bool gateway_api = false;  // a Standard cluster that is created gets it; Autopilot has it
};

// The slices, which are all alike.
struct TpuSlices {
  const catalog::Generation* in_generation = nullptr;
  const catalog::MachineType* machine = nullptr;

  std::string_view generation, accelerator;
  Derived<std::string_view> machine_type;
  std::string topology;
  Derived<std::int64_t> chips;           // of a slice
  Derived<std::int64_t> chips_per_host;  // also what the containers of a pod request together
  Derived<std::string> request;          // of a container, as a quantity
  Derived<std::int64_t> hosts;           // VMs of a slice
  bool multi_host = false;
  std::int64_t slices = 1;
  bool multislice = false;
  Derived<std::int64_t> total_chips, total_hosts;
  std::int64_t devices = 0;  // of all slices, as JAX counts them
};

// How the nodes of a pool are provisioned, in terms that every back end understands.
struct Scaling {
  bool from_zero = false;  // the pool starts empty, and pods that wait make it grow
  bool queued = false;     // only a ProvisioningRequest makes it grow
  std::int64_t least = 0;  // nodes in each zone that stay
  bool keeps_nodes = false;
};

struct NodeLabel {
  std::string key, value;
};

// One node pool; on Standard there is one for each multi-host slice and one for all single hosts,
// on Autopilot none. Of pools that exist already there is none either, unless they are named.
struct NodePool {
  std::string name;
  Derived<std::int64_t> nodes;  // multi-host: the slice's hosts; single-host: the most in each zone
  // The topology, if it is set on the pool itself; empty: it must not be set there.
  std::string tpu_topology;
  std::string disk_size;  // as --disk-size takes it, `200GB`; empty: GKE's default
  std::optional<std::int64_t> disk_gigabytes;  // the same as a number
  std::string placement_policy;  // the workload policy that has the shape; empty: none
  bool flex_start = false, spot = false;
  Scaling scaling;
  Derived<std::int64_t> initial_nodes;  // that the pool is created with
  bool nodes_certain = true;       // of a pool that exists already, as many may be another number
  bool nodes_by_topology = false;  // of one that exists already and has several hosts
  bool auto_repair = true;
  // Nothing: left to gcloud's default.
  std::optional<catalog::ReservationAffinity> reservation_affinity;
  std::optional<catalog::LocationPolicy> location_policy;
  Derived<std::string> max_run_duration;  // `3600s`; empty: none
  Pairs labels;                           // on the nodes
  std::vector<NodeLabel> label_list;      // the same
};

// A workload policy, for generations whose multi-host pools take their shape from one.
struct WorkloadPolicy {
  std::string name, region;
  Derived<std::string> topology;
  // How gcloud calls it that the chips are connected when a workload starts; empty: at once.
  std::string_view mode;
};

// A path below `projects` as gcloud takes it, and its parts.
struct Reservation {
  std::string path, name, project, block, sub_block;
  std::string in_project;  // the path without the project
};

// A field of the spec that is only passed on to node pools, in the words of those who make them.
struct PassedFlag {
  std::string word;   // `--disk-size=200GB`
  yaml::Value value;  // as all but gcloud take it
  std::string is;     // as gcloud prints it
  std::string_view field, title, api, terraform, config_connector, toolkit, compute_class;
};

struct NodeProvisioning {
  const catalog::Model* by_model = nullptr;
  const catalog::Model* reclaiming = nullptr;  // the first whose nodes may be; null: none

  bool create = true;      // the scripts create and delete the node pools
  bool by_scripts = true;  // and whatever else the spec describes
  bool autoscale = false;  // pools have nodes only while pods need them
  std::int64_t min_nodes = 0, warm = 0;
  std::string_view owner;  // of what the spec describes; empty: it describes nothing of the kind
  std::string_view owner_command;  // that creates it
  std::string_view model, title;
  std::string idle;           // what is billed without a workload
  std::string_view lifetime;  // of the model, for the cluster's mode
  std::string_view serving;   // what the model means for replicas that serve; empty: they end
  catalog::QuotaKind quota = {};
  std::string_view quota_name;
  Derived<std::int64_t> quota_chips;  // the most that the nodes can come to
  Derived<std::vector<std::string>> zones;
  std::string zone_list, zone;
  Derived<std::string> max_run_seconds;
  std::string autopilot_run_seconds;  // the same on Autopilot, where the pods ask for it
  std::optional<Reservation> reservation;
  bool takes_reservation = false;  // of the model; the spec need not name one of a pool that exists
  std::string queue;
  bool their_queue = false;  // somebody else made it, and its flavors have no topology
  std::string priority;      // WorkloadPriorityClass of Kueue; empty: none
  std::optional<std::int64_t> priority_value;  // of the class that queues.yaml makes
  bool requests_nodes = false;                 // Kueue has to make a ProvisioningRequest
  std::string resource_labels;                 // of pools as Google Cloud resources, `a=1,b=2`
  Pairs resource_label_map;                    // the same
  // Slices may be parts of node pools, or have several: these say the pools' shape, and how.
  std::string pool_topology;
  const catalog::Slicing* slicing = nullptr;
  // It demands these of the cluster and of its nodes, as GKE describes them; empty: nothing.
  std::string release_channel, image_type;
  Derived<std::string> scopes;  // of access that the nodes have; empty: gcloud's default
  std::string node_labels;      // of nodes, so that the pods' own selectors match
  Pairs node_selector;          // labels of nodes of this model
  std::vector<spec::Toleration> tolerations;
  std::vector<PassedFlag> flags;  // of pools that the spec describes
  yaml::Value passed;             // the same by the fields of the spec
};

// The nodes of the workload cost this by list prices. `unknown` where no source gives the price.
struct Cost {
  const catalog::Model* model = nullptr;  // whose price it is
  std::string region;
  Derived<std::string> per_chip_hour, per_hour;  // US dollars, `$43.20`
  Derived<std::string> least_per_hour;  // with the fewest replicas; empty: always all nodes
  Derived<std::string> head_per_hour;   // of the node of the head of Pathways; empty: unknown
  Derived<std::string> per_run;         // with all nodes until their lifetime ends; empty: no bound
  std::optional<std::int64_t> hour, run;  // the same in millionths of a dollar
  std::int64_t chips = 0;  // that it is for; fewer than all of the pools where nodes come and go
};

// Nodes that a CapacityBuffer keeps beside those that pods use.
struct WarmNodes {
  std::string name;
  std::int64_t nodes = 0;
  std::string chips;              // of a unit, as a Kubernetes quantity
  std::string per_hour, per_day;  // as in Cost
};

// GKE tries the steps in order whenever it needs nodes, where there are models to fall back to.
struct ClassStep {
  std::string_view model, title;
  std::string_view rank;  // `first` or `then`
  NodePool pool;          // as GKE makes it, with no name
  std::optional<Reservation> reservation;
  std::optional<std::int64_t> run_seconds;
  Cost cost;
  std::string per_hour;  // of the cost
};
struct ComputeClass {
  std::string name;
  std::vector<ClassStep> steps;
};

// A WorkloadPriorityClass that a queue of a team brings.
struct PriorityLevel {
  std::string name;
  std::int64_t value = 0;
};

// The ClusterQueue of a team on the nodes of a spec without a workload, in chips.
struct QueueOfTeam {
  std::string name;
  std::vector<std::string> namespaces;
  std::int64_t quota = 0;
  std::string cohort;                        // empty: the queue shares nothing
  std::optional<std::int64_t> borrow, lend;  // none: all that there is
  std::string weight;
  bool preempts = false;  // one of the next three is said
  std::string within_queue, reclaim, borrow_policy;
  std::optional<std::int64_t> borrow_priority;
  std::vector<PriorityLevel> priorities;
  std::int64_t most = 0;  // that it gets when no other queue uses anything
  std::string says;       // the same as a sentence
};

// The queues that an admin gives to teams.
struct Capacity {
  std::vector<QueueOfTeam> queues;
  std::vector<std::string> namespaces;  // of all queues, each once
};

// Names and amounts of the Kueue objects.
struct QueueResource {
  std::string name, quota;
  std::string borrowing, lending;  // limits; empty: none
};
struct KueueQueue {
  std::string flavor;
  // The pools that the workload runs on, in one value: where Kueue cannot see their nodes, each has
  // a flavor of its own. Empty: Kueue places the pods, or GKE chooses the pool.
  std::string pools;
  std::string topology;               // empty: Kueue does not place the pods
  std::vector<std::string> levels;    // node labels of the topology, the outermost first
  std::string check;                  // empty: neither nodes nor slices need a request
  std::string_view controller;        // of the check
  bool requests_nodes = false;        // the check makes a ProvisioningRequest
  std::optional<std::int64_t> quota;  // of chips in the flavor, where the spec says it
  std::optional<QueueOfTeam> team;    // none: the queue is that of one workload
  // The pods of the workload request these together. Counted on the objects, because patches change
  // them.
  std::vector<std::string> resource_names;
  std::vector<QueueResource> resources;
};

// How pods find the nodes of their slice, and only those.
struct PodPlacement {
  std::int64_t pools = 1;               // that the workload needs, named or not
  std::string node_pool;                // the one pool; empty: none, or several
  std::vector<std::string> node_pools;  // several pools
  std::string pool_label;               // value of a label of several pools' nodes; empty: none
  std::string_view machine_type;        // where the pools are not known, and labels leave it open
  std::string topology;                 // that the nodes have; empty: they get it with the slice
  std::string slice_topology;           // that the pods ask for; empty: the nodes'
  std::string mode;                     // of nodes without connected chips
  std::string level;                    // label of the nodes that Kueue keeps a slice on
  // The pods follow each other onto a pool whose name is not known in advance.
  bool together = false;
  bool apart = false;          // no other Job's pods get onto the pool
  std::string_view own_label;  // that the workload's own pods have
  std::string identity;        // where `apart` and the namespace is stated: a label of its own pods
  bool exclusive = false;      // the workload's controller gives each slice a pool of its own
  // Kueue compares the pod template with taints, before there are pods.
  bool tolerates_tpus = false;
  bool by_queue = false;       // Kueue puts each slice onto one pool: the only one,
  bool slices_in_one = false;  // Kueue puts the slice onto one pool
  bool slices_apart = false;   // Kueue puts each slice onto a pool of its own
  std::string slice_size;      // pods of a slice, as text, where Kueue does that
};

struct ContainerVariable {
  Text name;
  spec::EnvValue said;
};

struct ContainerPort {
  Text name;
  Derived<std::int64_t> number;
};

struct PodVolume {
  spec::Volume said;  // without the sources of which there are members here
  bool memory = false, empty_dir = false;
  Text size_limit, pvc, bucket, mount_options;
  std::string_view driver;  // of GKE, for the volume of a pod; empty: none
};

// Memory of the nodes that a driver of GKE keeps checkpoints in. Without a name, somebody else has
// set it up.
struct CheckpointMemory {
  std::string name;  // of the CheckpointConfiguration
  std::string bucket, memory;
  std::string mount_path;
};

// A claim that volumes.yaml makes, with what it is a claim of.
struct MadeVolume {
  std::string name, storage_class, size, access;
  std::string disk_type;       // of the class, where that is made as well
  std::string bucket, volume;  // of a profile: its bucket, and the PersistentVolume of that
  std::vector<std::string> mount_options;
};

// How replicas that run on change to another version.
struct Rollout {
  Derived<std::int64_t> max_surge, max_unavailable;  // replicas
  Derived<std::int64_t> progress_deadline;           // seconds
};

// One of the workload's own containers, which are alike but for this.
struct Container {
  Text name;
  schema::List<ContainerPort> ports;
  schema::Tree startup_probe, readiness_probe, liveness_probe;
};

// Replicas whose number an autoscaler decides.
struct ReplicaScaler {
  std::int64_t min = 1, max = 1;
  std::string_view api_version, kind;         // of what it scales
  std::string resource;                       // of the pods' requests; empty: a metric of the pods
  std::optional<std::int64_t> percentage;     // of the requests
  Derived<std::string> metric;                // as the metrics API calls it; empty: a resource
  std::string average;                        // over the replicas, as a quantity
  Derived<std::optional<std::int64_t>> port;  // that Prometheus collects it from; none: not by it
  bool from_api = false;                      // it comes by the API of custom metrics
};

// How requests reach the replicas.
struct ModelRoute {
  std::string model;
  std::string class_name;  // of a Gateway that is created; empty: it exists
  std::string name;        // of the Gateway
  std::string name_space;  // of the Gateway; empty: that of the workload
  std::string header;      // in which a shared Gateway has the model; empty: all requests match
  std::string_view header_name;
  Derived<std::string> picker;
  std::int64_t picker_port = 0;
  std::vector<ContainerPort> ports;  // of the pods
};

// Pods of one slice that belong together.
struct Group {
  Derived<std::int64_t> size;
  bool leader_apart = false;  // one of them is a leader without chips, elsewhere
};

struct RayApplication {
  spec::Ray said;
  std::string entrypoint, script, serve_config;
};

// The head of Pathways, which drives the workers, and the workers.
struct PathwaysPods {
  spec::Pathways said;
  Derived<std::string> instance_type;      // as Pathways calls a slice, `tpuv6e:4x4`
  Derived<std::string_view> head_machine;  // with room for the head; empty: none is known
  Derived<std::string> server_image, proxy_image, worker_image;
  bool headless = false;  // the head has no container of the user's
  std::optional<std::int64_t> elastic_slices;
  spec::Resources server, proxy;        // what they request
  Derived<std::int64_t> backoff_limit;  // of the Job of a slice
};

// When a CronJob starts Jobs.
struct CronSchedule {
  spec::Schedule said;
  Derived<std::string> concurrency_policy;
  Derived<std::optional<std::int64_t>> starting_deadline;  // seconds
};

// The pods, in Kubernetes' terms.
struct WorkloadPods {
  const spec::WorkloadKind* of_kind = nullptr;
  spec::Workload said;  // what is only copied, of a leader with what it has of its own
  bool tpu = true;      // the pods have chips
  // The pods are the head of Pathways, or its workers.
  bool pathways_head = false, pathways_worker = false;

  schema::List<Text> command;                      // with the script, if there is one
  std::vector<ContainerVariable> env;              // after those that its value refers to
  std::vector<Container> containers;               // that share the chips of a host
  std::optional<std::int64_t> containers_per_pod;  // none: one
  schema::List<ContainerPort> ports;               // of the first, as are the probes
  std::vector<ContainerPort> service_ports;        // that clients connect to
  bool gcs_fuse = false;                           // a volume is a bucket
  schema::List<PodVolume> volumes;
  Derived<std::string> restart_policy;
  Derived<std::optional<std::int64_t>> backoff_limit;
  yaml::Value pod_failure_rules;  // of the spec
  Derived<std::optional<std::int64_t>> backoff_limit_per_index;
  // Actions for a reclaimed node, and for one that has lived as long as it may; empty: none.
  Derived<std::string_view> on_disruption, on_node_end;
  // Nodes that a host can have one after another; nothing: no known number.
  std::optional<std::int64_t> node_lives;
  Derived<std::optional<std::int64_t>> max_restarts;
  std::optional<CronSchedule> schedule;
  // After the nodes of a slice are lost, where that counts against the limits.
  Derived<std::optional<std::int64_t>> restarts;
  resolve::NodeLoss node_loss = {};
  Derived<std::optional<std::int64_t>> active_deadline, ttl_after_finished,
      termination_grace;                             // seconds
  Derived<std::optional<std::int64_t>> completions;  // pods of a slice; none on one host
  std::string_view completion_mode;
  Derived<std::string_view> kind;
  std::string app;      // value of the label `app`, where the controller sets no label
  std::string service;  // the headless Service that is also the pods' subdomain; empty: none
  // The first and the last pod have these; empty if they are not known in advance.
  std::vector<std::string> host_names;
};

// A controller that the objects need, and the version that something in the plan needs of it.
struct ControllerNeed {
  const catalog::Controller* controller = nullptr;
  const catalog::ControllerMinimum* minimum = nullptr;
};

struct Plan {
  std::string name;
  // The sweep that the workload is a point of, and what owns pools: it, or the workload.
  std::string sweep, owner;
  std::string place;                // empty: the spec has no places
  std::int64_t points_at_once = 1;  // that fit on the pools, where a queue holds back the others
  bool first_on_pools = true;       // of the points that share them
  std::string summary;  // `v6e 4x4 with flex-start: 16 chips on 4 nodes of ct6e-standard-4t`
  std::string name_space;
  Pairs labels, annotations;  // sorted by key
  GkeCluster cluster;
  TpuSlices tpu;
  NodeProvisioning provisioning;
  Cost cost;
  std::optional<KueueQueue> queue;
  std::optional<Capacity> capacity;  // of a spec without a workload
  bool has_workload = true;
  std::optional<ComputeClass> compute_class;  // pools is empty then
  std::vector<NodePool> pools;
  std::vector<NodePool> any_pools;  // where pools exist and are not named: one, as all must be
  std::vector<WorkloadPolicy> policies;
  PodPlacement placement;
  WorkloadPods workload;
  // The pod that leads the others differs from them: that of a group, or the head of a Ray cluster
  // or of Pathways.
  std::optional<WorkloadPods> leader;
  std::int64_t ordinary_pods = 0;                    // without chips, on nodes of other pools
  std::vector<const catalog::AddedPod*> added_pods;  // one of each beside these, by a controller
  std::optional<Group> group;
  std::optional<RayApplication> ray;
  std::optional<PathwaysPods> pathways;
  std::optional<Rollout> rollout;
  Pairs client_selector;  // of the pods that serve clients
  std::optional<ReplicaScaler> autoscaling;
  std::optional<ModelRoute> gateway;
  std::vector<MadeVolume> made_volumes;
  std::optional<CheckpointMemory> checkpoints;
  std::optional<WarmNodes> warm;
  std::vector<spec::Patch> patches;
  std::vector<Need> needs;  // the highest version first
  std::vector<ControllerNeed> controllers;
  bool creates = false;  // the cluster, or node pools
  std::string source;    // file name of the spec, for headers
  Span where;            // of the spec, for findings about artifacts as a whole
};

// The plan as one document, which `--emit plan` prints: the values, then the versions they need and
// all reasons.
yaml::Value document(const Plan& plan);

// The JSON Schema (draft 2020-12) of the document. Open: later versions may add members.
yaml::Value json_schema(std::string_view id, std::string_view title);

}  // namespace flexslice::plan

namespace flexslice::schema {

#define FS_TABLE(type)         \
  template <>                  \
  struct TableOf<plan::type> { \
    static const Table table;  \
  };
FS_TABLE(GkeCluster)
FS_TABLE(TpuSlices)
FS_TABLE(Scaling)
FS_TABLE(NodeLabel)
FS_TABLE(NodePool)
FS_TABLE(WorkloadPolicy)
FS_TABLE(Reservation)
FS_TABLE(NodeProvisioning)
FS_TABLE(Cost)
FS_TABLE(PriorityLevel)
FS_TABLE(QueueOfTeam)
FS_TABLE(Capacity)
FS_TABLE(QueueResource)
FS_TABLE(KueueQueue)
FS_TABLE(ClassStep)
FS_TABLE(PassedFlag)
FS_TABLE(ComputeClass)
FS_TABLE(PodPlacement)
FS_TABLE(ContainerVariable)
FS_TABLE(ContainerPort)
FS_TABLE(PodVolume)
FS_TABLE(MadeVolume)
FS_TABLE(CheckpointMemory)
FS_TABLE(WarmNodes)
FS_TABLE(Container)
FS_TABLE(CronSchedule)
FS_TABLE(Rollout)
FS_TABLE(ReplicaScaler)
FS_TABLE(ModelRoute)
FS_TABLE(Group)
FS_TABLE(RayApplication)
FS_TABLE(PathwaysPods)
FS_TABLE(WorkloadPods)
FS_TABLE(Plan)
#undef FS_TABLE

}  // namespace flexslice::schema
