// The rules for files that people already have: manifests, gcloud commands, pages. They judge what
// is written, by the catalog and by what else the file has; what a file does not say is never a
// fault.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "diag/suppress.hpp"
#include "resolve/requests.hpp"
#include "rules/kueue_config.hpp"
#include "rules/programs.hpp"
#include "rules/references.hpp"
#include "rules/rules.hpp"
#include "rules/upgrade.hpp"
#include "rules/world.hpp"
#include "schema/table.hpp"
#include "view/view.hpp"

namespace flexslice::rules {

// Returns whether the pods select nodes by this label, with any value.
bool selects(const view::PodClaims& pod, std::string_view label);
// A variable of a container of the pods, or null.
const yaml::Node* variable_named(const view::PodClaims& pod, std::string_view name);
// An annotation of the pod template, or null.
const yaml::Member* annotation_of(const view::PodClaims& pod, std::string_view key);
// One pod template, with the facts of its claims.
void judge_pod(const view::PodClaims& pod, const Facts& facts, Sink& sink);
// Judges its chips and counts alone.
void judge_counts(const view::PodClaims& pod, const Facts& facts, Sink& sink);
// `unlimited`: requests of chips that are not their own limits.
void judge_limits(std::span<const Span> unlimited, Sink& sink);
// Judges its slice, if that is formed when the workload starts.
void judge_slice(const view::PodClaims& pod, const Facts& facts, Sink& sink);
// The partition that they require, for so many pods.
void judge_partition(const view::PodClaims& pod, std::int64_t pods, Sink& sink);
// Something must keep the slices of each object apart, and their stated number must be right.
void judge_slices_of_objects(std::span<const view::PodClaims> pods, const Catalog& catalog,
                             Sink& sink);
// Annotations of pod templates for Kueue that its webhooks refuse together.
void judge_pod_sets(std::span<const view::PodClaims> pods, Sink& sink);
// Says what keeps the pods of a slice in one node pool, or may: empty where it is not known how.
std::optional<std::string_view> kept_by(const view::PodClaims& pod);
// Pods of the template that run together, at least.
std::int64_t pods_in(const view::PodClaims& pod);
// Pods without chips that the workload cannot do without, and that the autoscaler may evict.
void judge_heads(std::span<const view::PodClaims> pods, Sink& sink);
// Labels that the pods of a ComputeClass may not select.
void judge_class(const view::PodClaims& pod, const Catalog& catalog, Sink& sink);
void judge_class_buffers(const yaml::Node& compute_class, Sink& sink);
// One command.
void judge_pool(const view::PoolClaims& pool, const Facts& facts, std::string_view gcloud_version,
                Sink& sink);
// Flags that rules have reported.
using FlagsReported = std::vector<const view::FlagClaim*>;
// Reports commands that gcloud itself refuses. False: there is no such command, and nothing more to
// say of it.
bool judge_gcloud_command(const view::PoolClaims& pool, const Catalog& catalog, Sink& sink);
void judge_gcloud_flags(const view::PoolClaims& pool, const Catalog& catalog,
                        std::string_view version, FlagsReported& reported, Sink& sink);
// All of it. `version`: of the gcloud that runs it; empty: not known.
void judge_syntax(const view::PoolClaims& pool, const Catalog& catalog, std::string_view version,
                  Sink& sink);
// A command of a launcher: what the program refuses, or ignores.
void judge_launch(const view::LaunchClaims& launch, const Catalog& catalog, Sink& sink);
// Variables of gcloud commands that their script, alone in its file, does not set, though it sets
// others.
void note_unset_variables(const extract::Script& script, const extract::Variables& set,
                          std::string_view text, Sink& sink);
// Quotes without an end, and variables that have no value where they are used. `text`: of the
// script, whose commands are all that read_shell gives for gcloud, kubectl and `source`.
void judge_script(const extract::Script& script, std::string_view text, bool is_embedded,
                  Sink& sink);
// Returns whether the value of kubectl's `-n` is there.
bool is_namespace(const extract::Script& script, Span where);
// A task of SkyPilot that names an accelerator of Google Cloud's VMs on Kubernetes. `document`: of
// a file.
bool judge_sky_task(const yaml::Node& document, const Catalog& catalog, Sink& sink);
// Workloads whose cluster is created in the same file with nodes of another shape.
void judge_shapes_of_clusters(std::span<const view::LaunchClaims> launches, Sink& sink);
// Reports lines of two launchers for one workload that make other slices.
void judge_successors(std::span<const view::LaunchClaims> launches, Sink& sink);
// Pods of a slice of several hosts, which find each other by the names that a Service gives them.
struct NamedHosts {
  std::string object;  // Job `a`
  Text service;        // that they name
  std::string name_space;
  spec::Map<Text> labels;
};
enum class ServiceFit : std::uint8_t { other, good, has_address, selects_none };
ServiceFit fit(const NamedHosts& hosts, const view::ServiceClaims& service);
Diagnostic& report_misfit(const NamedHosts& hosts, const view::ServiceClaims& service,
                          ServiceFit fit, Span where, Sink& sink);
// `names`: of Services that are near; none: it may well be elsewhere.
Diagnostic& report_no_service(const NamedHosts& hosts, std::span<const std::string_view> names,
                              Span where, Sink& sink);

// Pods with chips that do not select TPU nodes by both labels. The base of an overlay may leave
// that to it.
struct UnselectedPods {
  std::string object;                    // Job `a`
  std::vector<std::string_view> labels;  // that are missing
  std::string help;
  Span where;  // of the chips
};
Diagnostic& report_unselected(const UnselectedPods& pods, Sink& sink);

// An API version, or a field, that not all releases of its controller have. Only a spec or a script
// of the run says which release the cluster has.
struct ReleaseNeed {
  Text version;  // of the object; of a field, its place
  std::string kind;
  std::string field = {};           // empty: the version itself
  const OldVersion* row = nullptr;  // of a version that is old where no release is stated
  std::string controller = {};      // of a field: its word
  // Releases before the one and from the other on lack the field; empty: none do.
  std::string since = {}, until = {};
};
// The release that a cluster has, and who says so.
struct StatedRelease {
  std::string controller, release;  // by its word
  std::string file = {};
  Position at = {};
  bool is_installed = false;  // by a command; else a spec says so, or the user
};
// Reports an API version or a field that the stated release lacks. False: it has it.
bool judge_need(const ReleaseNeed& need, const StatedRelease& stated, const Catalog& catalog,
                Sink& sink);
// The word of the controller that the version or field depends on.
std::string_view controller_of(const ReleaseNeed& need, const Catalog& catalog);
// The same for the objects of a spec.
void judge_release_needs(std::span<const ReleaseNeed> needs, const spec::Cluster& cluster,
                         const Catalog& catalog, Sink& sink);
// Adds the fields of the object that only one of the releases known here has.
void add_field_needs(const yaml::Node& object, std::string_view version, std::string_view kind,
                     std::vector<ReleaseNeed>& needs);
bool depends_on_release(std::string_view version, const Catalog& catalog);
// `Kueue serves from 0.15.0 on`, or nothing.
std::string served_since(std::string_view version, const Catalog& catalog);
std::span<const std::string_view> added_fields(const Catalog& catalog, std::string_view version);
// Reports an old version, of which nothing says what the cluster has.
Diagnostic& report_old(const Text& version, std::string_view kind, const OldVersion& old,
                       const Catalog& catalog, Sink& sink);
// Reports what the upgrades do to the objects.
void judge_upgrades(std::span<const view::ObjectClaims> objects, const Catalog& catalog,
                    std::span<const Upgrade> upgrades, Sink& sink);

// Something of another file of the run.
template <class Claims>
struct Placed {
  Claims claims;
  std::string file;
  Position at;
};

// A volume of pods on TPUs.
struct MountedDisk {
  view::DiskMount disk;
  Text name_space;
  const Generation* generation;
};
struct RunDisks {
  std::vector<Placed<view::DiskClaims>> claims;
  std::vector<Placed<view::DiskClass>> classes;
};
// Reports a disk that the nodes cannot attach. `folder`: of the pods.
void judge_disk(const MountedDisk& mounted, std::string_view folder, const RunDisks& disks,
                const Catalog& catalog, Sink& sink);

// Pods that reach each other.
struct NetworkedPods {
  std::string object;  // Job `a`
  std::string name_space;
  spec::Map<Text> labels;
  bool has_hosts, has_slices;  // several
  Span where;                  // of the chips
};
void judge_policies(const NetworkedPods& pods, std::string_view folder,
                    std::span<const Placed<view::PolicyClaims>> all, const Catalog& catalog,
                    Sink& sink);

// Pods of a queue, which the ClusterQueue behind it may never admit.
struct QueuedPods {
  Text queue, name_space;
  std::string object;  // Job `a`
  NodeShape wanted;
  std::int64_t chips;          // that they need at once, at least
  resolve::Requests requests;  // of one pod
  bool requests_topology;
  std::int64_t pods;  // of these, at least
  std::size_t part;   // of the file: with `object` the same for all pods of one
  std::vector<view::TaintClaims> tolerations = {};
};
// Without a reason it may admit them.
struct Admission {
  std::string reason = {};
  Span where = {};  // of the amount in the queue that is too low; empty: there is none
};
// `of_file`: those with which they may be of one object.
Admission admission(const QueuedPods& pods, std::span<const QueuedPods> of_file,
                    const view::ClusterQueueClaims& queue,
                    std::span<const view::FlavorClaims> flavors, const Catalog& catalog);
// Without a namespace an object is in that of kubectl's context.
bool may_share_namespace(const Text& one, const Text& other);

// The Kueue objects of a file, or of a run, and the pods of their queues.
struct Queues {
  struct Pods {
    bool seen = false, tolerate = false;

