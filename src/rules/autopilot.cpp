// What Autopilot clusters have no use for, and what they refuse.
#include <fmt/core.h>

#include "base/text.hpp"
#include "rules/rules.hpp"

namespace flexslice::rules {

using diag::Code;

namespace {

void refuse_field(const Subject& subject, const schema::Where& where, std::string_view name,
                  std::string help) {
  if (where.usable())
    subject.sink.report<Code::AutopilotField>(where.span, name).help(std::move(help));
}

void judge_location(const Subject& subject) {
  const schema::Text& location = subject.claims.cluster.location;
  const std::string_view region = subject.facts.region;
  if (!location.where.usable() || region == location.value) return;
  subject.sink.report<Code::AutopilotNeedsRegion>(location.where.span, location.value)
      .help(fmt::format("write `location: {}`, and for the zone `workload.nodeSelector: "
                        "{{topology.kubernetes.io/zone: {}}}`",
                        region, location.value));
}

void judge_host_path(const Subject& subject, const claims::Volume& volume) {
  if (!volume.host_path.where.usable()) return;
  const std::string path = volume.host_path.value + "/";
  if (!path.starts_with("/var/log/")) {
    subject.sink.report<Code::AutopilotRefuses>(volume.host_path.where.span,
                                                "hostPath volumes outside /var/log");
  } else if (!volume.read_only.value) {
    subject.sink
        .report<Code::AutopilotRefuses>(volume.host_path.where.span, "to write below /var/log")
        .help("add `readOnly: true`");
  }
}

}  // namespace

void judge_autopilot(const Subject& subject) {
  if (!subject.facts.autopilot || subject.claims.cluster.mode.where.bad) return;
  judge_location(subject);
  const claims::Provisioning& provisioning = subject.claims.provisioning;
  constexpr std::string_view by_selectors =
      "leave it out: GKE makes the nodes from the pods' selectors";
  refuse_field(subject, provisioning.node_pool.where, "provisioning.nodePool",
               std::string(by_selectors));
  refuse_field(subject, provisioning.max_nodes.where, "provisioning.maxNodes",
               std::string(by_selectors));
  refuse_field(
      subject, provisioning.zones.where, "provisioning.zones",
      "to stay in a zone, write `workload.nodeSelector: {topology.kubernetes.io/zone: ZONE}`");
  const claims::Workload& workload = subject.claims.workload;
  if (workload.privileged.where.usable() && workload.privileged.value) {
    subject.sink
        .report<Code::AutopilotRefuses>(workload.privileged.where.span, "privileged containers")
        .judged(catalog::Confidence::high)
        .help("leave `workload.privileged` out: TPUs have not needed it since GKE 1.28");
  }
  for (const claims::Volume& volume : workload.volumes.items) judge_host_path(subject, volume);
  if (workload.host_network.where.usable() && workload.host_network.value)
    subject.sink
        .report<Code::AutopilotRefuses>(workload.host_network.where.span, "the host network")
        .judged(catalog::Confidence::medium);
}

}  // namespace flexslice::rules
