#include "import/defaults.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/lists.hpp"
#include "base/quantity.hpp"
#include "import/path.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

// What the API server writes where nothing is written. `parent` is the key of the mapping, or of
// the list that it is in. Characters, not pointers to them: those are relocated at every start.
struct ServerDefault {
  char parent[32], key[32], text[32];
};

constexpr bool is_before(const ServerDefault& a, const ServerDefault& b) {
  return std::string_view(a.key) < b.key;
}

template <std::size_t size>
constexpr auto sorted_by_key(std::array<ServerDefault, size> rows) {
  std::sort(rows.begin(), rows.end(), is_before);
  return rows;
}

constexpr auto defaults = sorted_by_key(std::to_array<ServerDefault>({
    {"spec", "dnsPolicy", "ClusterFirst"},
    {"spec", "schedulerName", "default-scheduler"},
    {"spec", "terminationGracePeriodSeconds", "30"},
    {"spec", "restartPolicy", "Always"},
    {"spec", "enableServiceLinks", "true"},
    {"spec", "hostNetwork", "false"},
    {"spec", "hostIPC", "false"},
    {"spec", "hostPID", "false"},
    {"spec", "serviceAccountName", "default"},
    {"spec", "backoffLimit", "6"},
    {"spec", "completionMode", "NonIndexed"},
    {"spec", "suspend", "false"},
    {"spec", "manualSelector", "false"},
    {"spec", "parallelism", "1"},
    {"spec", "completions", "1"},
    {"spec", "podReplacementPolicy", "TerminatingOrFailed"},
    {"spec", "replicas", "1"},
    {"spec", "progressDeadlineSeconds", "600"},
    {"spec", "revisionHistoryLimit", "10"},
    {"spec", "minReadySeconds", "0"},
    {"spec", "type", "ClusterIP"},
    {"spec", "sessionAffinity", "None"},
    {"spec", "ipFamilyPolicy", "SingleStack"},
    {"spec", "internalTrafficPolicy", "Cluster"},
    {"spec", "publishNotReadyAddresses", "false"},
    {"spec", "allocateLoadBalancerNodePorts", "true"},
    {"spec", "externalTrafficPolicy", "Cluster"},
    {"spec", "startupPolicy", "LeaderCreated"},
    {"networkConfig", "subdomainPolicy", "Shared"},
    {"strategy", "type", "RollingUpdate"},
    {"rollingUpdate", "maxSurge", "25%"},
    {"rollingUpdate", "maxUnavailable", "25%"},
    {"rolloutStrategy", "type", "RollingUpdate"},
    {"rollingUpdateConfiguration", "maxSurge", "0"},
    {"rollingUpdateConfiguration", "maxUnavailable", "1"},
    {"rollingUpdateConfiguration", "partition", "0"},
    {"leaderWorkerTemplate", "restartPolicy", "RecreateGroupOnPodRestart"},
    {"replicatedJobs", "replicas", "1"},
    {"replicatedJobs", "groupName", "default"},
    {"failurePolicy", "maxRestarts", "0"},
    {"failurePolicy", "restartStrategy", "Recreate"},
    {"startupPolicy", "startupPolicyOrder", "AnyOrder"},
    {"network", "enableDNSHostnames", "true"},
    {"network", "publishNotReadyAddresses", "true"},
    {"containers", "terminationMessagePath", "/dev/termination-log"},
    {"containers", "terminationMessagePolicy", "File"},
    {"containers", "stdin", "false"},
    {"containers", "tty", "false"},
    {"initContainers", "terminationMessagePath", "/dev/termination-log"},
    {"initContainers", "terminationMessagePolicy", "File"},
    {"ports", "protocol", "TCP"},
    {"env", "value", ""},
    {"fieldRef", "apiVersion", "v1"},
    {"resourceFieldRef", "divisor", "0"},
    {"httpGet", "scheme", "HTTP"},
    {"grpc", "service", ""},
    {"startupProbe", "periodSeconds", "10"},
    {"startupProbe", "timeoutSeconds", "1"},
    {"startupProbe", "successThreshold", "1"},
    {"startupProbe", "failureThreshold", "3"},
    {"startupProbe", "initialDelaySeconds", "0"},
    {"readinessProbe", "periodSeconds", "10"},
    {"readinessProbe", "timeoutSeconds", "1"},
    {"readinessProbe", "successThreshold", "1"},
    {"readinessProbe", "failureThreshold", "3"},
    {"readinessProbe", "initialDelaySeconds", "0"},
    {"livenessProbe", "periodSeconds", "10"},
    {"livenessProbe", "timeoutSeconds", "1"},
    {"livenessProbe", "successThreshold", "1"},
    {"livenessProbe", "failureThreshold", "3"},
    {"livenessProbe", "initialDelaySeconds", "0"},
    {"tolerations", "operator", "Equal"},
    {"tolerations", "value", ""},
    {"configMap", "defaultMode", "420"},
    {"secret", "defaultMode", "420"},
    {"projected", "defaultMode", "420"},
    {"downwardAPI", "defaultMode", "420"},
    {"hostPath", "type", ""},
    {"emptyDir", "medium", ""},
    {"volumeMounts", "readOnly", "false"},
    {"persistentVolumeClaim", "readOnly", "false"},
    {"csi", "readOnly", "false"},
    {"securityContext", "privileged", "false"},
    {"onPodConditions", "status", "True"},
}));

