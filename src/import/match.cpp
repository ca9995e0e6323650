#include "import/match.hpp"

#include <algorithm>

#include "base/lists.hpp"
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

const Value* labels_of(const Value* pod) {
  return pod == nullptr ? nullptr : pod->at({"metadata", "labels"});
}

}  // namespace

FoundPods::FoundPods(const Workload& workload)
    : name_(workload.object->text_at({"metadata", "name"})),
      labels_(labels_of(workload.pod)),
      leader_labels_(labels_of(workload.leader)) {
  if (const Value* spec = workload.pod_spec()) subdomain_ = spec->text_at({"subdomain"});
}

bool FoundPods::are_served_by(const FoundObject& service) const {
  if (service.kind != "Service") return false;
  return (!service.name.empty() && service.name == subdomain_) ||
         are_selected_by(service.value.at({"spec", "selector"}));
}

bool FoundPods::are_selected_by(const Value* selector) const {
  if (selector == nullptr || selector->members.empty()) return false;
  bool certain = false;
  for (const auto& [key, value] : selector->members) {
    const bool is_name = contains(name_labels, key);
    if ((is_name && value.text == name_) || has_label(labels_, key, value.text) ||
        has_label(leader_labels_, key, value.text)) {
      certain = true;
      continue;
    }
    // Labels that controllers number pods by are not in the template.
    const bool by_controller = key.find("/") != std::string::npos || key.starts_with("role");
    if (is_name || !by_controller) return false;
  }
  return certain;
}

std::string_view own_queue(const Workload& workload, const Material& input) {
  const std::string_view name = workload.object->text_at({"metadata", "labels", queue_label});
  const FoundObject* local = find_where(input.objects, [&](const FoundObject& each) {
    return each.kind == "LocalQueue" && each.name == name &&
           is_same_namespace(each.value, *workload.object);
  });
  const auto is_its = [&](const FoundObject& each) {
    return each.kind == "ClusterQueue" &&
           each.name == local->value.text_at({"spec", "clusterQueue"});
  };
  return local != nullptr && any_of(input.objects, is_its) ? name : "";
}

bool is_behind_queue(std::string_view kind) {
  constexpr std::string_view kinds[] = {"ClusterQueue", "ResourceFlavor", "Topology",
                                        "AdmissionCheck", "ProvisioningRequestConfig"};
  return contains(kinds, kind);
}

std::vector<std::size_t> services_of(const Workload& workload,
                                     const std::vector<FoundObject>& objects) {
  const FoundPods pods(workload);
  std::vector<std::size_t> serving;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (pods.are_served_by(objects[i])) serving.push_back(i);
  }
  return serving;
}

Matcher::Matcher(const Workload& workload, const Parts& parts, const Material& input)
    : pods_(workload), parts_(parts), input_(input) {}

bool Matcher::fits(std::size_t object, std::string_view compiled_kind) const {
  const FoundObject& found = input_.objects[object];
  if (found.kind == "Service") return contains(parts_.services, object);
  if (found.kind == "PodDisruptionBudget")
    return pods_.are_selected_by(found.value.at({"spec", "selector", "matchLabels"}));
  return is_behind_queue(compiled_kind);
}

std::vector<ObjectPair> Matcher::pair(const std::vector<Value>& compiled) const {
  std::vector<ObjectPair> pairs;
  std::vector<bool> taken(input_.objects.size());
  taken[parts_.object] = true;
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
    int chosen = static_cast<int>(parts_.object);
    if (kind != input_.objects[parts_.object].kind) {
      chosen = choose(kind, [&](std::size_t i) {
        const FoundObject& each = input_.objects[i];
        // That of the workload may be a placeholder, for which the trial has another name.
        return each.name == name &&
               (is_same_namespace(each.value, object) ||
                is_same_namespace(each.value, input_.objects[parts_.object].value));
      });
      if (chosen < 0) chosen = choose(kind, [&](std::size_t i) { return fits(i, kind); });
    }
    pairs.push_back({chosen, static_cast<int>(c)});
  }
  for (const std::size_t service : parts_.services) {
    if (!taken[service]) pairs.push_back({static_cast<int>(service), -1});
  }
  return pairs;
}

}  // namespace flexslice::imports
