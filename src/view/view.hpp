// Views hold the claims about TPUs in files that people already have: of each pod template, node
// pool command and Kueue object. Nothing is derived here, and what a file does not say stays open.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/completeness.hpp"
#include "catalog/catalog.hpp"
#include "catalog/command_table.hpp"
#include "extract/arguments.hpp"
#include "extract/shell.hpp"
#include "spec/claims.hpp"
#include "view/launch.hpp"

namespace flexslice::view {

using extract::create_pool;

using spec::Integer;
using spec::List;
using spec::Map;
using spec::Text;
using spec::Tree;
using spec::Where;

// A pod template is a part of one of these.
enum class PodRole : std::uint8_t {
  pod,         // a Pod of its own
  job,         // a Job, or what holds one: CronJob, JobSet
  replicas,    // Deployment, StatefulSet, DaemonSet, ReplicaSet
  lws_worker,  // of a LeaderWorkerSet
  lws_leader,
  ray_worker,  // of a RayCluster, or what holds one
  trainer,     // the training job of a runtime, or of a TrainJob
  other,       // any other kind; a head of Ray
};

// A claim of a pod, which is made of a template.
struct NamedClaim {
  std::string template_name;
  Span where;
};

// A volume of pods whose disk a StorageClass makes.
struct DiskMount {
  Text claim;               // its name, or the volume's that has the claim in it
  bool is_own = false;      // then `storage_class` is known
  Text storage_class = {};  // not given: the default one
};

// One pod template of an object. `claims.tpu` are the node labels that it selects, with the keys as
// their labels; `claims.name` is the object's. `claims.workload.node_selector` has the labels that
// node affinity requires too; the value is not given where it is not one.
struct PodClaims {
  spec::Claims claims;
  PodRole role = PodRole::other;
  Text kind;                   // of the object
  Text name_space;             // of the object
  Text pool;                   // the node pool that it selects by name
  Text queue;                  // of Kueue
  Text slice_topology;         // the annotation, which decides the shape
  Text service;                // that has to give its pods host names: `subdomain` or `serviceName`
  bool needs_service = false;  // its kind makes none
  Map<Text> labels;
  std::vector<std::string> ports;  // names, of its containers
  std::vector<std::int64_t> port_numbers;
  bool lists_ports = false;  // each container does
  Text completion_mode;
  // The kind of the object decides which policies are valid, so this is given only for a Job,
  // CronJob or JobSet, a LeaderWorkerSet, a Deployment, StatefulSet, DaemonSet or ReplicaSet.
  Text restart_policy;
  Completeness completeness = Completeness::fragment;
  bool is_made = false;       // by compile, which derives the counts
  bool is_plain_job = false;  // a Job or CronJob of batch
  Integer chips;  // of one pod, as the scheduler counts them; placed at the largest amount
  std::vector<Span> amounts;  // where the container says it, if only one does
  std::string sum;            // `a` 4 + `b` 4 = 8; empty: there is one amount
  bool chips_known = true;    // false: some amount is a placeholder
  bool tolerates_tpus = false;
  bool requests_topology = false;  // of Kueue
  // As its kind calls them.
  Integer completions, parallelism, size, sub_group_size, hosts;
  Integer replicas;  // of a Deployment or the like, or a job of a JobSet that may share a slice
  Integer jobs;      // of a replicated job of a JobSet
  bool is_exclusive = false;         // each of these has a node pool for itself
  bool leader_without_tpus = false;  // of a LeaderWorkerSet
  bool makes_pools = false;          // a priority of a ComputeClass with nodePoolAutoCreation
  Text sub_group_type;
  std::string runtime;  // of a TrainJob, which has the template; empty: none
  std::vector<NamedClaim> resource_claims;
  bool leader_apart = false;    // it has a template of its own
  std::vector<Span> unlimited;  // requests of TPUs without an equal limit
  std::vector<DiskMount> disks;
  Text boot_disk;  // its type, which a ComputeClass says of its nodes
  std::uint32_t source = 0;
  // These point into the document, which must outlive them: the pod spec, the template's metadata,
  // the holder of the template, the object. They are null if this is no pod.
  const yaml::Node *spec = nullptr, *metadata = nullptr, *holder = nullptr, *object = nullptr;

