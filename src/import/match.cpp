#include "import/match.hpp"

#include <algorithm>

#include "base/lists.hpp"
#include "claims/kinds.hpp"

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

// Without one, an object is wherever kubectl is: mostly in `default`.
bool is_same_namespace(const Value& a, const Value& b) {
  const std::string_view first = a.text_at({"metadata", "namespace"}),
                         second = b.text_at({"metadata", "namespace"});
  return first == second || (first.empty() && second == "default") ||
         (second.empty() && first == "default");
}

bool has_label(const Value* labels, std::string_view key, std::string_view value) {
  const Value* label = labels == nullptr ? nullptr : labels->find(key);
  return label != nullptr && label->text == value;
}

bool selects_pods(const Value* selector, const Workload& workload) {
  if (selector == nullptr || selector->members.empty()) return false;
  const std::string_view name = workload.object->text_at({"metadata", "name"});
  const auto labels_of = [](const Value* pod) {
    return pod == nullptr ? nullptr : pod->at({"metadata", "labels"});
  };
  bool certain = false;
  for (const auto& [key, value] : selector->members) {
    const bool by_name = contains(name_labels, key) && value.text == name;
    const bool by_label = has_label(labels_of(workload.pod), key, value.text) ||
                          has_label(labels_of(workload.leader), key, value.text);
    certain |= by_name || by_label;
    // Labels that controllers number pods by are not in the template.
    const bool by_controller = key.find("/") != std::string::npos || key.starts_with("role");
    if (!by_name && !by_label && (contains(name_labels, key) || !by_controller)) return false;
  }
  return certain;
}

bool fits(const Value& object, const Value& compiled, const Workload& workload) {
  if (object.text_at({"kind"}) == "Service") return serves(object, workload);
  if (object.text_at({"kind"}) == "PodDisruptionBudget")
    return selects_pods(object.at({"spec", "selector", "matchLabels"}), workload);
  constexpr std::string_view of_queue[] = {"ClusterQueue", "ResourceFlavor", "Topology",
                                           "AdmissionCheck", "ProvisioningRequestConfig"};
  return contains(of_queue, compiled.text_at({"kind"}));
}

}  // namespace

bool serves(const Value& service, const Workload& workload) {
  const Value* spec = workload.pod_spec();
  const std::string_view name = service.text_at({"metadata", "name"});
  if (spec != nullptr && !name.empty() && spec->text_at({"subdomain"}) == name) return true;
  return selects_pods(service.at({"spec", "selector"}), workload);
}

std::vector<ObjectPair> pair_objects(const Workload& workload, std::size_t main,
                                     const Material& input, const std::vector<Value>& compiled) {
  std::vector<ObjectPair> pairs;
  std::vector<bool> taken(input.objects.size());
  taken[main] = true;
  const auto choose = [&](const Value& object, auto is) {
    for (std::size_t i = 0; i < input.objects.size(); ++i) {
      const FoundObject& each = input.objects[i];
      if (taken[i] || each.kind() != object.text_at({"kind"}) || !is(each)) continue;
      taken[i] = true;
      return static_cast<int>(i);
    }
    return -1;
  };
  for (std::size_t c = 0; c < compiled.size(); ++c) {
    const Value& object = compiled[c];
    int chosen = -1;
    if (object.text_at({"kind"}) == workload.object->text_at({"kind"})) {
      chosen = static_cast<int>(main);
    } else {
      chosen = choose(object, [&](const FoundObject& each) {
        return each.name() == object.text_at({"metadata", "name"}) &&
               is_same_namespace(each.value, object);
      });
      if (chosen < 0)
        chosen = choose(
            object, [&](const FoundObject& each) { return fits(each.value, object, workload); });
    }
    pairs.push_back({chosen, static_cast<int>(c)});
  }
  for (std::size_t i = 0; i < input.objects.size(); ++i) {
    const FoundObject& each = input.objects[i];
    if (!taken[i] && each.kind() == "Service" && serves(each.value, workload))
      pairs.push_back({static_cast<int>(i), -1});
  }
  return pairs;
}

}  // namespace flexslice::imports
