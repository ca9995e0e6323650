#include "plan/complete.hpp"

#include <fmt/core.h>

#include "base/text.hpp"
#include "schema/pattern.hpp"

namespace flexslice::plan {

using diag::Code;
using resolve::Facts;
using spec::Claims;

namespace {

// A bad value has been reported, so it is not missing.
bool is_said(const schema::Where& where) { return where.given || where.bad; }

struct Requirements {
  const Facts& facts;
  diag::Sink& sink;
  bool with_gcloud;
  const Claims& claims = facts.claims;
  const spec::Cluster& cluster = claims.cluster;
  const spec::Provisioning& provisioning = claims.provisioning;
  bool standard = !facts.autopilot();

  // A value that was left out belongs at the beginning of its block, or of the spec.
  Span place_in(const schema::Where& block) const {
    const Span where = block.given ? block.span : claims.where.span;
    return {where.source, where.begin, where.begin};
  }

  void require_cluster() const {
    const bool has_commands =
        facts.creates_pools || cluster.create.value || (standard && with_gcloud);
    if (!has_commands && standard) return;
    // Zones of another region would be the next error.
    const std::string_view region =
        facts.zones.empty() ? std::string_view() : resolve::region_of(facts.zones.front());
    const std::string location = fmt::format("location: {}", region.empty() ? "us-east5" : region);
    std::vector<std::string_view> missing, examples;
    const auto require = [&](const schema::Text& field, std::string_view path,
                             std::string_view example) {
      if (is_said(field.where)) return;
      missing.push_back(path);
      examples.push_back(example);
    };
    if (has_commands) require(cluster.name, "cluster.name", "name: my-cluster");
    if (has_commands || cluster.name.where.given)
      require(cluster.location, "cluster.location", location);
    if (missing.empty()) return;
    diag::Diagnostic& report = sink.report<Code::ClusterFieldMissing>(
        place_in(cluster.where), text::join(missing, "` and `"));
    if (standard && !facts.creates_pools && !facts.by_class())
      report.note("the scripts call gcloud; `--emit manifests` needs no cluster");
    const bool may_be_autopilot =
        standard && missing.size() > 1 && !claims.provisioning.zones.where.given;
    report.help(
        fmt::format("for example `cluster: {{{}}}`{}", text::join(examples, ", "),
                    may_be_autopilot ? "; on Autopilot, write `cluster.mode: autopilot`" : ""));
  }

  // Reading a bucket takes Workload Identity, which a new Standard cluster has to be given.
  void require_project() const {
    if (!standard || !cluster.create.value || is_said(cluster.project.where)) return;
    for (const spec::Volume& volume : claims.workload.volumes.items) {
      if (volume.gcs.where.given)
        return void(sink.report<Code::ProjectNeeded>(volume.gcs.where.span));
    }
    if (claims.workload.checkpoints.where.given)
      return void(sink.report<Code::ProjectNeeded>(claims.workload.checkpoints));
    const spec::Text& account = claims.workload.service_account;
    if (account.usable() && !claims.workload.host_network.value)
      sink.report<Code::AccountWithoutProject>(account, account.value)
          .help("write `cluster.project`, which names the cluster's Workload Identity pool");
  }

  void require_zones() const {
    if (!(facts.creates_pools || (standard && facts.by_class())) || provisioning.create.where.bad ||
        !cluster.location.where.usable() || is_said(provisioning.zones.where) ||
        !facts.zones.empty())
      return;
    diag::Diagnostic& report = sink.report<Code::ZonesMissing>(place_in(provisioning.where));
    if (facts.generation == nullptr) return;
    std::vector<std::string_view> known;
    for (const catalog::Zone& zone : facts.generation->zones) {
      if (resolve::region_of(zone.name) == facts.region) known.push_back(zone.name);
    }
    if (known.empty()) {
      report.note(fmt::format(
          "no zone of {} is known to have {}; `flexslice catalog zones` lists the known ones",
          facts.region, facts.generation->id));
      return;
    }
    report.note(fmt::format("zones of {} known to have {}: {}", facts.region, facts.generation->id,
                            text::join(known, ", ")));
    const std::string first = fmt::format("zones: [{}]", known.front());
    report.help(fmt::format("for example `{}`",
                            provisioning.where.given ? first : "provisioning: {" + first + "}"));
  }

  void require_for_model() const {
    if (facts.model == nullptr) return;
    Span where =
        provisioning.model.where.given ? provisioning.model.where.span : claims.tpu.type.where.span;
    const catalog::Model* reserved = facts.model_that(&catalog::Model::takes_reservation);
    for (const schema::Text& each : provisioning.fallback.items) {
      if (reserved == nullptr || reserved == facts.model || each.value != reserved->name) continue;
      where = each.where.span;
      break;
    }
    const bool gets_new_nodes = facts.gets_new_nodes() && !provisioning.create.where.bad;
    if (reserved != nullptr && gets_new_nodes && !is_said(provisioning.reservation.where))
      sink.report<Code::ReservationMissing>(where).help(
          "add `reservation: NAME`, or `projects/PROJECT/reservations/NAME` for a shared one");
    if (facts.model->needs_queue && !is_said(provisioning.queue.name.where) && !facts.is_capacity())
      sink.report<Code::QueueNeeded>(where, facts.model->title)
          .help("add `queue: NAME` of a Kueue LocalQueue; `--emit queues` writes the objects");
  }
};

}  // namespace

std::optional<Complete> complete(const Facts& facts, bool with_gcloud, diag::Sink& sink) {
  const Requirements requirements{facts, sink, with_gcloud};
  if (!facts.claims.cluster.mode.where.bad) {  // else it is not known what a cluster needs
    requirements.require_cluster();
    requirements.require_project();
    requirements.require_zones();
  }
  requirements.require_for_model();
  const bool known = facts.machine != nullptr && facts.model != nullptr && facts.kind != nullptr;
  if (!known || sink.hard_errors() > 0) return std::nullopt;
  return Complete(facts);
}

}  // namespace flexslice::plan