  bool requests_chips() const { return chips_known && chips.usable() && chips.value > 0; }
  bool lacks_chips() const { return chips_known && !chips.where.given; }
  bool is_on_tpus() const { return claims.tpu.type.where.given || chips.where.given; }
};

// A flag of a command. The value is not given for one without.
struct FlagClaim {
  Text name;                              // `--num-nodes`
  const catalog::FlagRow* row = nullptr;  // of the command; null: it has no such flag
  Text value;
  Span set_at;                // where a variable in it is set; empty: there is none
  std::vector<Span> parts;    // of a list whose items are apart: where each is
  bool is_passed_on = false;  // by a function that has flags of its own
  Span flags_file = {};       // see extract::Word
  bool is_denied = false;     // likewise

  // Lists the items of a list or mapping; otherwise the value alone.
  std::vector<Text> items() const;

  // Gives one item of the value its own place.
  Text part(std::string_view item, std::size_t index) const {
    Text one = value;
    one.value = item;
    if (index < parts.size()) one.where.span = parts[index];
    return one;
  }
};

// A gcloud command: `claims.tpu` is what its flags say of the machines.
struct PoolClaims {
  spec::Claims claims;
  Where where;          // of the command
  std::string command;  // `container node-pools create`; empty: none that creates what TPUs need
  std::string release;  // `beta`, `alpha` or empty
  Text name;            // of the pool; with placeholders not usable
  std::vector<FlagClaim> flags;  // those after a broken continuation too
  bool complete = true;          // false: there may be flags that are not known
  extract::ResourceBlock block;
  Span broken;  // what ends the command too early; empty: nothing
  extract::BrokenBy broken_by = {};
  std::string lost;  // what comes after it
  Text program;      // given where it is not `gcloud`, but must be
  // By the table of gcloud's commands, with the words that name it, without `beta` and `alpha`.
  catalog::NamedCommand named = {};
  catalog::CommandSyntax syntax = {};
  std::string path;            // `container node-pools create`
  Text unknown_word;           // after `path`, where no command goes on so
  std::vector<Text> operands;  // after the words that name it
  std::uint32_t source = 0;

