// Claims hold one source's statements about one workload: a value for each thing that a rule can
// judge, with its place, or the fact that it was not said. A spec is decoded straight into these
// (spec/fields.yaml has the rows); the readers of manifests and commands fill the same structs.
// Nothing here is derived: resolve/ looks up what the claims mean, rules/ judges them, plan/ builds
// on them.
#pragma once

#include "schema/claim.hpp"
#include "spec/sets.hpp"

namespace flexslice::spec {

using schema::Flag;
using schema::Integer;
using schema::List;
using schema::Map;
using schema::Text;
using schema::Tree;
using schema::Where;

// Releases of controllers that the cluster has. `kueue` of the cluster means the same as its own.
struct Controllers {
  Where where;
  Text kueue, jobset, lws, kuberay, trainer, gateway_inference;

  // By the word of the catalog, or null.
  const Text* find(std::string_view word) const {
    return word == "kueue"              ? &kueue
           : word == "jobset"           ? &jobset
           : word == "lws"              ? &lws
           : word == "kuberay"          ? &kuberay
           : word == "trainer"          ? &trainer
           : word == "gatewayInference" ? &gateway_inference
                                        : nullptr;
  }
};

struct Cluster {
  Where where;
  Text name, location, project, version, kueue;
  Controllers controllers;
  schema::Claim<ClusterMode> mode;
  Flag create;
};
// The stated release of a controller, by the word of the catalog; null: the spec has no field.
inline const Text* stated_release(const Cluster& cluster, std::string_view word) {
  return word == "kueue" && cluster.kueue.where.given ? &cluster.kueue
                                                      : cluster.controllers.find(word);
}

struct Tpu {
  Where where;
  Text type, topology, machine_type;
  Integer slices;
};

// A LocalQueue of Kueue. `topology: none`: it is somebody else's, and Kueue places no pods.
struct Queue {
  Where where;
  Text name, topology;
};

// A WorkloadPriorityClass of Kueue, which queues.yaml makes if its value is said.
struct Priority {
  Where where;
  Text name;
  Integer value;
};

// Kueue stops running workloads for others, in its own words.
struct BorrowPreemption {
  Where where;
  Text policy;
  Integer max_priority;
};

struct QueuePreemption {
  Where where;
  Text within_queue, reclaim;
  BorrowPreemption borrow;
};

// A ClusterQueue that an admin gives a team, with a LocalQueue of its name in each namespace.
struct TeamQueue {
  Where where;
  Text name;
  List<Text> namespaces;
  Integer quota;
  Text cohort;
  Integer borrow, lend;
  Text weight;
  QueuePreemption preempt;
  List<Priority> priorities;
};

struct Provisioning {
  Where where;
  Text model;
  List<Text> fallback, zones, node_pools;
  Flag create;
  schema::Claim<Owner> owner;
  Flag autoscale;
  Integer min_nodes, warm, max_nodes, quota, max_pods_per_node;
  List<Integer> node_counts;  // of a command: `--num-nodes`, `--max-nodes` …
  Text disk_size, disk_type, node_service_account, max_run_duration, reservation, pool_topology;
  Queue queue;
  Priority priority;
  List<TeamQueue> queues;
};

// Exactly one of value, secret, config_map and field; `key` belongs to the second and third.
struct EnvValue {
  Where where;
  Text value, secret, config_map, key, field;
};

struct Port {
  Where where;
  Integer port;
  Text name;
};

struct LocalName {
  Where where;
  Text name;
};

struct Toleration {
  Where where;
  Text key, op, value, effect;
  Integer toleration_seconds;
};

struct SizedVolume {
  Where where;
  Text size_limit;
};

struct GcsVolume {
  Where where;
  Text bucket, mount_options, profile;
};

// A claim that exists, or with a size one that volumes.yaml makes.
struct ClaimVolume {
  Where where;
  Text name, storage_class, size;
};

// Memory of the nodes in which GKE keeps checkpoints. With a bucket the manifests set it up;
// without one somebody else has.
struct Checkpoints {
  Where where;
  Text bucket, memory, mount_path;
};

// Exactly one source.
struct Volume {
  Where where;
  Text name, mount_path, sub_path;
  Flag read_only;
  SizedVolume memory, empty_dir;
  ClaimVolume pvc;
  GcsVolume gcs;
  Text config_map, secret, host_path;
  Text shm;  // `true`, or a size
};

struct Resources {
  Where where;
  Text cpu, memory, ephemeral_storage;
};

// The leader of a group may run these instead of the others' settings.
struct Leader {
  Where where;
  Flag tpu;
  Text image;
  List<Text> command, args;
  Text script;
  List<Port> ports;
  Resources resources;
  Tree startup_probe, readiness_probe, liveness_probe;
};

struct RayHead {
  Where where;
  Text cpu, memory;
};

struct Ray {
  Where where;
  Text version;
  RayHead head;
  Tree serve_config;
};

// Pathways runs beside the container of the spec.
struct Pathways {
  Where where;
  Text gcs_location, version;
  Text server_image, proxy_image, worker_image, colocated_python_image;
  Flag headless;
  Text head_node_pool;
  Integer elastic_slices, max_slice_restarts;
  List<Text> server_args, proxy_args, worker_args;
};

// When a CronJob starts Jobs. A text is its `cron`.
struct Schedule {
  Where where;
  Text cron, time_zone, concurrency_policy, starting_deadline;
};

// Replicas by the load. Their number is the autoscaler's, between these.
struct Autoscaling {
  Where where;
  Integer min, max;
  Text metric, target;
  Integer port;
};

// How requests reach the replicas that can answer them soonest. Exactly one of class and gateway.
struct Gateway {
  Where where;
  Text model, class_name, gateway, picker;
};

struct Workload {
  Where where;
  Text kind, image, image_pull_policy;
  List<Text> command, args;
  Text script;
  Map<EnvValue> env;
  List<Tree> env_from;
  List<Port> ports;
  Resources resources;
  Integer containers_per_pod;
  Tree startup_probe, readiness_probe, liveness_probe;
  Text service_account;
  List<LocalName> image_pull_secrets;
  Flag privileged;
  Tree security_context;
  Text priority_class, termination_grace;
  List<Toleration> tolerations;
  Map<Text> node_selector, pod_annotations;
  Flag host_network;
  List<Tree> init_containers, sidecars;
  List<Volume> volumes;
  Checkpoints checkpoints;
  Integer backoff_limit;
  Tree pod_failure_policy;
  Text restart_policy, active_deadline, ttl_after_finished;
  Integer max_restarts, retries;
  Schedule schedule;
  Autoscaling autoscaling;
  Gateway gateway;
  Leader leader;
  Ray ray;
  Pathways pathways;
};

// A patch on the generated objects; only a spec has them. The target is every object of the kind
// and name, or of the kind; there its pod template `worker`, `leader` or `head`, its container of
// that name, or the object itself.
struct Target {
  Where where;
  Text kind, name, pod, container;
};

struct Patch {
  Where where;
  Target target;
  Tree merge, strategic_merge;  // one of them

