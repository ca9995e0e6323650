// The cluster, its mode, and which fields the mode has no use for.
#include <algorithm>

#include "plan/steps.hpp"

namespace flexslice::plan {

using diag::Code;

namespace {

void require_on_standard(const Context& context, const record::Text& field, std::string_view key, std::string_view example) {
  if (field.where.given || field.where.bad) return;
  const Span where = context.spec.cluster.where.given ? context.spec.cluster.where.span : context.spec.where.span;
  context.sink.report<Code::ClusterFieldMissing>({where.source, where.begin, where.begin}, text::format("cluster.{}", key))
      .help(text::format("for example `cluster: {}{}: {}{}`{}", "{", key, example, "}",
                         context.plan.cluster.autopilot ? "" : "; on Autopilot say `cluster.mode: autopilot`"));
}

void refuse_on_autopilot(const Context& context, const record::Where& where, std::string_view name, std::string_view instead) {
  if (!usable(where)) return;
  diag::Diagnostic& found = context.sink.report<Code::AutopilotField>(where.span, name);
  if (!instead.empty()) found.help(std::string(instead));
}

void check_autopilot(const Context& context) {
  const Cluster& cluster = context.plan.cluster;
  const record::Text& location = context.spec.cluster.location;
  if (usable(location.where) && cluster.region != cluster.location) {
    context.sink.report<Code::AutopilotNeedsRegion>(location.where.span, cluster.location)
        .help(text::format("write `location: {}`, and for the zone `workload.nodeSelector: {topology.kubernetes.io/zone: {}}`",
                           cluster.region, cluster.location));
  }
  const spec::Provisioning& provisioning = context.spec.provisioning;
  refuse_on_autopilot(context, provisioning.node_pool.where, "provisioning.nodePool",
                      "leave it out: GKE makes the nodes from the pods' selectors");
  refuse_on_autopilot(context, provisioning.max_nodes.where, "provisioning.maxNodes",
                      "leave it out: GKE makes the nodes from the pods' selectors");
  refuse_on_autopilot(context, provisioning.zones.where, "provisioning.zones",
                      "to stay in a zone, write `workload.nodeSelector: {topology.kubernetes.io/zone: ZONE}`");
  const spec::Workload& workload = context.spec.workload;
  if (usable(workload.privileged.where) && workload.privileged.value) {
    context.sink.report<Code::AutopilotRefuses>(workload.privileged.where.span, "privileged containers")
        .judged(catalog::Confidence::high)
        .help("leave `workload.privileged` out: TPUs have not needed it since GKE 1.28");
  }
  for (const spec::Volume& volume : workload.volumes.items) {
    if (!usable(volume.host_path.where)) continue;
    const std::string path = volume.host_path.value + "/";
    if (!path.starts_with("/var/log/")) {
      context.sink.report<Code::AutopilotRefuses>(volume.host_path.where.span, "hostPath volumes outside /var/log");
    } else if (!volume.read_only.value) {
      context.sink.report<Code::AutopilotRefuses>(volume.host_path.where.span, "to write below /var/log").help("add `readOnly: true`");
    }
  }
  if (usable(workload.host_network.where) && workload.host_network.value) {
    context.sink.report<Code::AutopilotRefuses>(workload.host_network.where.span, "the host network").judged(catalog::Confidence::medium);
  }
}

// Reading a bucket takes Workload Identity, which a new Standard cluster has to be given.
void check_identity(const Context& context) {
  Cluster& cluster = context.plan.cluster;
  const auto& volumes = context.spec.workload.volumes.items;
  const auto bucket = std::find_if(volumes.begin(), volumes.end(), [](const spec::Volume& volume) { return volume.gcs.where.given; });
  if (bucket == volumes.end() || cluster.autopilot || !cluster.create) return;
  // gcloud switches off what the list does not name, the two that it would have by default included.
  cluster.addons = "HttpLoadBalancing,HorizontalPodAutoscaling,GcsFuseCsiDriver";
  if (!cluster.project.empty()) {
    cluster.workload_pool = cluster.project + ".svc.id.goog";
  } else if (!context.spec.cluster.project.where.bad) {
    context.sink.report<Code::ProjectNeeded>(bucket->gcs.where.span);
  }
}

// Some regions are made for TPUs and lack the machines of gcloud's default.
void choose_machine(const Context& context) {
  Cluster& cluster = context.plan.cluster;
  if (!cluster.create || cluster.autopilot || cluster.region.empty()) return;
  for (const catalog::Generation& generation : context.catalog.generations) {
    for (const catalog::Zone& zone : generation.zones) {
      if (zone.cluster_machine_type.empty() || region_of(zone.name) != cluster.region) continue;
      cluster.machine_type = zone.cluster_machine_type;
      context.because("cluster.machineType", text::format("{} lacks gcloud's default for a cluster's own nodes", cluster.region),
                      &zone.evidence);
      return;
    }
  }
}

}  // namespace

std::string_view region_of(std::string_view location) {
  return record::matches(record::Form::zone, location) ? location.substr(0, location.rfind('-')) : location;
}

void resolve_cluster(const Context& context) {
  const spec::Cluster& spec = context.spec.cluster;
  Cluster& cluster = context.plan.cluster;
  cluster.autopilot = is_autopilot(context.spec);
  cluster.name = spec.name.value;
  cluster.location = spec.location.value;
  cluster.region = region_of(cluster.location);
  cluster.project = spec.project.value;
  cluster.version = spec.version.value;
  cluster.create = spec.create.value;
  if (spec.mode.where.bad) return;
  if (cluster.autopilot) check_autopilot(context);
  if (!cluster.autopilot || cluster.create) {
    require_on_standard(context, spec.name, "name", "my-cluster");
    require_on_standard(context, spec.location, "location", "us-east5");
  } else if (spec.name.where.given && !spec.location.where.given && !spec.location.where.bad) {
    require_on_standard(context, spec.location, "location", "us-east5");
  }
  check_identity(context);
  choose_machine(context);
}

}  // namespace flexslice::plan