  const FlagClaim* find(std::string_view flag) const {
    for (auto each = flags.rbegin(); each != flags.rend(); ++each) {
      if (each->name.value == flag) return &*each;  // gcloud takes the last
    }
    return nullptr;
  }
};

// A taint, or a toleration.
struct TaintClaims {
  std::string key, value, effect, op = {};  // `Equal` where it is empty
};

// A ResourceFlavor of Kueue.
struct FlavorClaims {
  Text name, topology_name;
  std::vector<TaintClaims> taints = {};  // that the flavor does not tolerate for its pods
  spec::Claims claims;                   // `tpu`: its node labels
  bool tolerates_tpus = false;
};

struct LocalQueueClaims {
  Text name, cluster_queue, name_space;
};

struct NamespaceClaims {
  Text name;
  Map<Text> labels;
};

// A ClusterQueue has one for each of its flavors.
struct FlavorQuota {
  Text flavor;
  Text chips;                                              // `nominalQuota` of google.com/tpu
  std::vector<std::pair<std::string, Text>> amounts = {};  // of each resource
  std::vector<std::pair<std::string, Text>> limits = {};   // `borrowingLimit`, likewise
};

// A selector requires this of labels.
struct LabelTerm {
  std::string key, op;  // `In`, `NotIn`, `Exists` or `DoesNotExist`
  std::vector<std::string> values = {};
};

struct ClusterQueueClaims {
  Text name;
  std::vector<LabelTerm> namespaces = {};  // that it admits
  std::vector<std::string> flavors;
  std::vector<std::string> resources;  // that it covers, or a flavor of it has
  std::vector<FlavorQuota> quotas;
  bool may_borrow = false, has_namespaces = false;
  std::vector<std::string> checks;  // AdmissionChecks
};

struct AdmissionCheckClaims {
  Text name, config;  // of a ProvisioningRequestConfig
};

struct RequestConfigClaims {
  Text name;
  Text provisioning_class;
  std::vector<std::string> resources;  // that it manages; empty: all
  Span where;                          // of these
};

struct TrainJobClaims {
  Text runtime;
  Integer nodes, chips;
  bool has_selectors = false;                      // of its own
  std::vector<Span> amounts = {}, unlimited = {};  // as of pods
};

// A template of ResourceClaims, of a class that is one of TPUs.
struct ClaimedChips {
  std::string name;
  std::int64_t count = 0;
};

struct ServiceClaims {
  Text name, name_space;
  Text address;  // `clusterIP`
  Map<Text> selector;
  List<Text> target_ports;   // names, or numbers
  bool is_external = false;  // an alias of a name outside
};

// A HorizontalPodAutoscaler, and what it scales.
struct AutoscalerClaims {
  Text name, name_space;
  Text target_kind, target_name;
  Integer most;
};

// A PersistentVolumeClaim.
struct DiskClaims {
  Text name, name_space;
  Text storage_class;            // not given: the default one
  bool has_volume = false;       // which exists, or is none of a class
  bool mounted_by_many = false;  // a file system that pods of several nodes write
};

// A StorageClass of Compute Engine's disks.
struct DiskClass {
  Text name;
  std::string type;  // `pd-ssd`; empty: of another driver, or not known
};

// A NetworkPolicy lets such traffic in, or out.
struct TrafficRule {
  struct Ports {
    std::string name;  // empty: it is a number
    std::int64_t first = 0, last = 0;
  };
  std::vector<Ports> ports = {};  // of TCP
  bool all_ports = true;
  // The peers are pods of the namespace; each has a term list.
  std::vector<std::vector<LabelTerm>> peers = {};
  bool all_peers = true;  // or some that are not known
};
struct PolicyClaims {
  Text name, name_space;
  std::vector<LabelTerm> pods = {};  // that it selects
  bool limits_in = false, limits_out = false;
  std::vector<TrafficRule> in = {}, out = {};
};

// An object, and what it says it is.
struct ObjectClaims {
  Text version, kind;
  const yaml::Node* tree;  // of the file
  Completeness completeness = {};
};

// All of one file.
struct Found {
  Completeness completeness = {};        // of its objects, at least
  bool has_target = false;               // its version and kind do not say what it patches
  bool has_lost = false;                 // a key is given twice, so that something is missing
  const yaml::Node* document = nullptr;  // of a file, which must outlive this; null: it is a page's
  std::vector<ObjectClaims> objects;
  std::vector<ObjectClaims> without_version;  // an `apiVersion` would make them objects
  std::vector<PodClaims> pods;
  std::vector<PoolClaims> pools;
  std::vector<LaunchClaims> launches;
  std::vector<FlavorClaims> flavors;
  std::vector<LocalQueueClaims> local_queues;
  std::vector<NamespaceClaims> namespaces;
  std::vector<ClusterQueueClaims> cluster_queues;
  std::vector<AdmissionCheckClaims> admission_checks;
  std::vector<RequestConfigClaims> request_configs;
  std::vector<ServiceClaims> services;
  std::vector<AutoscalerClaims> autoscalers;
  std::vector<TrainJobClaims> train_jobs;
  std::vector<ClaimedChips> claimed_chips;
  std::vector<DiskClaims> disk_claims;
  std::vector<DiskClass> disk_classes;
  std::vector<PolicyClaims> policies;
  bool is_for_kubectl = false;  // kubectl itself reads the text
  bool is_embedded = false;     // in a page, which may leave out what its readers know
  bool is_shown = false;        // in a page among whole objects: what it leaves out is a warning
  // Keys and values where Kubernetes takes strings alone.
  std::vector<schema::Entry<Tree>> not_strings;
};

}  // namespace flexslice::view