// Empty mappings that mean something: everything, or a volume.
constexpr std::string_view meaningful_when_empty[] = {"emptyDir", "podSelector",
                                                      "namespaceSelector", "matchLabels"};

constexpr std::string_view quantity_maps[] = {"requests", "limits"};
constexpr std::string_view quantities[] = {"sizeLimit", "nominalQuota", "borrowingLimit",
                                           "lendingLimit", "divisor"};

bool is_scalar(const Value& value) { return !value.is_mapping() && !value.is_sequence(); }

bool has_tag_latest(std::string_view image) {
  const std::string_view name = image.substr(image.rfind('/') + 1);
  return name.find('@') == name.npos && (name.find(':') == name.npos || name.ends_with(":latest"));
}

bool is_default(std::string_view parent, const Value& holder, const Value::Member& member) {
  if (!is_scalar(member.value)) return false;
  const std::string& text = member.value.text;
  if (member.key == "imagePullPolicy")
    return text == (has_tag_latest(holder.text_at({"image"})) ? "Always" : "IfNotPresent");
  if (member.key == "serviceAccount") {
    const Value* name = holder.find("serviceAccountName");
    return text == "default" || (name != nullptr && name->text == text);
  }
  // Of a policy that says more, it is required.
  if (parent == "successPolicy" && member.key == "operator")
    return text == "All" && holder.members.size() == 1;
  auto row = std::partition_point(defaults.begin(), defaults.end(),
                                  [&](const ServerDefault& each) { return each.key < member.key; });
  for (; row != defaults.end() && row->key == member.key; ++row) {
    if (row->parent == parent && row->text == text) return true;
  }
  return false;
}

void drop_defaults(Value& value, std::string_view parent) {
  for (Value& item : value.items) drop_defaults(item, parent);
  for (Value::Member& member : value.members) drop_defaults(member.value, member.key);
  std::vector<std::string_view> dropped;
  for (const Value::Member& member : value.members) {
    if (is_default(parent, value, member)) dropped.push_back(member.key);
  }
  if (dropped.empty()) return;
  const std::vector<std::string> keys(dropped.begin(), dropped.end());
  for (const std::string& key : keys) value.erase(key);
}

// A Service's port leads to the same port, unless it says another.
void for_each_service_port(Value& value, std::string_view parent, auto action) {
  for (Value& item : value.items) for_each_service_port(item, parent, action);
  for (Value::Member& member : value.members)
    for_each_service_port(member.value, member.key, action);
  if (parent == "ports" && value.find("port") != nullptr) action(value);
}

void write_target_port(Value& port) {
  if (port.find("targetPort") == nullptr) port["targetPort"] = Value(*port.find("port"));
}

