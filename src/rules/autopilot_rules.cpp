// Fields that do not apply to Autopilot clusters, and what these clusters reject.
#include <fmt/core.h>

#include "rules/rules.hpp"

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
      {provisioning.disk_size.where, "provisioning.diskSize",
       "leave it out, and request `workload.resources.ephemeral-storage`"},
      {provisioning.zones.where, "provisioning.zones",
       "to stay in a zone, write `workload.nodeSelector: {topology.kubernetes.io/zone: ZONE}`"},
  };
  for (const auto& field : fields) {
    if (field.where.usable())
      sink.report<Code::AutopilotField>(field.where, field.name).help(field.help);
  }
  if (provisioning.create.usable() && !provisioning.create.value)
    sink.report<Code::AutopilotField>(provisioning.create, "provisioning.create: false")
        .help("leave it out: nobody creates node pools on Autopilot, and no script deletes any");
}

void judge_flags(const Facts& facts, Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  if (workload.privileged.usable() && workload.privileged.value)
    sink.report<Code::AutopilotRefuses>(workload.privileged, "privileged containers")
        .judged(Confidence::high)
        .help("remove it: TPUs have not needed it since GKE 1.28");
  if (workload.host_network.usable() && workload.host_network.value)
    sink.report<Code::AutopilotRefuses>(workload.host_network, "`hostNetwork`")
        .judged(Confidence::medium);
}

void judge_pathways_mode(const Facts& facts, Sink& sink) {
  if (!facts.has_pathways()) return;
  sink.report<Code::AutopilotRefuses>(facts.claims.workload.kind, "workloads of Pathways")
      .judged(Confidence::high)
      .note("their pods use the network of their nodes (`hostNetwork`), and a folder of them")
      .help("use a Standard cluster, or `kind: jobset`, in which JAX connects the hosts");
}

void judge_host_paths(const Facts& facts, Sink& sink) {
  for (const auto& volume : facts.claims.workload.volumes.items) {
    const Text& path = volume.host_path;
    if (!path.usable()) continue;
    if (!(path.value + "/").starts_with("/var/log/")) {
      sink.report<Code::AutopilotRefuses>(path, "hostPath volumes outside /var/log");
    } else if (!volume.read_only.value) {
      sink.report<Code::AutopilotRefuses>(path, "writing below /var/log")
          .help("add `readOnly: true`");
    }
  }
}

void judge_namespace(const Facts& facts, Sink& sink) {
  constexpr std::string_view of_system = "kube-system";
  const Text& name = facts.claims.name_space;
  if (name.usable() && name.value == of_system)
    sink.report<Code::AutopilotRefuses>(name, "workloads in namespace `kube-system`")
        .note("GKE manages this namespace (`managed-namespaces-limitation`)")
        .help("choose another namespace");
}

void judge_capabilities(const Facts& facts, Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  const auto& allowed = facts.catalog.autopilot_capabilities;
  for (const auto* list : {&workload.init_containers, &workload.sidecars}) {
    for (const auto& container : list->items) {
      const yaml::Node* added = &container.value;
      for (std::string_view key : {"securityContext", "capabilities", "add"}) {
        if (added != nullptr) added = added->find(key);
      }
      if (added == nullptr) continue;
      for (const yaml::Node& capability : added->items) {
        std::string_view name = capability.text;
        if (name.starts_with("CAP_")) name.remove_prefix(4);
        if (named(allowed, &Capability::name, name) != nullptr) continue;
        Diagnostic& finding = sink.report<Code::AutopilotRefuses>(
            capability, fmt::format("capability `{}`", capability.text));
        finding.note("it allows {}", text::join(texts(allowed, &Capability::name), ", "));
        if (!allowed.empty()) note_source(finding, allowed[0].evidence);
      }
    }
  }
}

void judge_autopilot(const Facts& facts, Sink& sink) {
  if (!facts.autopilot() || facts.claims.cluster.mode.where.bad) return;
  for (const Rule rule : {judge_location, judge_node_fields, judge_flags, judge_host_paths,
                          judge_pathways_mode, judge_namespace, judge_capabilities})
    rule(facts, sink);
}

}  // namespace

Rules found_autopilot_rules() {
  static constexpr Rule rules[] = {judge_flags, judge_host_paths};
  return rules;
}

Rules autopilot_rules() {
  static constexpr Rule rules[] = {judge_autopilot};
  return rules;
}

}  // namespace flexslice::rules