    void add(const Pods& other) {
      seen = seen || other.seen;
      tolerate = tolerate || other.tolerate;
    }
  };

  std::vector<view::FlavorClaims> flavors;  // after `judge_flavors` those without pods
  std::vector<view::LocalQueueClaims> local_queues;
  std::vector<view::ClusterQueueClaims> cluster_queues;
  std::vector<view::FlavorClaims> all_flavors = {};
  std::vector<QueuedPods> queued = {};  // whose queues are in other files
  std::vector<view::AdmissionCheckClaims> admission_checks = {};
  std::vector<view::RequestConfigClaims> request_configs = {};
  std::map<std::string, Pods> pods;  // by the LocalQueue that they name

  std::map<std::string_view, Pods> pods_of_flavors() const;
};
// Reports configs that request no nodes for any pods of the queues that use them.
void judge_request_configs(const Queues& queues, Sink& sink);
// Reports a queue that admits nothing of a LocalQueue which names it. Of a namespace that none of
// `namespaces` is, or several are, only the name is known.
void judge_namespaces(const view::ClusterQueueClaims& queue,
                      std::span<const view::LocalQueueClaims> locals,
                      std::span<const Placed<view::NamespaceClaims>> namespaces, Sink& sink);
// Reports flavors that none of their pods makes up for, and leaves those without pods.
void judge_flavors(Queues& queues, Sink& sink);
Diagnostic& report_flavor(const view::FlavorClaims& flavor, Sink& sink);

// The world has the nodes of a command, and the pods of a template.
PoolNodes pool_nodes(const view::PoolClaims& pool, const Facts& facts);
PodNodes pod_nodes(const view::PodClaims& pod, const Facts& facts);
Text value_of(const view::PoolClaims& pool, std::string_view flag);

// Values that programs get by their environment.
struct ConfigMap {
  std::string name, name_space;
  Values values = {};
};

// Objects that the other files of the run may contradict.
struct RunObjects {
  // A level of a topology of Kueue that is a partition of a slice.
  struct PartitionLevel {
    std::string topology, label;
    Span where;
  };
  struct BucketMount {
    std::string bucket, object;
    Span where;
  };
  std::vector<PartitionLevel> partitions = {};
  std::vector<Text> legacy_buckets = {};  // that are created with access by object
  std::vector<BucketMount> mounts = {};   // that write
  KueueConfigs kueue = {};
  std::vector<QueuedKind> queued_kinds = {};

