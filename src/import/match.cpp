#include "import/match.hpp"

#include <algorithm>

#include "base/lists.hpp"
#include "import/autoscaler.hpp"
#include "import/gateway.hpp"
#include "import/node_objects.hpp"
#include "spec/kinds.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

// Labels that controllers set to the name of the workload.
constexpr std::string_view name_labels[] = {"job-name",
                                            "batch.kubernetes.io/job-name",
                                            "jobset.sigs.k8s.io/jobset-name",
                                            "leaderworkerset.sigs.k8s.io/name",
                                            "ray.io/cluster",
                                            "ray.io/originated-from-cr-name"};

// Says whether the selector finds the pods of the workload.
bool selects_pods_of(const Value* selector, const FoundWorkload& workload) {
  if (selector == nullptr) return false;
  const auto has = [](const Value* pod, const Value::Member& label) {
    return pod != nullptr && pod->text_at({"metadata", "labels", label.key}) == label.value.text;
  };
  bool certain = false;
  for (const Value::Member& label : selector->members) {
    const auto& [key, value] = label;
    const bool is_name = contains(name_labels, key);
    if ((is_name && value.text == workload.object->text_at({"metadata", "name"})) ||
        has(workload.pod, label) || has(workload.leader, label)) {
      certain = true;
      continue;
    }
    // Labels that controllers number pods by are not in the template.
    const bool by_controller = key.find("/") != std::string::npos || key.starts_with("role");
    if (is_name || !by_controller) return false;
  }
  return certain;
}

bool serves(const FoundObject& service, const FoundWorkload& workload) {
  if (service.kind != "Service") return false;
  const Value* spec = workload.pod_spec();
  return (!service.name.empty() && spec != nullptr &&
          service.name == spec->text_at({"subdomain"})) ||
         selects_pods_of(service.value.at({"spec", "selector"}), workload);
}

constexpr std::string_view flavor_kind = "ResourceFlavor";

bool flavor_has_tpus(const Value& flavor) {
  const Value* labels = flavor.at({"spec", "nodeLabels"});
  return labels != nullptr && any_of(labels->members, [](const Value::Member& label) {
           return label.key == resolve::accelerator_label || label.key == resolve::topology_label;
         });
}

bool names_flavor(const Value& queue, std::string_view flavor) {
  return yaml::find_in_tree(queue, [&](const Value& each) {
           return each.find("resources") != nullptr && each.text_at({"name"}) == flavor;
         }) != nullptr;
}

// Only objects behind this queue belong to it; some kinds do not say whose they are.
bool belongs_to(const FoundObject& queue, const FoundObject& object, const Material& input) {
  if (object.kind == queue.kind) return &object == &queue;
  if (object.kind == flavor_kind) return names_flavor(queue.value, object.name);
  return object.kind != "Topology" || any_of(input.objects, [&](const FoundObject& each) {
           return each.kind == flavor_kind && names_flavor(queue.value, each.name) &&
                  each.value.text_at({"spec", "topologyName"}) == object.name;
         });
}

}  // namespace

// Without one, an object is wherever kubectl is: mostly in `default`.
bool is_same_namespace(const Value& a, const Value& b) {
  const std::string_view first = a.text_at({"metadata", "namespace"}),
                         second = b.text_at({"metadata", "namespace"});
  return first == second || (first.empty() && second == "default") ||
         (second.empty() && first == "default");
}

const FoundObject* own_cluster_queue(const FoundWorkload& workload, const Material& input) {
  const std::string_view name = workload.queue();
  const FoundObject* local = find_where(input.objects, [&](const FoundObject& each) {
    return each.kind == "LocalQueue" && each.name == name &&
           is_same_namespace(each.value, *workload.object);
  });
  if (local == nullptr) return nullptr;
  return find_where(input.objects, [&](const FoundObject& each) {
    return each.kind == "ClusterQueue" &&
           each.name == local->value.text_at({"spec", "clusterQueue"});
  });
}

