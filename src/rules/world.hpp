// The world of a run: the node pools, clusters, policies, reservations and classes that it makes,
// and its sets of pods, each with what is said of it and where. What nothing says is open. A pool
// or a set of pods is kept without its document: a file may have thousands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "resolve/requests.hpp"
#include "rules/rules.hpp"
#include "view/view.hpp"

namespace flexslice::rules {

// A node pool has this shape, or pods want it, as far as it is said.
struct NodeShape {
  const Generation* generation = nullptr;
  std::optional<Topology> topology;
  std::int64_t chips = 0;  // of a node; 0: not known

  std::string text() const;  // `v6e, 4x4, 4 chips a node`
  bool agrees(const NodeShape& other) const;
  bool same_chips(const NodeShape& other) const {
    return chips == 0 || other.chips == 0 || chips == other.chips;
  }
};

// `file` is the index of the file among those of a folder; in one file alone it is 0.
struct NewCluster {
  Text name, project, location, version;
  Span where;
  Text channel = {};
  bool complete = false;
  bool is_autopilot = false, in_terraform = false;
  bool has_zones = false;    // it says the zones of its nodes
  bool is_unjudged = false;  // its file says nothing of TPUs
  std::uint32_t file = 0;
};
struct NewPolicy {
  Text name, project, region, topology;
  Span where;
  bool is_group = false, complete = false;
  extract::ResourceBlock block = {};
  Text mode = {};
  std::uint32_t file = 0;
};
struct NewReservation {
  Text name;
  Span where;
  std::uint32_t file = 0;
};
// A command is for this cluster. The name of a context that gcloud did not make may be any
// cluster's.
struct NamedCluster {
  Text name;
  bool is_alias = false;
  std::uint32_t file = 0;
};
// A node pool, or a priority of a ComputeClass.
struct PoolNodes {
  Text name, cluster, project;
  Span where;
  NodeShape has;
  bool complete = false;
  extract::ResourceBlock block = {};
  spec::Claims claims = {};
  Text policy = {};
  bool takes_policies = false;  // of workload, not of groups
  bool by_requests = false;     // it grows for them alone
  // The shape of one host, where nothing says another.
  std::optional<Topology> of_host = {};
  Text reservation = {};           // its name
  bool has_none_reserved = false;  // it can use no reservation
  bool autoscaled = false;
  std::int64_t wait_seconds = 0;   // for flex-start nodes, where it has none at first; 0: others
  Text image = {}, metadata = {};  // of its nodes; `metadata`: whose server pods reach
  std::vector<const Model*> models = {};  // that its flags say
  std::string machine = {};               // empty: not known
  const MachineType* tpu_machine = nullptr;
  std::vector<std::pair<std::string, std::string>> labels = {};  // that it gives its nodes
  std::vector<view::TaintClaims> taints = {};
  bool labels_known = true;                     // all of them, and all taints
  std::optional<Quantity> boot_disk = {};       // of a node
  std::optional<std::int64_t> most_nodes = {};  // at any time
  std::int64_t hosts = 1;                       // of a slice
  Span whole = {};                              // its command, with its flags
  std::optional<diag::Code> fault = {};         // that it has
  std::uint32_t file = 0;