  template <class Self>
  static auto lists(Self& self) {
    return std::tie(self.partitions, self.legacy_buckets, self.mounts, self.kueue.managed,
                    self.kueue.problems, self.queued_kinds);
  }
  bool empty() const { return are_empty(lists(*this)); }
  void add(RunObjects other) {
    append_lists(lists(*this), lists(other), [](auto&) {});
  }
  void judge(std::span<const view::FlavorClaims> flavors, const Catalog& catalog, Sink& sink) const;
};
// Reports requests for nodes of several pod sets, which GKE refuses.
void judge_request_sets(const QueuedPods& pods, std::span<const QueuedPods> of_file,
                        const view::ClusterQueueClaims& queue, const Queues& queues, Span otherwise,
                        Sink& sink);

// A file leaves these to be judged with the other files of the folder, or of the run.
struct FileSummary {
  World world = {};
  diag::AllowedLines allowed = {};     // by comments, of findings that come later
  std::vector<NamedHosts> hosts = {};  // no Service of the file has the name
  std::vector<view::ServiceClaims> services = {};
  std::vector<UnselectedPods> unselected = {};
  std::vector<MountedDisk> disks = {};
  std::vector<NetworkedPods> networked = {};
  std::vector<view::DiskClaims> disk_claims = {};
  std::vector<view::DiskClass> disk_classes = {};
  std::vector<view::PolicyClaims> policies = {};
  std::vector<view::NamespaceClaims> namespaces = {};
  std::vector<ReleaseNeed> release_needs = {};
  Queues queues = {};
  RunObjects objects = {};
  ObjectNames names = {};
  std::vector<ConfigMap> configs = {};
  std::vector<Program> programs = {};  // that take values of ConfigMaps
  bool uses_tpus = false;

