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
    const bool is_name = contains(name_labels, key);
    if ((is_name && value.text == name) || has_label(labels_of(workload.pod), key, value.text) ||
        has_label(labels_of(workload.leader), key, value.text)) {
      certain = true;
      continue;
    }
    // Labels that controllers number pods by are not in the template.
    const bool by_controller = key.find("/") != std::string::npos || key.starts_with("role");
    if (is_name || !by_controller) return false;
  }
  return certain;
}

}  // namespace

bool serves(const Value& service, const Workload& workload) {
  const Value* spec = workload.pod_spec();
  const std::string_view name = service.text_at({"metadata", "name"});
  if (spec != nullptr && !name.empty() && spec->text_at({"subdomain"}) == name) return true;
  return selects_pods(service.at({"spec", "selector"}), workload);
}

Matcher::Matcher(const Workload& workload, std::size_t main, const Material& input)
    : workload_(workload), main_(main), input_(input) {
  for (std::size_t i = 0; i < input.objects.size(); ++i) {
    const FoundObject& each = input.objects[i];
    if (each.kind == "Service" && serves(each.value, workload)) services_.push_back(i);
  }
}

bool Matcher::fits(std::size_t object, std::string_view compiled_kind) const {
  const FoundObject& found = input_.objects[object];
  if (found.kind == "Service") return contains(services_, object);
  if (found.kind == "PodDisruptionBudget")
    return selects_pods(found.value.at({"spec", "selector", "matchLabels"}), workload_);
  constexpr std::string_view of_queue[] = {"ClusterQueue", "ResourceFlavor", "Topology",
                                           "AdmissionCheck", "ProvisioningRequestConfig"};
  return contains(of_queue, compiled_kind);
}

std::vector<ObjectPair> Matcher::pair(const std::vector<Value>& compiled) const {
  std::vector<ObjectPair> pairs;
  std::vector<bool> taken(input_.objects.size());
  taken[main_] = true;
  const auto choose = [&](std::string_view kind, auto is) {
    for (std::size_t i = 0; i < input_.objects.size(); ++i) {
      if (taken[i] || input_.objects[i].kind != kind || !is(i)) continue;
      taken[i] = true;
      return static_cast<int>(i);
    }
    return -1;
  };
  for (std::size_t c = 0; c < compiled.size(); ++c) {
    const Value& object = compiled[c];
    const std::string_view kind = object.text_at({"kind"}),
                           name = object.text_at({"metadata", "name"});
    int chosen = static_cast<int>(main_);
    if (kind != input_.objects[main_].kind) {
      chosen = choose(kind, [&](std::size_t i) {
        const FoundObject& each = input_.objects[i];
        return each.name == name && is_same_namespace(each.value, object);
      });
      if (chosen < 0) chosen = choose(kind, [&](std::size_t i) { return fits(i, kind); });
    }
    pairs.push_back({chosen, static_cast<int>(c)});
  }
  for (const std::size_t service : services_) {
    if (!taken[service]) pairs.push_back({static_cast<int>(service), -1});
  }
  return pairs;
}

}  // namespace flexslice::imports