void drop_same_target_port(Value& port) {
  if (port.text_at({"targetPort"}) == port.find("port")->text) port.erase("targetPort");
}

void write_quantity(Value& value) {
  if (!is_scalar(value)) return;
  if (const auto quantity = parse_quantity(value.text)) value = Value::string(quantity->text());
}

void write_quantities(Value& value, std::string_view parent) {
  if (parent == "resources") {
    const Value limits = value.find("limits") == nullptr ? Value() : *value.find("limits");
    for (const Value::Member& limit : limits.members) {
      Value& requests = value["requests"];
      if (requests.find(limit.key) == nullptr) requests[limit.key] = limit.value;
    }
  }
  for (Value& item : value.items) write_quantities(item, parent);
  for (Value::Member& member : value.members) {
    if (contains(quantity_maps, parent) || contains(quantities, member.key))
      write_quantity(member.value);
    write_quantities(member.value, member.key);
  }
}

void erase_where(Value* mapping, auto is) {
  if (mapping != nullptr)
    std::erase_if(mapping->members, [&](const Value::Member& member) { return is(member.key); });
}

constexpr std::string_view last_applied = "kubectl.kubernetes.io/last-applied-configuration";

bool is_controllers_annotation(std::string_view key) {
  constexpr std::string_view keys[] = {last_applied, "deployment.kubernetes.io/revision",
                                       "kueue.x-k8s.io/workload", "cloud.google.com/neg-status"};
  return contains(keys, key) || key.starts_with("batch.kubernetes.io/");
}

bool is_controllers_label(std::string_view key) {
  constexpr std::string_view keys[] = {"controller-uid",
                                       "job-name",
                                       "pod-template-hash",
                                       "kueue.x-k8s.io/podset",
                                       "kueue.x-k8s.io/tas",
                                       "kueue.x-k8s.io/cluster-queue-name",
                                       "kueue.x-k8s.io/local-queue-name"};
  return contains(keys, key) || key.starts_with("batch.kubernetes.io/");
}

// Controllers that delete what they made for the object.
bool is_controllers_finalizer(const Value& finalizer) {
  constexpr std::string_view names[] = {
      "service.kubernetes.io/load-balancer-cleanup", "gke.networking.io/l4-ilb-v1",
      "gke.networking.io/l4-ilb-v2", "gke.networking.io/l4-netlb-v2", "foregroundDeletion"};
  return contains(names, finalizer.text);
}

void drop_from_metadata(Value& metadata, bool live) {
  constexpr std::string_view written_by_server[] = {
      "uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink"};
  erase_where(&metadata, [&](std::string_view key) { return contains(written_by_server, key); });
  erase_where(metadata.find("annotations"), is_controllers_annotation);
  if (live) erase_where(metadata.find("labels"), is_controllers_label);
  if (Value* finalizers = metadata.find("finalizers"); live && finalizers != nullptr) {
    std::erase_if(finalizers->items, is_controllers_finalizer);
    if (finalizers->items.empty()) metadata.erase("finalizers");
  }
  for (std::string_view key : {"labels", "annotations"}) {
    const Value* map = metadata.find(key);
    if (map != nullptr && map->is_empty()) metadata.erase(key);
  }
}

// Of a Service that runs. What kubectl applied says whether somebody chose the ports of nodes.
void drop_from_service(Value& service) {
  Value& spec = service["spec"];
  if (spec.text_at({"clusterIP"}) != "None") spec.erase("clusterIP");
  spec.erase("clusterIPs");
  Value& metadata = service["metadata"];
  // GKE writes it into every Service of a cluster with container-native load balancing.
  if (metadata.text_at({"annotations", "cloud.google.com/neg"}) == R"({"ingress":true})")
    metadata["annotations"].erase("cloud.google.com/neg");
  const std::string_view applied = metadata.text_at({"annotations", last_applied});
  Value* ports = spec.find("ports");
  if (ports == nullptr || applied.empty() || applied.find("\"nodePort\"") != applied.npos) return;
  for (Value& port : ports->items) port.erase("nodePort");
}