  bool is_open() const {
    return !hosts.empty() || !unselected.empty() || !disks.empty() || !networked.empty() ||
           !queues.flavors.empty() || !queues.cluster_queues.empty() || !queues.queued.empty() ||
           !release_needs.empty() || !objects.empty() ||
           any_of(names.references, [](const ObjectReference& each) { return !each.is_near; }) ||
           !programs.empty();
  }
  bool empty() const {
    return world.empty() && services.empty() && disk_claims.empty() && disk_classes.empty() &&
           policies.empty() && namespaces.empty() && names.made.empty() && !is_open() &&
           queues.local_queues.empty() && queues.pods.empty();
  }
};

template <class Action>
void for_each_span(FileSummary& summary, const Action& act) {
  for_each_world_span(summary.world, act);
  for (diag::AllowedLine& each : summary.allowed) {
    act(each.lines);
    act(each.token);
  }
  for (NamedHosts& each : summary.hosts) act(each.service.where.span);
  for (UnselectedPods& each : summary.unselected) act(each.where);
  for (view::ServiceClaims& each : summary.services) act(each.name.where.span);
  for (MountedDisk& each : summary.disks) act(each.disk.claim.where.span);
  for (NetworkedPods& each : summary.networked) act(each.where);
  for (view::DiskClaims& each : summary.disk_claims) act(each.name.where.span);
  for (view::DiskClass& each : summary.disk_classes) act(each.name.where.span);
  for (view::PolicyClaims& each : summary.policies) act(each.name.where.span);
  for (ReleaseNeed& each : summary.release_needs) act(each.version.where.span);
  for (view::NamespaceClaims& each : summary.namespaces) act(each.name.where.span);
  for (QueuedPods& each : summary.queues.queued) act(each.queue.where.span);
  for (MadeObject& each : summary.names.made) {
    act(each.name.where.span);
    act(each.name_space.where.span);
    act(each.account.where.span);
  }
  for (ObjectReference& each : summary.names.references) {
    act(each.name.where.span);
    act(each.key.where.span);
  }
  for (IdentityBinding& each : summary.names.bindings) act(each.member.where.span);
  RunObjects& objects = summary.objects;
  for (auto& each : objects.partitions) act(each.where);
  for (Text& each : objects.legacy_buckets) act(each.where.span);
  for (auto& each : objects.mounts) act(each.where);
  for (auto& each : objects.kueue.managed) act(each.where);
  for (auto& each : objects.kueue.problems) act(each.where);
  for (Program& each : summary.programs) {
    for (ProgramWord& word : each.words) act(word.where);
    for (auto& [name, word] : each.variables) act(word.where);
  }
  for (view::FlavorClaims& each : summary.queues.flavors) act(each.topology_name.where.span);
  for (view::ClusterQueueClaims& each : summary.queues.cluster_queues) act(each.name.where.span);
}

// Returns whether nothing that Kubernetes requires is missing, as in a part that kustomize merges
// into the whole.
bool has_required(const yaml::Node& node, const schema::Type& type);
// Reports what is wrong with the keys that make the document an object.
void judge_frames(const view::Found& found, Sink& sink);
bool has_misspelt_version(const yaml::Node& object);

// Judges a file part by part, and in the end what its parts say of each other. Of each part it
// keeps only what others are compared with: a file may have thousands.
class FileJudge {
 public:
  // `gcloud_version`: stated by the user; empty: flags are not judged by it.
  // `made_of`: of a spec that compile made objects of.
  FileJudge(const Catalog& catalog, std::string_view gcloud_version, Sink& sink,
            const Facts* made_of = nullptr)
      : catalog_(catalog), gcloud_version_(gcloud_version), sink_(sink), made_of_(made_of) {}