bool is_behind_queue(std::string_view kind) {
  constexpr std::string_view kinds[] = {"ClusterQueue",   "ResourceFlavor",
                                        "Topology",       "WorkloadPriorityClass",
                                        "AdmissionCheck", "ProvisioningRequestConfig"};
  return contains(kinds, kind);
}

std::vector<std::size_t> services_of(const FoundWorkload& workload,
                                     const std::vector<FoundObject>& objects) {
  std::vector<std::size_t> serving;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (serves(objects[i], workload)) serving.push_back(i);
  }
  return serving;
}

std::size_t monitoring_of(const FoundWorkload& workload, const std::vector<FoundObject>& objects) {
  const auto is_its = [&](const FoundObject& each) {
    return each.kind == "PodMonitoring" &&
           selects_pods_of(each.value.at({"spec", "selector", "matchLabels"}), workload);
  };
  return static_cast<std::size_t>(std::ranges::find_if(objects, is_its) - objects.begin());
}

const FoundObject* pool_of(const FoundWorkload& workload, const std::vector<FoundObject>& objects) {
  return find_where(objects, [&](const FoundObject& each) {
    return each.kind == "InferencePool" &&
           selects_pods_of(each.value.at({"spec", "selector", "matchLabels"}), workload);
  });
}

std::vector<ObjectPair> pair_objects(const FoundWorkload& workload, const Parts& parts,
                                     const Material& input, const std::vector<Value>& compiled) {
  const FoundObject* own_queue = own_cluster_queue(workload, input);
  const auto fits = [&](std::size_t object) {
    const FoundObject& found = input.objects[object];
    if (found.kind == "Service") return contains(parts.services, object);
    if (found.kind == "HorizontalPodAutoscaler") return scales(found.value, *workload.object);
    const FoundObject* pool = pool_of(workload, input.objects);
    if (found.kind == "HTTPRoute") return pool != nullptr && routes_to(found.value, pool->name);
    if (is_for_nodes_of(workload, found, input.objects)) return true;
    if (found.kind == "PodDisruptionBudget" || found.kind == "PodMonitoring" ||
        found.kind == "InferencePool")
      return selects_pods_of(found.value.at({"spec", "selector", "matchLabels"}), workload);
    return is_behind_queue(found.kind) &&
           (own_queue == nullptr || belongs_to(*own_queue, found, input));
  };
  const auto is_same_flavor = [&](std::size_t object, const Value& flavor) {
    return flavor_has_tpus(input.objects[object].value) == flavor_has_tpus(flavor);
  };
  std::vector<ObjectPair> pairs;
  std::vector<bool> taken(input.objects.size());
  taken[parts.object] = true;
  const auto choose = [&](std::string_view kind, auto is) {
    for (std::size_t i = 0; i < input.objects.size(); ++i) {
      if (taken[i] || input.objects[i].kind != kind || !is(i)) continue;
      taken[i] = true;
      return static_cast<int>(i);
    }
    return -1;
  };
  for (std::size_t c = 0; c < compiled.size(); ++c) {
    const Value& object = compiled[c];
    const std::string_view kind = object.text_at({"kind"}),
                           name = object.text_at({"metadata", "name"});
    int chosen = static_cast<int>(parts.object);
    if (kind != input.objects[parts.object].kind) {
      chosen = choose(kind, [&](std::size_t i) {
        const FoundObject& each = input.objects[i];
        // The workload's namespace may be a placeholder, for which the trial has another name.
        return each.name == name &&
               (is_same_namespace(each.value, object) ||
                is_same_namespace(each.value, input.objects[parts.object].value));
      });
      if (chosen < 0 && kind == flavor_kind)
        chosen = choose(kind, [&](std::size_t i) { return fits(i) && is_same_flavor(i, object); });
      if (chosen < 0 && (kind != flavor_kind || flavor_has_tpus(object)))
        chosen = choose(kind, fits);
    }
    pairs.push_back({chosen, static_cast<int>(c)});
  }
  for (const std::size_t service : parts.services) {
    if (!taken[service]) pairs.push_back({static_cast<int>(service), -1});
  }
  return pairs;
}

}  // namespace flexslice::imports
