#include "plan/complete.hpp"

#include <fmt/core.h>

#include "base/text.hpp"
#include "schema/pattern.hpp"

namespace flexslice::plan {

using claims::Claims;
using diag::Code;
using facts::Facts;

namespace {

// Where something that was left out belongs: at the beginning of its block, or of the spec.
Span place_in(const schema::Where& block, const Claims& claims) {
  const Span where = block.given ? block.span : claims.where.span;
  return {where.source, where.begin, where.begin};
}

// What was said but is bad has been reported.
bool is_said(const schema::Where& where) { return where.given || where.bad; }

void require_cluster_field(const Claims& claims, const Facts& facts, const schema::Text& field,
                           std::string_view key, std::string_view example, diag::Sink& sink) {
  if (is_said(field.where)) return;
  sink.report<Code::ClusterFieldMissing>(place_in(claims.cluster.where, claims),
                                         fmt::format("cluster.{}", key))
      .help(fmt::format("for example `cluster: {{{}: {}}}`{}", key, example,
                        facts.autopilot ? "" : "; on Autopilot say `cluster.mode: autopilot`"));
}

void require_cluster(const Claims& claims, const Facts& facts, diag::Sink& sink) {
  const claims::Cluster& cluster = claims.cluster;
  if (cluster.mode.where.bad) return;
  const bool has_commands = !facts.autopilot || cluster.create.value;
  if (has_commands) require_cluster_field(claims, facts, cluster.name, "name", "my-cluster", sink);
  if (has_commands || cluster.name.where.given)
    require_cluster_field(claims, facts, cluster.location, "location", "us-east5", sink);
}

// Reading a bucket takes Workload Identity, which a new Standard cluster has to be given.
void require_project(const Claims& claims, const Facts& facts, diag::Sink& sink) {
  const claims::Cluster& cluster = claims.cluster;
  if (cluster.mode.where.bad || facts.autopilot || !cluster.create.value ||
      is_said(cluster.project.where))
    return;
  for (const claims::Volume& volume : claims.workload.volumes.items) {
    if (volume.gcs.where.given)
      return void(sink.report<Code::ProjectNeeded>(volume.gcs.where.span));
  }
}

void require_zones(const Claims& claims, const Facts& facts, diag::Sink& sink) {
  const claims::Provisioning& provisioning = claims.provisioning;
  const schema::Text& location = claims.cluster.location;
  const bool knowable =
      !facts.autopilot && !claims.cluster.mode.where.bad && location.where.usable();
  if (!knowable || is_said(provisioning.zones.where) || !facts.zones.empty()) return;
  diag::Diagnostic& report =
      sink.report<Code::ZonesMissing>(place_in(provisioning.where, claims), location.value);
  if (facts.generation == nullptr) return;
  std::vector<std::string_view> known;
  for (const catalog::Zone& zone : facts.generation->zones) {
    if (facts::region_of(zone.name) == facts.region) known.push_back(zone.name);
  }
  if (known.empty()) {
    report.note(fmt::format(
        "no zone of {} is known to have {}; `flexslice catalog zones` lists those that are",
        facts.region, facts.generation->id));
    return;
  }
  report.note(fmt::format("zones of {} known to have {}: {}", facts.region, facts.generation->id,
                          text::join(known, ", ")));
  const std::string first = fmt::format("zones: [{}]", known.front());
  report.help("for example `" +
              (provisioning.where.given ? first : "provisioning: {" + first + "}") + "`");
}

void require_for_model(const Claims& claims, const Facts& facts, diag::Sink& sink) {
  if (facts.model == nullptr) return;
  const claims::Provisioning& provisioning = claims.provisioning;
  const Span where =
      provisioning.model.where.given ? provisioning.model.where.span : claims.tpu.type.where.span;
  if (facts.model->takes_reservation && !is_said(provisioning.reservation.where)) {
    sink.report<Code::ReservationMissing>(where).help(
        "add `reservation: NAME`, or `projects/PROJECT/reservations/NAME` for a shared one");
  }
  if (facts.model->needs_queue && !is_said(provisioning.queue.where)) {
    sink.report<Code::QueueNeeded>(where, facts.model->title)
        .help("add `queue: NAME` of a Kueue LocalQueue; `--emit queues` writes the objects");
  }
}

}  // namespace

std::optional<Complete> complete(const Claims& claims, const Facts& facts,
                                 const catalog::Catalog& catalog, diag::Sink& sink) {
  require_cluster(claims, facts, sink);
  require_project(claims, facts, sink);
  require_zones(claims, facts, sink);
  require_for_model(claims, facts, sink);
  const bool known = facts.machine != nullptr && facts.model != nullptr && facts.kind != nullptr;
  if (!known || sink.hard_errors() > 0) return std::nullopt;
  return Complete(claims, facts, catalog);
}

}  // namespace flexslice::plan