  // Objects are also judged for these, which must outlive it.
  void compare_with(std::span<const Upgrade> upgrades) { upgrades_ = upgrades; }
  // Also keeps pods that no rule about several files judges.
  void keep_all() { keeps_all_ = true; }
  // A ConfigMap that something else makes for it.
  void has_config(ConfigMap config) { summary_.configs.push_back(std::move(config)); }
  // A document, or a script.
  void judge(view::Found part);
  void finish();

  // After `finish`.
  FileSummary summary();

 private:
  struct PodPorts {
    spec::Map<Text> labels;
    std::vector<std::string> names;
    bool may_be_any;
    std::string object;
    std::vector<std::int64_t> numbers;
    bool lists_all = false;
  };
  void judge_pod_claims(view::PodClaims pod);
  void judge_tree(const view::PodClaims& pod);
  void keep_names(const view::Found& part);
  void keep_config(const yaml::Node& object);
  void keep_class(const view::PodClaims& pod);
  void keep_levels(const yaml::Node& topology);
  void keep_quota(const yaml::Node& object, std::string_view kind);
  void keep_programs(const PodTree& pod);
  void judge_programs();
  void keep_binding(const view::PoolClaims& pool);
  void keep_bucket(const view::PoolClaims& pool);
  void keep_mounts(const PodTree& pod);
  void judge_requests();
  void keep_buffer(const yaml::Node& buffer);
  void judge_buffers();
  void judge_pool_claims(const view::PoolClaims& pool);
  // Returns whether the command creates something that pools name.
  bool keep_named(const view::PoolClaims& pool);
  void judge_launch_claims(const view::LaunchClaims& launch);
  void judge_hosts(const view::PodClaims& pod, const Facts& facts);
  void keep_disks(const view::PodClaims& pod, const Facts& facts);
  void keep_network(const view::PodClaims& pod, const Facts& facts);
  void judge_selectors(const view::PodClaims& pod, const Facts& facts);
  void keep_counted(const view::PodClaims& pod);
  void judge_train_jobs();
  void judge_claimed_chips();
  void judge_queues();
  void judge_admission(const QueuedPods& pods, const view::ClusterQueueClaims& queue);
  void judge_services();
  void judge_target_ports(const view::ServiceClaims& service);
  void judge_selected(const view::ServiceClaims& service);
  void judge_namesake(const view::ServiceClaims& service);
  Span patches() const;

  const Catalog& catalog_;
  std::string_view gcloud_version_;
  std::span<const Upgrade> upgrades_ = {};
  Sink& sink_;
  const Facts* made_of_;
  bool keeps_all_ = false;
  std::vector<QueuedPods> queued_;
  std::vector<PodPorts> ports_;
  std::vector<view::PodClaims> runtimes_;                           // the pods of TrainJobs
  std::vector<view::PodClaims> templates_;                          // PodTemplates
  std::vector<std::pair<std::string, schema::Integer>> requested_;  // pods of a PodTemplate
  std::vector<view::PodClaims> claiming_;                           // chips of a driver
  // A CapacityBuffer with the object whose pods are its units, and the pods that one may name.
  struct Buffer {
    std::string kind, name, name_space;
    Text unit;
    bool is_standby = false;
  };
  struct BufferUnit {
    std::string kind, name, name_space, of_class;
    bool has_chips = false, lacks_chips = false;
  };
  std::vector<Buffer> buffers_;
  std::vector<BufferUnit> units_;
  std::vector<view::TrainJobClaims> train_jobs_;
  std::vector<view::LaunchClaims> launches_;
  std::vector<view::ClaimedChips> claimed_chips_;
  std::size_t part_ = 0;                                       // those so far
  std::vector<ScopeName> clusters_, projects_;                 // of commands
  std::set<std::string> closed_queues_;                        // that were reported with their pods
  std::map<std::pair<Span, std::string>, Span> of_variables_;  // by their place and the message
  FileSummary summary_;
};

// Judges the objects that compile made of a spec and its patches; every value has the place that it
// comes from. A value that is derived alone cannot be wrong, and findings that the sink has are not
// reported again.
void judge_made(std::span<const yaml::Node> objects, const Facts& facts, Sink& sink);

// The machine types that can be a node of this pod, as far as it says; empty: none, or nothing is
// said. Those of its topology, if it selects one.
struct Candidate {
  const Generation* generation;
  const MachineType* machine;
};
std::vector<Candidate> candidates(const view::PodClaims& pod, const Facts& facts);
// The hosts of the slice that the pods form; 1: it is one, or not known.
std::int64_t hosts_of(const view::PodClaims& pod, const Facts& facts);

}  // namespace flexslice::rules