void drop_from_metadata_below(Value& value, bool live) {
  for (Value& item : value.items) drop_from_metadata_below(item, live);
  for (Value::Member& member : value.members) {
    if (member.key == "metadata" && member.value.is_mapping())
      drop_from_metadata(member.value, live);
    drop_from_metadata_below(member.value, live);
  }
}

// JobSet's webhook writes other defaults than Kubernetes does for a Job.
void write_defaults_of_jobset(Value& object) {
  const auto write = [](Value* record, std::string_view key, std::string_view text) {
    if (record != nullptr && record->find(key) == nullptr) (*record)[key] = Value::string(text);
  };
  Value* spec = object.find("spec");
  Value* jobs = spec == nullptr ? nullptr : spec->find("replicatedJobs");
  if (jobs == nullptr) return;
  for (Value& job : jobs->items) {
    write(find(job, Path{"template", "spec"}), "completionMode", "Indexed");
    write(find(job, Path{"template", "spec", "template", "spec"}), "restartPolicy", "OnFailure");
  }
}

bool is_null(const Value& value) { return value.kind == Value::Kind::null; }

// A field that is null is not there, and neither is what holds nothing else.
void drop_nulls(Value& value) {
  std::ranges::for_each(value.items, drop_nulls);
  for (auto& [key, member] : value.members) {
    const bool was_empty = member.is_empty();
    drop_nulls(member);
    if (!was_empty && member.is_mapping() && member.is_empty() &&
        !contains(meaningful_when_empty, key))
      member = Value();
  }
  std::erase_if(value.members, [](const Value::Member& member) { return is_null(member.value); });
}

// The empty value is what a toleration without one has.
void drop_empty_values_of_tolerations(Value& value) {
  std::ranges::for_each(value.items, drop_empty_values_of_tolerations);
  for (auto& [key, member] : value.members) {
    drop_empty_values_of_tolerations(member);
    if (key != "tolerations") continue;
    for (Value& toleration : member.items) {
      const Value* text = toleration.find("value");
      if (text != nullptr && is_scalar(*text) && text->text.empty()) toleration.erase("value");
    }
  }
}

}  // namespace

bool is_owned(const Value& object) {
  const Value* owners = object.at({"metadata", "ownerReferences"});
  return owners != nullptr && !owners->is_empty();
}

void drop_what_controllers_add(Value& object) {
  const Value* metadata = object.find("metadata");
  const bool live = object.find("status") != nullptr ||
                    (metadata != nullptr && (metadata->find("uid") != nullptr ||
                                             metadata->find("resourceVersion") != nullptr));
  object.erase("status");
  for (Value::Member& member : object.members) drop_nulls(member.value);
  if (live && object.text_at({"kind"}) == "Service" && object.find("spec") != nullptr)
    drop_from_service(object);
  drop_from_metadata_below(object, live);
  drop_empty_values_of_tolerations(object);
  if (!live) return;
  Value* spec = object.find("spec");
  // The Job controller's own selector, by the uid of the Job.
  if (spec != nullptr && object.text_at({"kind"}) == "Job") spec->erase("selector");
  if (spec != nullptr) spec->erase("ipFamilies");
  drop_defaults(object, {});
  for_each_service_port(object, {}, drop_same_target_port);
  drop_empty(object);
}

void drop_empty(Value& value) {
  std::ranges::for_each(value.items, drop_empty);
  for (Value::Member& member : value.members) drop_empty(member.value);
  std::erase_if(value.members, [&](const Value::Member& member) {
    const bool empty = member.value.kind == Value::Kind::null ||
                       (!is_scalar(member.value) && member.value.is_empty());
    return empty && !contains(meaningful_when_empty, member.key);
  });
}

Value normalized(Value object) {
  if (object.text_at({"kind"}) == "JobSet") write_defaults_of_jobset(object);
  write_quantities(object, {});
  for_each_service_port(object, {}, write_target_port);
  drop_defaults(object, {});
  drop_empty(object);
  return object;
}

}  // namespace flexslice::imports
