// Fields that do not apply to Autopilot clusters, and what these clusters reject.
#include <fmt/core.h>

#include "resolve/pool_flags.hpp"
#include "resolve/workload_names.hpp"
#include "rules/object_rules.hpp"
#include "spec/derived_keys.hpp"

namespace flexslice::rules {

namespace {

void judge_location(const Facts& facts, Sink& sink) {
  const Text& location = facts.claims.cluster.location;
  if (!location.usable() || facts.region == location.value) return;
  sink.report<Code::AutopilotNeedsRegion>(location, location.value)
      .help(
          "write `location: {}`, and for the zone `workload.nodeSelector: "
          "{{topology.kubernetes.io/zone: {}}}`",
          facts.region, location.value);
}

void judge_node_fields(const Facts& facts, Sink& sink) {
  const spec::Provisioning& provisioning = facts.claims.provisioning;
  constexpr const char* by_selectors = "remove it: GKE creates the nodes from the pods' selectors";
  const struct {
    const schema::Where& where;
    const char *name, *help;
  } fields[] = {
      {provisioning.node_pools.where, "provisioning.nodePool", by_selectors},
      {provisioning.max_nodes.where, "provisioning.maxNodes", by_selectors},
      {provisioning.autoscale.where, "provisioning.autoscale", by_selectors},
      {provisioning.min_nodes.where, "provisioning.minNodes", by_selectors},
      {provisioning.pool_topology.where, "provisioning.poolTopology", by_selectors},
      {provisioning.warm.where, "provisioning.warm",
       "remove it; `workload.autoscaling.min` keeps replicas, and with them their nodes"},
      {facts.claims.workload.checkpoints.where, "workload.checkpoints",
       "save checkpoints to a bucket: `volumes: [{name: checkpoints, mountPath: /local, "
       "gcs: {bucket: NAME}}]`"},
      {provisioning.zones.where, "provisioning.zones",
       "to stay in a zone, write `workload.nodeSelector: {topology.kubernetes.io/zone: ZONE}`"},
  };
  for (const auto& field : fields) {
    if (field.where.usable())
      sink.report<Code::AutopilotField>(field.where, field.name).help(field.help);
  }
  for (const auto& [row, where, value] : resolve::passed_fields(provisioning, facts.catalog))
    sink.report<Code::AutopilotField>(*where, fmt::format("provisioning.{}", row->field))
        .help("{}", row->autopilot);
  if (provisioning.create.usable() && !provisioning.create.value)
    sink.report<Code::AutopilotField>(provisioning.create, "provisioning.create: false")
        .help("leave it out: nobody creates node pools on Autopilot, and no script deletes any");
}

void judge_pathways_mode(const Facts& facts, Sink& sink) {
  if (!facts.has_pathways()) return;
  sink.report<Code::AutopilotRefuses>(facts.claims.workload.kind, "workloads of Pathways")
      .judged(Confidence::high)
      .note("their pods use the network of their nodes (`hostNetwork`), and a folder of them")
      .help(
          "use a Standard cluster, or kind `jobset` without `pathways`, in which JAX connects the "
          "hosts");
}

void judge_namespace(const Facts& facts, Sink& sink) {
  constexpr std::string_view of_system = "kube-system";
  const Text& name = facts.claims.name_space;
  if (name.usable() && name.value == of_system)
    sink.report<Code::AutopilotRefuses>(name, "workloads in namespace `kube-system`")
        .note("GKE manages this namespace (`managed-namespaces-limitation`)")
        .help("choose another namespace");
}

void judge_capability(const Node& added, const Catalog& catalog, Sink& sink) {
  const auto& allowed = catalog.autopilot_capabilities;
  std::string_view name = added.text;
  if (name.starts_with("CAP_")) name.remove_prefix(4);
  // A placeholder looks like one.
  if (added.text.find_first_of("$<{[") != std::string::npos ||
      named(allowed, &Capability::name, name) != nullptr)
    return;
  Diagnostic& finding =
      sink.report<Code::AutopilotRefuses>(added, fmt::format("capability `{}`", added.text));
  finding.note("it allows {}", text::join(texts(allowed, &Capability::name), ", "));
  if (!allowed.empty()) note_source(finding, allowed[0].evidence);
}

void judge_container(const Node& container, const Catalog& catalog, Sink& sink) {
  if (const Node* privileged = container.at({"securityContext", "privileged"});
      privileged != nullptr && privileged->text == "true")
    sink.report<Code::AutopilotRefuses>(*privileged, "privileged containers")
        .judged(Confidence::high)
        .help("remove it: TPUs have not needed it since GKE 1.28");
  if (const Node* added = container.at({"securityContext", "capabilities", "add"})) {
    for (const Node& capability : added->items) judge_capability(capability, catalog, sink);
  }
  for (const Node& port : items(container, "ports")) {
    const Node* number = port.find("hostPort");
    if (number == nullptr || !is_literal(number) || number->text == "0") continue;
    sink.report<Code::AutopilotRefuses>(*number, "host ports")
        .judged(Confidence::medium)
        .help("remove `hostPort`: pods reach each other at the container's port");
  }
}

bool is_mounted_read_only(const Node& pod, const Node* volume) {
  if (volume == nullptr) return false;
  for (std::string_view list : {"containers", "initContainers"}) {
    for (const Node& container : items(pod, list)) {
      for (const Node& mount : items(container, "volumeMounts")) {
        const Node *name = mount.find("name"), *read_only = mount.find("readOnly");
        if (name != nullptr && name->text == volume->text &&
            (read_only == nullptr || read_only->text != "true"))
          return false;
      }
    }
  }
  return true;
}

void judge_host_path(const Node& pod, const Node& volume, Sink& sink) {
  const Node* path = volume.at({"hostPath", "path"});
  if (!is_literal(path)) return;
  if (!(path->text + "/").starts_with("/var/log/")) {
    sink.report<Code::AutopilotRefuses>(*path, "hostPath volumes outside /var/log");
  } else if (!is_mounted_read_only(pod, volume.find("name"))) {
    sink.report<Code::AutopilotRefuses>(*path, "writing below /var/log")
        .help("add `readOnly: true`");
  }
}

// A value that is null may be any: a spec says it wrongly, and that has been reported.
bool may_be(const Node* node, std::string_view text) {
  return node != nullptr && (node->kind == yaml::Kind::null || node->text == text);
}

bool may_tolerate(const Node& pod, std::string_view key, std::string_view value) {
  const Node* all = pod.find("tolerations");
  if (all != nullptr && all->kind != yaml::Kind::sequence) return true;
  return any_of(items(pod, "tolerations"), [&](const Node& toleration) {
    return toleration.kind == yaml::Kind::null ||
           (may_be(toleration.find("key"), key) && (may_be(toleration.find("operator"), "Exists") ||
                                                    may_be(toleration.find("value"), value)));
  });
}

// GKE labels nodes only with what it knows, or with what the pods tolerate. A ComputeClass can give
// nodes labels.
void judge_separation(const PodTree& pod, Sink& sink) {
  const Node* selector = pod.spec.find("nodeSelector");
  if (selector == nullptr || !says_all(pod.completeness) ||
      selector->find(resolve::class_label) != nullptr)
    return;
  if (const Node* pool = selector->find(resolve::pool_label); is_literal(pool) && pod.field.empty())
    sink.report<Code::SelectorWithoutToleration>(
            *pool, fmt::format("{}: {}", resolve::pool_label, pool->text))
        .note("Autopilot clusters have no node pools of users")
        .help("remove it: GKE creates the nodes from the other selectors");
  for (const auto& [key, value] : selector->members) {
    if (!is_literal(&key) || !is_literal(&value) || resolve::is_set_by_gke(key.text) ||
        may_tolerate(pod.spec, key.text, value.text))
      continue;
    sink.report<Code::SelectorWithoutToleration>(value, fmt::format("{}: {}", key.text, value.text))
        .help("add `tolerations: [{{key: {}, operator: Equal, value: {}, effect: NoSchedule}}]`",
              key.text, value.text);
  }
}

void judge_autopilot(const Facts& facts, Sink& sink) {
  if (!facts.autopilot() || facts.claims.cluster.mode.where.bad) return;
  for (const Rule rule : {judge_location, judge_node_fields, judge_pathways_mode, judge_namespace})
    rule(facts, sink);
}

void judge_pod_of_spec(const PodTree& pod, Sink& sink) {
  if (pod.facts.autopilot() && !pod.facts.claims.cluster.mode.where.bad)
    judge_on_autopilot(pod, sink);
}

}  // namespace

void judge_on_autopilot(const PodTree& pod, Sink& sink) {
  for (std::string_view field : {"hostNetwork", "hostPID", "hostIPC"}) {
    const Node* value = pod.spec.find(field);
    if (value != nullptr && value->text == "true")
      sink.report<Code::AutopilotRefuses>(*value, fmt::format("`{}`", field))
          .judged(Confidence::medium);
  }
  for (std::string_view list : {"containers", "initContainers"}) {
    for (const Node& container : items(pod.spec, list))
      judge_container(container, pod.facts.catalog, sink);
  }
  for (const Node& volume : items(pod.spec, "volumes")) judge_host_path(pod.spec, volume, sink);
  judge_separation(pod, sink);
  judge_tpu_toleration(pod, sink);
}

// GoogleCloudPlatform/k8s-stackdriver#1081: Autopilot keeps nodes with TPUs for pods that use them.
void judge_tpu_toleration(const PodTree& pod, Sink& sink) {
  if (pod.on_tpus || !says_all(pod.completeness)) return;
  for (const Node& toleration : items(pod.spec, "tolerations")) {
    const Node* key = toleration.find("key");
    if (key != nullptr && key->text == spec::tpu_resource)
      sink.report<Code::AutopilotRefuses>(
              *key,
              fmt::format("a toleration of `{0}` in pods that do not request `{0}`", key->text))
          .judged(Confidence::high)
          .help("remove the toleration: GKE adds it to pods that request TPUs");
  }
}

PodRules pod_autopilot_rules() {
  static constexpr PodRule rules[] = {judge_pod_of_spec};
  return rules;
}

Rules autopilot_rules() {
  static constexpr Rule rules[] = {judge_autopilot};
  return rules;
}

}  // namespace flexslice::rules