  // Pods that name the pool are compared with this.
  NodeShape shape() const {
    NodeShape all = has;
    if (!all.topology) all.topology = of_host;
    return all;
  }
  bool is_known() const { return complete && block.open.empty(); }
};
struct NewClass {
  Text name;
  NodeShape has;         // of one priority
  bool is_open = false;  // a priority that says less
  std::uint32_t file = 0;
};
// A ResourceQuota or a LimitRange: what the pods of a namespace may request.
struct NewQuota {
  std::string title;  // ResourceQuota `a`
  Text name_space;
  std::vector<std::pair<std::string, Text>> most = {};  // by resource
  bool is_of_pod = false;                               // each pod, or container
  // Scopes: pods with such a priority class alone, or that run until they end.
  std::vector<std::string> priorities = {};
  bool is_of_endless = false;
  std::uint32_t file = 0;
};
// Pods of one template.
struct PodNodes {
  Text pool = {};                // that the pods select by name
  std::vector<Text> pools = {};  // several, any of which will do
  Span chips = {}, whole = {};   // `whole`: the object
  // A finding about the object, which may keep its pods from all nodes.
  std::optional<diag::Code> fault = {};
  NodeShape wanted = {};
  std::string waiting = {};          // for which nobody makes a ProvisioningRequest: Job `a`
  std::string object = {};           // Job `a`
  std::string kind = {};             // Job
  Text reservation = {}, zone = {};  // that they select
  spec::Map<Text> selectors = {};
  Text type = {}, topology = {};  // the labels of TPU nodes that they select
  std::vector<view::TaintClaims> tolerations = {};
  bool tolerates_all = false;
  resolve::Requests requests = {};
  Span resources = {};       // of the container with the largest
  Text count = {};           // the field that says how many there are; not given: derived
  std::int64_t at_once = 1;  // pods that must run together, at least
  std::int64_t hosts = 1;    // of their slice
  std::int64_t surge = 0;    // pods that a rollout starts before it stops one; 0: none
  std::int64_t slices = 1;   // that start together
  bool is_whole = false;     // its template and its counts are all there
  // Keeps the pods of a slice together, or may; empty: by a way that is not known.
  std::optional<std::string_view> kept_by = {};
  bool in_queue = false;
  // For people:
  std::string part = {};                   // of the object: `the workers`
  std::optional<std::int64_t> number = 1;  // of the pods, as far as it is said
  Text queue = {}, name_space = {}, service_account = {}, priority = {};
  bool has_deadline = false;
  schema::Integer job_deadline = {};  // `activeDeadlineSeconds`, from the start of the Job
  std::string request = {};           // a ProvisioningRequest that they consume
  bool is_suspended = false;          // until somebody starts it
  bool tolerates_tpus = false, requests_topology = false;
  schema::Integer most = {};  // replicas to which its own object scales it
  std::uint32_t file = 0;
};
// Tells sets of pods of one file apart.
inline std::string full_name(const PodNodes& pods) { return pods.object + ", " + pods.part; }
// A finding about pods that holds only if their cluster is an Autopilot cluster.
struct RefusedPart {
  Diagnostic finding;
  std::uint32_t file = 0;
};
// An object whose pods an autoscaler may count.
struct CountedPods {
  Text kind, name, name_space;
  schema::Integer replicas;
  std::uint32_t file = 0;
};
// A later command changes a pool; without a name, any.
struct ChangedPool {
  std::string name;
  bool is_new = false;  // node auto-provisioning makes pools that nothing names
  std::uint32_t file = 0;
};
struct Autoscaler {
  view::AutoscalerClaims claims;
  std::uint32_t file = 0;
};
// A ServiceAccount, and the account of Google that an annotation gives it. A command may annotate
// another that is in a file.
struct NewIdentity {
  Text name, name_space, account;
  std::uint32_t file = 0;
};
// A command that lets a ServiceAccount act as an account of Google.
struct IdentityBinding {
  Text account, member;  // `NAMESPACE/NAME`
  std::uint32_t file = 0;
};
template <class... Lists>
bool are_empty(const std::tuple<Lists...>& lists) {
  return std::apply([](const auto&... each) { return (each.empty() && ...); }, lists);
}
// Moves the items of each list to the end of the list in the same place.
template <class Into, class From, class Action>
void append_lists(const Into& into, const From& from, const Action& act) {
  const auto append = [&](auto& all, auto& more) {
    for (auto& each : more) {
      act(each);
      all.push_back(std::move(each));
    }
  };
  [&]<std::size_t... at>(std::index_sequence<at...>) {
    (append(std::get<at>(into), std::get<at>(from)), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<Into>>());
}

struct World {
  std::vector<PodNodes> pods = {};
  std::vector<PodNodes> other_pods = {};  // that say too little to be judged
  std::vector<PoolNodes> pools = {};
  std::vector<NewCluster> clusters = {};
  std::vector<NewPolicy> policies = {};
  std::vector<NewReservation> reservations = {};
  std::vector<NewClass> classes = {};
  std::vector<NewQuota> quotas = {};
  std::vector<CountedPods> counted = {};
  std::vector<Autoscaler> autoscalers = {};
  std::vector<RefusedPart> refused = {};
  std::vector<ChangedPool> changed_pools = {};
  std::vector<NewIdentity> identities = {};
  std::vector<IdentityBinding> bindings = {};
  std::vector<NamedCluster> named_clusters = {};
  // LocalQueues whose pods wait for ProvisioningRequests. Whoever judges the world sets it.
  std::vector<std::string> request_queues = {};

  // True if a cluster is created here, and each that is created is an Autopilot cluster.
  bool on_autopilot() const;
  template <class Self>
  static auto lists(Self& self) {
    return std::tie(self.pods, self.other_pods, self.pools, self.clusters, self.policies,
                    self.reservations, self.classes, self.quotas, self.counted, self.autoscalers,
                    self.refused, self.changed_pools, self.identities, self.bindings,
                    self.named_clusters);
  }
  bool empty() const { return are_empty(lists(*this)); }
  // Returns whether files without TPUs may have the objects that are named here, or the one that
  // counts the pods.
  bool is_open() const;
  // Returns whether the run is also about a cluster none of whose node pools with TPUs is here:
  // pods may be for that one.
  bool has_other_cluster() const;
  // Forgets the size and the labels of pools that later commands change.
  void open_changed_pools();
  // Adds those of another file, which gets this index.
  void add(World other, std::uint32_t file);
};

// Parts of one file are compared with each other, or the files of a folder: there a pool belongs to
// the only cluster of its name that is in no other project or region, and a file has judged its own
// parts.
enum class Between : std::uint8_t { parts, files };
void judge_world(const World& world, Between between, const Catalog& catalog, Sink& sink);
// Parts of it.
void judge_autoscalers(const World& world, Between between, Sink& sink);
// Reports ServiceAccounts that no binding of their account is for, where there is one.
void judge_identities(const World& world, Between between, Sink& sink);
// The identity that the annotation of a ServiceAccount gives the pods, or null.
const NewIdentity* identity_of(const PodNodes& pods, const World& world);
void judge_placement(const World& world, Between between, const Catalog& catalog, Sink& sink);
// The pools of the world that can take the pods, and what lint says where they never start.
struct PodPlaces {
  std::vector<const PoolNodes*> pools = {};
  std::optional<Diagnostic> never = {};
  bool is_known = false;  // that one of the pools takes them
  bool may_mix = false;   // a slice may get nodes of several pools
};
PodPlaces places_of(const PodNodes& pods, const World& world, Between between,
                    const Catalog& catalog);
Diagnostic& report_waiting(Span where, std::string_view pool, std::string_view object, Sink& sink);

}  // namespace flexslice::rules