  // The lists of a strategic one merge by their keys, as Kubernetes' do.
  bool is_strategic() const { return strategic_merge.where.given; }
  const Tree& body() const { return is_strategic() ? strategic_merge : merge; }
};

// Limits in US dollars.
struct Budget {
  Where where;
  Text per_hour, per_run;
};

// The values by which the points of a sweep differ.
struct Matrix {
  Where where;
  Map<List<Tree>> vary;
  List<Map<Tree>> exclude;
};

// A point gets this from its sweep. It is no field: its values are laid over the spec as a layer.
struct SweepPoint {
  std::string name;           // of the sweep; empty: the spec is no point
  std::string pool;           // what pools and policies are named after; empty: the point
  bool first = true;          // of those on the same pools
  std::int64_t together = 1;  // points on the same pools that nothing holds back
};

// One of the clusters that may run the workload: a layer over the spec.
struct Place {
  Where where;
  Text name, patience;  // how long run.sh waits for its nodes
  Cluster cluster;
  Tpu tpu;
  Provisioning provisioning;
};

struct Claims {
  Where where;
  bool is_found = false;  // in a file that people have: what it does not say is not known
  Text api_version, name, name_space;
  Map<Text> labels, annotations;
  Cluster cluster;
  Tpu tpu;
  Provisioning provisioning;
  Workload workload;
  Budget budget;
  List<Patch> patches;
  Matrix matrix;
  SweepPoint sweep;
  List<Place> places;
  std::string place;  // that the spec is for; empty: the spec has no places
};

}  // namespace flexslice::spec
