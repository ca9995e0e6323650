// Every generation × topology × machine type × model × mode × slices × kind: what the sources allow
// compiles to nodes and pods that fit one another; what they forbid is said once.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "../catch.hpp"
#include "base/text.hpp"
#include "compiled.hpp"
#include "shapes.hpp"

namespace flexslice::law {
namespace {

using yaml::Value;

// What a workload kind is, written down a second time and by hand.
struct Kind {
  std::string_view word, object;
  std::string_view more = {};    // fields of its workload
  std::string_view pods = {};    // where the template of the pods with chips is
  std::string_view others = {};  // of those without
  bool one_host = false, several_hosts = false, one_slice = false;
  bool ends = false, joined = false, serves = false, ray = false;
  bool pathways = false;
};

constexpr std::string_view of_group = "spec.leaderWorkerTemplate.workerTemplate";
constexpr Kind kinds[] = {
    {.word = "job", .object = "Job", .pods = "spec.template", .one_slice = true, .ends = true},
    {.word = "jobset",
     .object = "JobSet",
     .pods = "spec.replicatedJobs.0.template.spec.template",
     .ends = true,
     .joined = true},
    {.word = "pathways",
     .object = "JobSet",
     .more = "  pathways: {gcsLocation: gs://b-1/p}\n",
     .pods = "spec.replicatedJobs.1.template.spec.template",
     .others = "spec.replicatedJobs.0.template.spec.template",
     .ends = true,
     .joined = true,
     .pathways = true},
    {.word = "deployment",
     .object = "Deployment",
     .more = "  ports: [8000]\n",
     .pods = "spec.template",
     .one_host = true,
     .serves = true},
    {.word = "leaderworkerset",
     .object = "LeaderWorkerSet",
     .more = "  ports: [8000]\n",
     .pods = of_group,
     .several_hosts = true,
     .serves = true},
    {.word = "leaderworkerset",
     .object = "LeaderWorkerSet",
     .more = "  leader: {args: [lead], ports: [8000]}\n",
     .pods = of_group,
     .several_hosts = true,
     .serves = true},
    {.word = "leaderworkerset",
     .object = "LeaderWorkerSet",
     .more = "  leader: {tpu: false, ports: [8000], resources: {cpu: 3}}\n",
     .pods = of_group,
     .others = "spec.leaderWorkerTemplate.leaderTemplate",
     .several_hosts = true,
     .serves = true},
    {.word = "raycluster",
     .object = "RayCluster",
     .more = "  ray: {version: 2.51.0, head: {cpu: 3}}\n",
     .pods = "spec.workerGroupSpecs.0.template",
     .others = "spec.headGroupSpec.template",
     .ray = true},
    {.word = "rayjob",
     .object = "RayJob",
     .more = "  script: python train.py\n  ray: {version: 2.51.0, head: {cpu: 3}}\n",
     .pods = "spec.rayClusterSpec.workerGroupSpecs.0.template",
     .others = "spec.rayClusterSpec.headGroupSpec.template",
     .ends = true,
     .ray = true},
    {.word = "rayservice",
     .object = "RayService",
     .more = "  ray: {version: 2.51.0, head: {cpu: 3}, serveConfig: 'applications: []'}\n",
     .pods = "spec.rayClusterConfig.workerGroupSpecs.0.template",
     .others = "spec.rayClusterConfig.headGroupSpec.template",
     .ray = true},
};

struct Wish {
  const Machine* machine;  // of the topology
  std::string topology;
  std::string_view model;
  bool autopilot = false;
  std::int64_t slices = 1;
  bool name_machine = true;
  const Kind* stated = nullptr;  // else the kind is derived

