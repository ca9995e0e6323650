// Every generation × topology × machine type × model × mode × slices: what the sources allow
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

struct Wish {
  const Machine* machine;  // of the topology
  std::string topology;
  std::string_view model;
  bool autopilot = false;
  std::int64_t slices = 1;
  bool name_machine = true;

  std::int64_t hosts() const { return chips_of(topology) / machine->chips; }
  bool multi_host() const { return hosts() > 1; }
  std::int64_t pools() const { return multi_host() ? slices : 1; }
  std::int64_t nodes() const { return multi_host() ? hosts() : slices; }  // of a pool
  bool multislice() const { return pools() > 1; }
  bool flex() const { return model.starts_with("flex-start"); }
  bool queued() const { return model == "flex-start-queued" || model == "reservation"; }
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
  return spec +
         "workload:\n  image: busybox\n  nodeSelector: {disk: big, topology.kubernetes.io/zone: "
         "us-east5-a}\n";
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
  const bool ambiguous =
      !wish.name_machine && forming(wish.machine->type, wish.topology).size() > 1;
  if (ambiguous) codes.insert("FS3006");
  if (wish.multislice() && !ambiguous && wish.machine->type == "v3") codes.insert("FS4014");
  const bool can_queue = wish.model == "flex-start-queued" && !no_flex && !wish.autopilot;
  if (can_queue && !ambiguous && wish.multi_host() && wish.slices > 1) codes.insert("FS4045");
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
    const bool policy =
        name_of(other, facts()) == "compute resource-policies create workload-policy";
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
    const std::string name = name_of(command, facts());
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

const Value* pod_of(const Value& workload) {
  const Value* slice = at(&workload, "spec.replicatedJobs.0.template.spec.template");
  return slice != nullptr ? slice : at(&workload, "spec.template");
}

// The pods: as many as nodes, with all chips of one.
std::string fault_of_workload(const Wish& wish, const std::vector<Value>& objects) {
  const std::string pods = std::to_string(wish.nodes());
  const bool jobset = wish.multislice();
  const Value* workload = object(objects, jobset ? "JobSet" : "Job");
  if (workload == nullptr) return "no workload";
  const Value* job = at(workload, jobset ? "spec.replicatedJobs.0.template.spec" : "spec");
  if (jobset && text_at(workload, "spec.replicatedJobs.0.replicas") != std::to_string(wish.slices))
    return "replicas";
  if (wish.nodes() > 1) {
    if (text_at(job, "completions") != pods || text_at(job, "parallelism") != pods)
      return "completions, parallelism";
    if (text_at(job, "completionMode") != "Indexed") return "completionMode";
  } else if (at(job, "completions") != nullptr || at(job, "parallelism") != nullptr) {
    return "completions on a single host";
  }
  const bool own_service = wish.multi_host() && !jobset;
  const Value* service = object(objects, "Service");
  if ((service != nullptr) != own_service) return "Service";
  if (own_service && text_at(job, "template.spec.subdomain") != text_at(service, "metadata.name"))
    return "subdomain";
  const std::string chips = std::to_string(wish.machine->chips);
  const Value* containers = at(pod_of(*workload), "spec.containers");
  if (containers == nullptr || containers->items.size() != 1) return "containers";
  for (const char* kind : {"requests", "limits"}) {
    const Value* amounts = at(&containers->items.front(), fmt::format("resources.{}", kind));
    const Value* amount = amounts == nullptr ? nullptr : amounts->find("google.com/tpu");
    if (amount == nullptr || amount->text != chips || !amount->is_string()) return kind;
  }
  return {};
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
    if (name_of(command, facts()) != "container node-pools create") continue;
    const Labels labels = node_labels(command, provision);
    pools.insert(command[4]);
    for (const auto& [key, value] : selectors->members) {
      const auto label = labels.find(key);
      if (label == labels.end() || label->second != value.text) return key + ": " + value.text;
    }
  }
  if (!wish.multislice()) return affine == nullptr ? "" : "affinity";
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
      {"devices", (wish.multislice() ? chips : chips_of(wish.topology)) * (two_devices ? 2 : 1)}};
  for (const auto& [name, number] : numbers) {
    if (text_at(&plan, fmt::format("tpu.{}", name)) != std::to_string(number)) return name;
  }
  return {};
}

// The queue has room for the workload, on the nodes that its pools have.
std::string fault_of_queues(const Wish& wish, const std::vector<Value>& objects,
                            const std::vector<Words>& provision) {
  const Value* quotas =
      at(object(objects, "ClusterQueue"), "spec.resourceGroups.0.flavors.0.resources");
  const Value* labels = at(object(objects, "ResourceFlavor"), "spec.nodeLabels");
  if (quotas == nullptr || labels == nullptr || object(objects, "LocalQueue") == nullptr)
    return "queues";
  const std::string chips = std::to_string(chips_of(wish.topology) * wish.slices);
  if (text_at(quotas, "0.name") != "google.com/tpu" || text_at(quotas, "0.nominalQuota") != chips)
    return "quota";
  for (const Words& command : provision) {
    if (name_of(command, facts()) != "container node-pools create") continue;
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
    if (name_of(command, facts()).starts_with("container node-pools"))
      return "a node pool on Autopilot";
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
    if (name_of(command, facts()) != "container node-pools create") continue;
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
  const Value& pod = *pod_of(*object(objects, wish.multislice() ? "JobSet" : "Job"));
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

TEST_CASE("what the sources allow becomes nodes and pods that fit; what they forbid is said once",
          "[property]") {
  constexpr std::int64_t small = 64;
  std::size_t compiled = 0;
  Faults faults;
  for (const Machine& machine : machines()) {
    for (const std::string& topology : sample(machine)) {
      const std::vector<Wish> all = wishes(machine, topology);
      // Of large cubes every shape, and of the ways to have them each in turn.
      const std::size_t step = machine.largest > 0 && chips_of(topology) > small ? 7 : 1;
      for (std::size_t i = compiled % step; i < all.size(); i += step) {
        check_wish(all[i], faults);
        ++compiled;
      }
      check_wish({&machine, topology, "on-demand", false, 1, false}, faults);
    }
  }
  CHECK(compiled > 900);
  INFO(faults.first);
  CHECK(faults.counts == std::map<std::string, int>{});
}

}  // namespace
}  // namespace flexslice::law
