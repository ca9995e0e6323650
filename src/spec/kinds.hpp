// The workload kinds, one row each: what `workload.kind` may be, and what a kind means to
// everything that is derived.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flexslice::spec {

// How many hosts a slice of the kind may have.
enum class Hosts : std::uint8_t { any, one, several };
// The kind decides about several slices: they are not allowed, joined by Multislice, independent
// replicas, or independent workers of one host each.
enum class Slices : std::uint8_t { one, joined, independent, workers };
// The Service with the workload's name: of the pods of a multi-host slice, which find each other by
// it; the same, created by the kind's controller; of clients, where there are ports; or none.
enum class Service : std::uint8_t { pods, of_controller, clients, none };

// When Google reclaims a node, this part starts again and is not counted as a failure: nothing, a
// pod that is alone on its slice, or the whole workload.
enum class Reclaimed : std::uint8_t { nothing, pod, workload };

struct WorkloadKind {
  std::string_view word;       // in the spec
  std::string_view object;     // the Kubernetes kind
  std::string_view templates;  // of its objects, as they are applied; one may drop out
  // Label of the pods whose value is the workload's name: set by the controller, or by the
  // template.
  std::string_view pod_label;
  bool sets_pod_label = false;
  Hosts hosts = Hosts::any;
  std::string_view instead = {};  // the kind for slices with another number of hosts
  Slices slices = Slices::one;
  Service service = Service::none;
  bool ends = false;           // else it runs until it is deleted
  std::string_view wait = {};  // the words of kubectl that wait until it serves
  bool restarts_pods = false;  // its pods have a restart policy of their own
  Reclaimed reclaimed = Reclaimed::nothing;
  bool exclusive_topology = false;  // its controller can give each slice its own node pool
  // A pod's host name has this between the workload's name and the host: `-slice-` and the slice;
  // empty: none.
  std::string_view slice_part = {};
  // The controller adds this to the name of a slice, or if it is empty `-xxxxx` to that of a host.
  std::string_view slice_tail = {};
  std::size_t max_name = 63;          // that its controller takes
  bool has_clients = false;           // a Service for clients, where there are ports,
  std::string_view client_part = {};  // called as the workload with this
  std::string_view api_version = {};  // of the object, where an autoscaler refers to it
  bool leads = false;  // the first host of a slice is its leader, and has no number of its own
  bool admits_slices = false;  // Kueue admits each slice by itself
  bool dispatched = false;     // MultiKueue sends it from the manager to workers
  bool ray = false;            // a Ray cluster: a head without chips, and the TPU webhook
  bool pathways = false;       // the spec's container runs on a head without chips, which drives
                               // the workers of Pathways on the slices
  bool scheduled = false;      // a clock starts it, under another name each time
};

inline constexpr WorkloadKind kinds[] = {
    {.word = "job",
     .object = "Job",
     .templates = "service job",
     .pod_label = "job-name",
     .slices = Slices::workers,
     .service = Service::pods,
     .ends = true,
     .restarts_pods = true,
     .reclaimed = Reclaimed::pod,
     .dispatched = true},
    {.word = "jobset",
     .object = "JobSet",
     .templates = "jobset",
     .pod_label = "jobset.sigs.k8s.io/jobset-name",
     .slices = Slices::joined,
     .service = Service::of_controller,
     .ends = true,
     .restarts_pods = true,
     .reclaimed = Reclaimed::workload,
     .exclusive_topology = true,
     .slice_part = "-slice-",
     .dispatched = true},
    // The host name of the head and the name of its domain, which is the workload's, are a label
    // together: 2 * 22 + `-pathways-head-0-0.` = 63.
    {.word = "pathways",
     .object = "JobSet",
     .templates = "pathways",
     .pod_label = "jobset.sigs.k8s.io/jobset-name",
     .slices = Slices::joined,
     .service = Service::of_controller,
     .ends = true,
     .exclusive_topology = true,
     .slice_part = "-worker-",
     .max_name = 22,
     .dispatched = true,
     .pathways = true},
    {.word = "deployment",
     .object = "Deployment",
     .templates = "clients-service disruption-budget pod-monitoring autoscaler gateway "
                  "inference-pool http-route deployment",
     .pod_label = "app",
     .sets_pod_label = true,
     .hosts = Hosts::one,
     .instead = "leaderworkerset",
     .slices = Slices::independent,
     .service = Service::clients,
     .wait = "rollout status",
     .has_clients = true,
     .api_version = "apps/v1"},
    {.word = "leaderworkerset",
     .object = "LeaderWorkerSet",
     .templates = "leader-service group-disruption-budget pod-monitoring autoscaler gateway "
                  "inference-pool http-route leaderworkerset",
     .pod_label = "leaderworkerset.sigs.k8s.io/name",
     .hosts = Hosts::several,
     .instead = "deployment",
     .slices = Slices::independent,
     .service = Service::of_controller,
     .wait = "wait --for=condition=Available",
     .exclusive_topology = true,
     .slice_part = "-",
     .slice_tail = "-xxxxxxxxxx",
     .has_clients = true,
     .client_part = "-leader",
     .api_version = "leaderworkerset.x-k8s.io/v1",
     .leads = true,
     .admits_slices = true,
     .dispatched = true},
    {.word = "raycluster",
     .object = "RayCluster",
     .templates = "raycluster",
     .pod_label = "app",
     .sets_pod_label = true,
     .slices = Slices::independent,
     .wait = "wait --for=condition=RayClusterProvisioned",
     .max_name = 53,
     .dispatched = true,
     .ray = true},
    {.word = "rayjob",
     .object = "RayJob",
     .templates = "script rayjob",
     .pod_label = "app",
     .sets_pod_label = true,
     .slices = Slices::independent,
     .ends = true,
     .max_name = 47,
     .dispatched = true,
     .ray = true},
    {.word = "rayservice",
     .object = "RayService",
     .templates = "rayservice",
     .pod_label = "app",
     .sets_pod_label = true,
     .slices = Slices::independent,
     .wait = "wait --for=condition=Ready",
     .max_name = 47,
     .ray = true},
};