  std::int64_t hosts() const { return chips_of(topology) / machine->chips; }
  bool multi_host() const { return hosts() > 1; }
  std::int64_t pools() const { return multi_host() ? slices : 1; }
  std::int64_t nodes() const { return multi_host() ? hosts() : slices; }  // of a pool
  const Kind& kind() const { return stated != nullptr ? *stated : kinds[pools() > 1 ? 1 : 0]; }
  // Slices whose devices work together.
  bool joined() const { return kind().joined && slices > 1; }
  bool flex() const { return model.starts_with("flex-start"); }
  bool queued() const {
    return model == "flex-start-queued" || (model == "reservation" && kind().word != "rayservice");
  }
};

std::string spec_of(const Wish& wish) {
  std::string spec =
      "apiVersion: flexslice/v1\nname: law\nlabels: {team: a}\ncluster: {name: c1, location: "
      "us-east5";
  spec += wish.autopilot ? ", mode: autopilot}\n" : "}\n";
  spec += fmt::format("tpu: {{type: {}, topology: {}, slices: {}", wish.machine->type,
                      wish.topology, wish.slices);
  if (wish.name_machine) spec += fmt::format(", machineType: {}", wish.machine->name);
  spec += fmt::format("}}\nprovisioning:\n  model: {}\n", wish.model);
  if (!wish.autopilot) spec += "  zones: [us-east5-a]\n";
  if (wish.model == "reservation") spec += "  reservation: projects/p-1/reservations/r1\n";
  if (wish.queued()) spec += "  queue: team-a\n";
  spec +=
      "workload:\n  image: busybox\n  nodeSelector: {disk: big, topology.kubernetes.io/zone: "
      "us-east5-a}\n";
  if (wish.stated == nullptr) return spec;
  return spec + fmt::format("  kind: {}\n{}", wish.stated->word, wish.stated->more);
}

// The codes of what the sources forbid; each is one mistake, to be said once.
std::multiset<std::string> forbidden(const Wish& wish) {
  std::multiset<std::string> codes;
  const bool no_flex = wish.machine->type == "v3" || wish.machine->type == "v4";
  if (wish.flex() && no_flex) {
    codes.insert("FS3012");
  } else if (wish.model == "flex-start-queued" && wish.autopilot) {
    codes.insert("FS3018");
  }
  if (wish.kind().pathways && wish.autopilot) codes.insert("FS4007");
  const bool ambiguous =
      !wish.name_machine && forming(wish.machine->type, wish.topology).size() > 1;
  if (ambiguous) codes.insert("FS3006");
  if (ambiguous) return codes;
  const Kind& kind = wish.kind();
  if (wish.joined() &&
      (wish.machine->type == "v3" || (!wish.multi_host() && !wish.kind().pathways)))
    codes.insert("FS4014");
  constexpr std::string_view with_pathways[] = {
      "ct4p-hightpu-4t",  "ct5lp-hightpu-4t", "ct5lp-hightpu-8t", "ct5p-hightpu-4t",
      "ct6e-standard-4t", "ct6e-standard-8t", "tpu7x-standard-4t"};
  if (wish.kind().pathways && std::ranges::count(with_pathways, wish.machine->name) == 0)
    codes.insert("FS4391");
  const bool can_queue = wish.model == "flex-start-queued" && !no_flex && !wish.autopilot;
  if (can_queue && wish.multi_host() && wish.slices > 1) codes.insert("FS4045");
  if (kind.one_slice && wish.pools() > 1) codes.insert("FS4015");
  if (wish.multi_host() ? kind.one_host : kind.several_hosts) codes.insert("FS4110");
  if (wish.model == "flex-start-queued" && !kind.ends) codes.insert("FS4111");
  if (wish.queued() && kind.word == "rayservice") codes.insert("FS4117");
  return codes;
}

std::multiset<std::string> error_codes(const Case& made) {
  std::multiset<std::string> codes;
  for (const diag::Diagnostic& each : made.compiled.diagnostics) {
    if (each.level != diag::Level::warning) codes.insert(diag::code_text(each.code));
  }
  return codes;
}

using Labels = std::map<std::string, std::string>;

// `a=1,b=2`.
void add_pairs(Labels& labels, std::string_view pairs) {
  if (pairs.empty()) return;
  for (std::string_view pair : text::split(pairs, ',')) {
    const std::size_t equals = pair.find('=');
    labels[std::string(pair.substr(0, equals))] = pair.substr(equals + 1);
  }
}

// The labels that GKE puts on the nodes of the pool which this command creates; `others` are the
// commands of the same script.
Labels node_labels(const Words& create, const std::vector<Words>& others) {
  Labels labels;
  labels["cloud.google.com/gke-nodepool"] = create[4];
  labels["topology.kubernetes.io/zone"] = flag(create, "--node-locations");
  for (const Machine& machine : machines()) {
    if (machine.name != flag(create, "--machine-type")) continue;
    labels["cloud.google.com/gke-tpu-accelerator"] = machine.accelerator;
    // Without a shape the pool's slices are single hosts: the one shape with as many chips as a
    // machine.
    for (std::string_view shape : text::split(machine.listed, ' ')) {
      if (chips_of(shape) == machine.chips) labels["cloud.google.com/gke-tpu-topology"] = shape;
    }
  }
  if (has_flag(create, "--tpu-topology"))
    labels["cloud.google.com/gke-tpu-topology"] = flag(create, "--tpu-topology");
  for (const Words& other : others) {
    const bool policy = name_of(other) == "compute resource-policies create workload-policy";
    if (policy && other[5] == flag(create, "--placement-policy"))
      labels["cloud.google.com/gke-tpu-topology"] = flag(other, "--accelerator-topology");
  }
  if (has_flag(create, "--flex-start")) labels["cloud.google.com/gke-flex-start"] = "true";
  if (has_flag(create, "--spot")) labels["cloud.google.com/gke-spot"] = "true";
  add_pairs(labels, flag(create, "--node-labels"));
  return labels;
}

// Empty when all is well, else what is wrong with the commands of one script.
std::string fault_of_commands(const std::vector<Words>& all) {
  for (const Words& command : all) {
    if (command[0] != "gcloud") continue;
    const std::string name = name_of(command);
    if (name.empty()) return "the catalog has no such command: " + text::join(command, " ");
    std::set<std::string> seen;
    for (const std::string& word : command) {
      if (word.empty()) return name + " has an empty word";
      if (!word.starts_with("--")) continue;
      const std::string flag_name = word.substr(0, word.find('='));
      if (word.ends_with('=')) return word + " is empty";
      if (!seen.insert(flag_name).second) return flag_name + " is given twice";
      if (!catalog::gcloud_knows(facts(), name, flag_name))
        return fmt::format("{} has no {}", name, flag_name);
    }
  }
  return {};
}

std::string fault_of_pool(const Wish& wish, const Words& create) {
  const auto given = [&](std::string_view name) { return flag(create, name); };
  const std::string nodes = std::to_string(wish.nodes());
  if (given("--machine-type") != wish.machine->name) return "--machine-type";
  if (given("--cluster") != "c1" || given("--location") != "us-east5" ||
      given("--node-locations") != "us-east5-a")
    return "place";
  if (wish.flex() ? given("--num-nodes") != "0" || given("--max-nodes") != nodes
                  : given("--num-nodes") != nodes)
    return "nodes";
  if (has_flag(create, "--max-nodes") != wish.flex() ||
      has_flag(create, "--enable-autoscaling") != wish.flex())
    return "autoscaling";
  if (has_flag(create, "--flex-start") != wish.flex()) return "--flex-start";
  if (has_flag(create, "--spot") != (wish.model == "spot")) return "--spot";
  if (has_flag(create, "--enable-queued-provisioning") != (wish.model == "flex-start-queued"))
    return "--enable-queued-provisioning";
  const std::string affinity = wish.flex() ? "none" : wish.model == "reservation" ? "specific" : "";
  if (given("--reservation-affinity") != affinity) return "--reservation-affinity";
  if (has_flag(create, "--reservation") != (wish.model == "reservation")) return "--reservation";
  const bool by_policy = wish.machine->type == "tpu7x" && wish.multi_host();
  if (has_flag(create, "--placement-policy") != by_policy) return "--placement-policy";
  if (given("--tpu-topology") != (wish.multi_host() && !by_policy ? wish.topology : ""))
    return "--tpu-topology";
  return {};
}

// The pods of one container: all chips of a node, or none.
std::string fault_of_containers(const Wish& wish, const Value* pod, bool with_chips) {
  const Value* containers = at(pod, "spec.containers");
  if (containers == nullptr || containers->items.size() != 1) return "containers";
  for (const char* kind : {"requests", "limits"}) {
    const Value* amounts = at(&containers->items.front(), fmt::format("resources.{}", kind));
    const Value* amount = amounts == nullptr ? nullptr : amounts->find("google.com/tpu");
    if (!with_chips) {
      if (amount != nullptr) return "chips of a pod on an ordinary node";
    } else if (amount == nullptr || amount->text != std::to_string(wish.machine->chips) ||
               !amount->is_string()) {
      return kind;
    }
  }
  return {};
}

// As many pods as nodes.
std::string fault_of_jobs(const Wish& wish, const Value& workload) {
  const bool jobset = wish.kind().joined;
  const std::string pods = std::to_string(jobset ? wish.hosts() : wish.nodes());
  const std::string replicated =
      fmt::format("spec.replicatedJobs.{}", wish.kind().pathways ? 1 : 0);
  const Value* job = at(&workload, jobset ? replicated + ".template.spec" : "spec");
  if (jobset && text_at(&workload, replicated + ".replicas") != std::to_string(wish.slices))
    return "replicas";
  if (wish.nodes() > 1 || jobset) {
    if (text_at(job, "completions") != pods || text_at(job, "parallelism") != pods)
      return "completions, parallelism";
    if (text_at(job, "completionMode") != "Indexed") return "completionMode";
  } else if (at(job, "completions") != nullptr || at(job, "parallelism") != nullptr) {
    return "completions on a single host";
  }
  return {};
}

// As many groups as slices, each with the hosts of one, and a node pool for each group.
std::string fault_of_groups(const Wish& wish, const Value& workload) {
  const bool apart = !wish.kind().others.empty();
  const Value* group = at(&workload, "spec.leaderWorkerTemplate");
  if (text_at(&workload, "spec.replicas") != std::to_string(wish.slices)) return "replicas";
  if (text_at(group, "size") != std::to_string(wish.hosts() + (apart ? 1 : 0))) return "size";
  if (text_at(group, "restartPolicy") != "RecreateGroupOnPodRestart") return "restartPolicy";
  const std::string hosts = apart ? std::to_string(wish.hosts()) : "(none)";
  if (text_at(group, "subGroupPolicy.subGroupSize") != hosts) return "subGroupSize";
  const Value* annotations = at(&workload, "metadata.annotations");
  const auto is_exclusive = [&](std::string_view sort) {
    return annotations != nullptr &&
           annotations->find(fmt::format("leaderworkerset.sigs.k8s.io/{}topology", sort)) !=
               nullptr;
  };
  if (is_exclusive("subgroup-exclusive-") != apart) return "subgroup-exclusive-topology";
  const bool by_queue = wish.queued() && !wish.autopilot;
  const bool several = wish.autopilot || wish.slices > 1;
  if (!by_queue && is_exclusive("exclusive-") != (several && !apart)) return "exclusive-topology";
  if (apart && is_exclusive("exclusive-")) return "workers on the pool of their leader";
  const Value* leader = at(group, "leaderTemplate");
  if ((leader != nullptr) != (wish.kind().more.find("leader:") != std::string_view::npos))
    return "leaderTemplate";
  return leader == nullptr ? "" : fault_of_containers(wish, leader, !apart);
}

// A replica of the worker group for each slice, of its hosts; the webhook would replace affinities.
std::string fault_of_ray(const Wish& wish, const Value& workload) {
  const std::string slices = std::to_string(wish.slices);
  const std::string path(wish.kind().pods.substr(0, wish.kind().pods.rfind('.')));
  const Value* workers = at(&workload, path);
  for (const char* field : {"replicas", "minReplicas", "maxReplicas"}) {
    if (text_at(workers, field) != slices) return field;
  }
  if (text_at(workers, "numOfHosts") != std::to_string(wish.hosts())) return "numOfHosts";
  return at(workers, "template.spec.affinity") == nullptr ? "" : "affinity";
}

// The pods: as many as nodes, with all chips of one.
std::string fault_of_workload(const Wish& wish, const std::vector<Value>& objects) {
  const Kind& kind = wish.kind();
  const Value* workload = object(objects, kind.object);
  if (workload == nullptr) return "no workload";
  std::string fault;
  if (kind.ray) {
    fault = fault_of_ray(wish, *workload);
  } else if (kind.several_hosts) {
    fault = fault_of_groups(wish, *workload);
  } else if (kind.serves) {
    if (text_at(workload, "spec.replicas") != std::to_string(wish.slices)) return "replicas";
    if ((object(objects, "PodDisruptionBudget") != nullptr) != (wish.slices > 1))
      return "PodDisruptionBudget";
  } else {
    fault = fault_of_jobs(wish, *workload);
  }
  if (!fault.empty()) return fault;
  const bool own_service = wish.multi_host() && kind.word == "job";
  const Value* service = object(objects, "Service");
  if ((service != nullptr) != (own_service || kind.serves)) return "Service";
  if (kind.serves && text_at(service, "spec.ports.0.port") != "8000") return "port";
  if (own_service &&
      text_at(workload, "spec.template.spec.subdomain") != text_at(service, "metadata.name"))
    return "subdomain";
  if (!kind.others.empty()) {
    fault = fault_of_containers(wish, at(workload, kind.others), false);
    if (at(at(workload, kind.others), "spec.nodeSelector") != nullptr)
      fault = "a selector of a pod on an ordinary node";
  }
  return fault.empty() ? fault_of_containers(wish, at(workload, kind.pods), true) : fault;
}

// Where there are pools, every selector is a label of the nodes of each.
std::string fault_of_selectors(const Wish& wish, const Value& pod,
                               const std::vector<Words>& provision) {
  const Value* selectors = at(&pod, "spec.nodeSelector");
  if (selectors == nullptr) return "no selectors";
  for (std::string_view needed : {"accelerator", "topology"}) {
    if (selectors->find(fmt::format("cloud.google.com/gke-tpu-{}", needed)) == nullptr)
      return std::string(needed);
  }
  const Value* affine =
      at(&pod, "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution");
  std::set<std::string> pools;
  for (const Words& command : provision) {
    if (name_of(command) != "container node-pools create") continue;
    const Labels labels = node_labels(command, provision);
    pools.insert(command[4]);
    for (const auto& [key, value] : selectors->members) {
      const auto label = labels.find(key);
      if (label == labels.end() || label->second != value.text) return key + ": " + value.text;
    }
  }
  const Value* own = selectors->find("cloud.google.com/gke-nodepool");
  const Value* shared = selectors->find("flexslice/workload");
  const bool several = wish.pools() > 1;
  if ((own != nullptr) == several) return "the pool's name as a selector";
  if ((shared != nullptr) != (several && wish.kind().ray)) return "the label of several pools";
  if (!several || wish.kind().ray) return affine == nullptr ? "" : "affinity";
  std::set<std::string> wanted;
  const Value* values = at(affine, "nodeSelectorTerms.0.matchExpressions.0.values");
  for (const Value& each : values == nullptr ? std::vector<Value>{} : values->items)
    wanted.insert(each.text);
  return wanted == pools ? "" : "pools of the affinity";
}

// What the plan says of itself.
std::string fault_of_plan(const Wish& wish, const Value& plan) {
  const bool two_devices = wish.machine->type == "v3" || wish.machine->type == "tpu7x";
  const std::int64_t chips = chips_of(wish.topology) * wish.slices;
  const std::pair<const char*, std::int64_t> numbers[] = {
      {"chips", chips_of(wish.topology)},
      {"chipsPerHost", wish.machine->chips},
      {"hosts", wish.hosts()},
      {"totalChips", chips},
      {"totalHosts", wish.hosts() * wish.slices},
      {"devices", (wish.joined() ? chips : chips_of(wish.topology)) * (two_devices ? 2 : 1)}};
  for (const auto& [name, number] : numbers) {
    if (text_at(&plan, fmt::format("tpu.{}", name)) != std::to_string(number)) return name;
  }
  return {};
}

std::string quota_of(const Value* flavor, std::string_view resource) {
  const Value* resources = at(flavor, "resources");
  for (const Value& each : resources == nullptr ? std::vector<Value>{} : resources->items) {
    if (text_at(&each, "name") == resource) return text_at(&each, "nominalQuota");
  }
  return "(none)";
}

// The queue has room for the workload, on the nodes that its pools have and on ordinary ones.
std::string fault_of_queues(const Wish& wish, const std::vector<Value>& objects,
                            const std::vector<Words>& provision) {
  const Value* flavors = at(object(objects, "ClusterQueue"), "spec.resourceGroups.0.flavors");
  const Value* labels = at(object(objects, "ResourceFlavor"), "spec.nodeLabels");
  if (flavors == nullptr || labels == nullptr || object(objects, "LocalQueue") == nullptr)
    return "queues";
  const std::string chips = std::to_string(chips_of(wish.topology) * wish.slices);
  if (quota_of(at(flavors, "0"), "google.com/tpu") != chips) return "quota";
  // Of each head or leader without chips 3 CPUs: one for each group, or one for all. Kueue counts
  // what KubeRay submits a job with, and what of Pathways is on the head.
  const bool ordinary = !wish.kind().others.empty();
  const std::int64_t leaders = wish.kind().ray ? 1 : wish.slices;
  const std::string cpus = !ordinary                      ? "(none)"
                           : wish.kind().word == "rayjob" ? "3500m"
                           : wish.kind().pathways         ? "48"
                                                          : std::to_string(3 * leaders);
  if ((at(flavors, "1") != nullptr) != ordinary || quota_of(at(flavors, "1"), "cpu") != cpus)
    return "quota of ordinary nodes";
  for (const Words& command : provision) {
    if (name_of(command) != "container node-pools create") continue;
    const Labels known = node_labels(command, provision);
    for (const auto& [key, value] : labels->members) {
      const auto label = known.find(key);
      if (label == known.end() || label->second != value.text) return "flavor: " + key;
    }
  }
  return {};
}

std::string fault_on_autopilot(const Wish& wish, const std::vector<Words>& provision,
                               const Value& pod) {
  for (const Words& command : provision) {
    if (name_of(command).starts_with("container node-pools")) return "a node pool on Autopilot";
  }
  Labels expected{{"cloud.google.com/gke-tpu-accelerator", std::string(wish.machine->accelerator)},
                  {"cloud.google.com/gke-tpu-topology", wish.topology},
                  {"disk", "big"},
                  {"topology.kubernetes.io/zone", "us-east5-a"}};
  if (wish.flex()) expected["cloud.google.com/gke-flex-start"] = "true";
  if (wish.model == "spot") expected["cloud.google.com/gke-spot"] = "true";
  if (wish.model == "reservation") {
    expected["cloud.google.com/reservation-affinity"] = "specific";
    expected["cloud.google.com/reservation-name"] = "r1";
    expected["cloud.google.com/reservation-project"] = "p-1";
  }
  Labels seen;
  const Value* selectors = at(&pod, "spec.nodeSelector");
  if (selectors == nullptr) return "no selectors";
  for (const auto& [key, value] : selectors->members) seen[key] = value.text;
  return seen == expected ? "" : "selectors";
}

std::string fault_of_pools(const Wish& wish, const std::vector<Words>& provision) {
  std::int64_t pools = 0;
  for (const Words& command : provision) {
    if (name_of(command) != "container node-pools create") continue;
    if (auto fault = fault_of_pool(wish, command); !fault.empty()) return fault;
    ++pools;
  }
  if (pools != wish.pools()) return "number of pools";
  const bool policies = std::any_of(provision.begin(), provision.end(), [](const Words& each) {
    return has_flag(each, "--accelerator-topology");
  });
  return policies == (wish.machine->type == "tpu7x" && wish.multi_host()) ? ""
                                                                          : "workload policies";
}

// What is wrong with a plan that the sources allow; empty when all is well.
std::string fault_of(const Wish& wish, const Case& made) {
  for (Emit script : {Emit::provision, Emit::verify, Emit::cleanup}) {
    const std::vector<Words> all = commands(made.text(script));
    // An Autopilot cluster that exists has nothing to provision.
    if (all.empty() != (wish.autopilot && script == Emit::provision))
      return "a script without commands";
    if (auto fault = fault_of_commands(all); !fault.empty()) return fault;
  }
  const std::vector<Value> objects = documents(made.text(Emit::manifests));
  if (auto fault = fault_of_workload(wish, objects); !fault.empty()) return fault;
  const Value& pod = *at(object(objects, wish.kind().object), wish.kind().pods);
  const std::vector<Words> provision = commands(made.text(Emit::provision));
  if (auto fault = fault_of_plan(wish, documents(made.text(Emit::plan)).at(0)); !fault.empty())
    return fault;
  if (wish.queued()) {
    if (auto fault = fault_of_queues(wish, documents(made.text(Emit::queues)), provision);
        !fault.empty())
      return fault;
  }
  if (wish.autopilot) return fault_on_autopilot(wish, provision, pod);
  if (auto fault = fault_of_pools(wish, provision); !fault.empty()) return fault;
  return fault_of_selectors(wish, pod, provision);
}

// Every fault with how often it was met, and the first one whole.
struct Faults {
  std::map<std::string, int> counts;
  std::string first;