constexpr const WorkloadKind* find_kind(std::string_view word) {
  for (const WorkloadKind& kind : kinds) {
    if (kind.word == word) return &kind;
  }
  return nullptr;
}

// A job with a schedule. The names of its Jobs end in the minute of their start, so that the pods
// of all of them have a label of the template.
inline constexpr WorkloadKind scheduled_job = [] {
  WorkloadKind kind = kinds[0];
  kind.object = "CronJob";
  kind.templates = "service cronjob";
  kind.pod_label = "flexslice-schedule";
  kind.max_name = 52;
  kind.scheduled = true;
  return kind;
}();

// A spec without a workload describes nodes and queues, for workloads of any kind.
inline constexpr WorkloadKind capacity{.word = "capacity",
                                       .object = {},
                                       .templates = {},
                                       .pod_label = "flexslice-capacity",  // of no pod
                                       .slices = Slices::independent,
                                       .ends = true};

// The kind that compiles to a Kubernetes kind.
constexpr const WorkloadKind* find_object(std::string_view object) {
  if (object == scheduled_job.object) return &scheduled_job;
  for (const WorkloadKind& kind : kinds) {
    if (kind.object == object) return &kind;
  }
  return nullptr;
}

// Controllers of Jobs see this part of an object, with metadata and spec: of a CronJob the template
// of its Jobs, and any other object as it is. `Tree` is a yaml::Node or a yaml::Value.
template <class Tree>
const Tree& job_of(const Tree& object) {
  const Tree* made = object.at({"spec", "jobTemplate"});
  return made == nullptr ? object : *made;
}

// The roles of pod templates, as `target.pod` of a patch has them.
inline constexpr std::string_view worker_pod = "worker", leader_pod = "leader", head_pod = "head";

// Gives the role of templates below that key of an object, or `outer` if the key has none.
constexpr std::string_view pod_role(std::string_view key, std::string_view outer) {
  return key == "leaderTemplate" ? leader_pod : key == "headGroupSpec" ? head_pod : outer;
}

// Calls `visit` with each pod template of the object, its role in it, and what holds it. `Tree` is
// as above.
template <class Tree, class Visit>
void for_each_pod(Tree& object, const Visit& visit, std::string_view role = worker_pod) {
  for (auto& item : object.items) for_each_pod(item, visit, role);
  for (auto& member : object.members) {
    const std::string_view inner = pod_role(key_text(member), role);
    if (member.value.at({"spec", "containers"}) != nullptr) {
      visit(member.value, inner, object);
    } else {
      for_each_pod(member.value, visit, inner);
    }
  }
}

// The kind of a workload that names none. `restarts`: it starts again as a whole.
constexpr const WorkloadKind& default_kind(bool several_slices, bool multi_host, bool restarts,
                                           bool checkpoints) {
  return *find_kind(checkpoints || ((several_slices || restarts) && multi_host) ? "jobset" : "job");
}

}  // namespace flexslice::spec