  void add(const std::string& fault, const std::string& spec, const Case& made) {
    if (counts.empty())
      first = fmt::format("{}\n{}{}{}{}", fault, spec, made.findings(), made.text(Emit::provision),
                          made.text(Emit::manifests));
    ++counts[fault];
  }
};

void check_wish(const Wish& wish, Faults& faults) {
  const std::string spec = spec_of(wish);
  const Case made = compile(spec);
  const auto expected = forbidden(wish);
  std::string fault;
  if (error_codes(made) != expected) {
    fault = "errors";
  } else if (made.compiled.ok != expected.empty() ||
             made.compiled.artifacts.empty() == made.compiled.ok) {
    fault = "artifacts";
  } else if (made.compiled.ok) {
    fault = fault_of(wish, made);
  }
  if (!fault.empty()) faults.add(fault, spec, made);
}

// Every way to have the shape.
std::vector<Wish> wishes(const Machine& machine, const std::string& topology) {
  std::vector<Wish> all;
  for (std::string_view model :
       {"flex-start", "flex-start-queued", "spot", "on-demand", "reservation"}) {
    for (const bool autopilot : {false, true}) {
      for (const std::int64_t slices : {1, 2})
        all.push_back({&machine, topology, model, autopilot, slices, true});
    }
  }
  return all;
}

// The same for each kind that is stated.
std::vector<Wish> kind_wishes(const Machine& machine, const std::string& topology) {
  std::vector<Wish> all;
  for (const Kind& kind : kinds) {
    for (Wish wish : wishes(machine, topology)) {
      wish.stated = &kind;
      all.push_back(wish);
    }
  }
  return all;
}

TEST_CASE("every workload kind has the nodes and pods of its slices", "[property]") {
  std::size_t compiled = 0;
  Faults faults;
  for (const Machine& machine : machines()) {
    for (const std::string& topology : sample(machine)) {
      const std::vector<Wish> all = kind_wishes(machine, topology);
      // Of cubes some ways, of other shapes more, each in turn.
      const std::size_t step = machine.largest > 0 && topology.size() > 5 ? 41 : 5 * sampled(3);
      for (std::size_t i = compiled % step; i < all.size(); i += step) {
        check_wish(all[i], faults);
        ++compiled;
      }
    }
  }
  CHECK(compiled * sampled(3) > 900);
  INFO(faults.first);
  CHECK(faults.counts == std::map<std::string, int>{});
}

TEST_CASE("what the sources allow becomes nodes and pods that fit; what they forbid is said once",
          "[property]") {
  constexpr std::int64_t small = 64;
  std::size_t compiled = 0;
  Faults faults;
  for (const Machine& machine : machines()) {
    for (const std::string& topology : sample(machine)) {
      const std::vector<Wish> all = wishes(machine, topology);
      // Of large cubes every shape, and of the ways to have them each in turn.
      const std::size_t step = machine.largest > 0 && chips_of(topology) > small ? 7 : sampled(3);
      for (std::size_t i = compiled % step; i < all.size(); i += step) {
        check_wish(all[i], faults);
        ++compiled;
      }
      check_wish({&machine, topology, "on-demand", false, 1, false}, faults);
    }
  }
  CHECK(compiled * sampled(3) > 900);
  INFO(faults.first);
  CHECK(faults.counts == std::map<std::string, int>{});
}

}  // namespace
}  // namespace flexslice::law
