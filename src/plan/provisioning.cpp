// How the nodes are had: model, zones, node lifetime, reservation.
#include <algorithm>

#include "plan/steps.hpp"

namespace flexslice::plan {

using catalog::Model;
using diag::Code;
using diag::Diagnostic;

namespace {

constexpr std::string_view default_model = "flex-start";

const Model* resolve_model(const Context& context) {
  const record::Text& given = context.spec.provisioning.model;
  if (given.where.bad) return nullptr;
  const std::string_view name = given.where.given ? std::string_view(given.value) : default_model;
  if (const Model* model = catalog::find_model(context.catalog, name)) return model;
  std::vector<std::string_view> names;
  for (const Model& model : context.catalog.models) names.push_back(model.name);
  Diagnostic& found = context.sink.report<Code::UnknownModel>(given.where.span, name);
  found.note(text::format("the models are {}", text::join(names, " ")));
  diag::did_you_mean(found, name, names);
  return nullptr;
}

// Where a finding about the model points: the word, or what stands in for it when flex-start is taken by default.
Span model_place(const Context& context) {
  const record::Text& given = context.spec.provisioning.model;
  return given.where.given ? given.where.span : context.spec.tpu.type.where.span;
}

// Whether the generation has the model, in any cluster.
bool judge_support(const Context& context, const Model& model, const catalog::Generation& generation) {
  const catalog::Support* support = catalog::find_support(model, generation.id);
  if (support != nullptr && support->supported && support->evidence.confidence != catalog::Confidence::low) return true;
  const bool refused = support != nullptr && !support->supported;
  Diagnostic& found = refused ? context.sink.report<Code::ModelNotSupported>(model_place(context), generation.id, model.title)
                              : context.sink.report<Code::ModelDoubtful>(model_place(context), generation.id, model.title);
  if (refused) found.judged(support->evidence.confidence);
  if (support == nullptr) {
    found.note("no source says that it can");
    return true;
  }
  if (!support->evidence.note.empty()) found.note(std::string(support->evidence.note));
  if (const std::string source = source_note(support->evidence); !source.empty()) found.note(source);
  if (!refused) return true;
  std::string others;
  for (const Model& other : context.catalog.models) {
    const catalog::Support* row = catalog::find_support(other, generation.id);
    if (row != nullptr && row->supported && row->evidence.confidence != catalog::Confidence::low)
      others += (others.empty() ? "" : ", ") + std::string(other.name);
  }
  if (!others.empty()) found.help(text::format("{} can be had with: {}", generation.id, others));
  return false;
}

void report_missing_zones(const Context& context) {
  const Cluster& cluster = context.plan.cluster;
  const bool has_block = context.spec.provisioning.where.given;
  const Span where = has_block ? context.spec.provisioning.where.span : context.spec.where.span;
  Diagnostic& found = context.sink.report<Code::ZonesMissing>({where.source, where.begin, where.begin}, cluster.location);
  const catalog::Generation* generation = context.plan.tpu.generation;
  if (generation == nullptr) return;
  std::string known;
  for (const catalog::Zone& zone : generation->zones) {
    if (region_of(zone.name) == cluster.region) known += (known.empty() ? "" : ", ") + std::string(zone.name);
  }
  if (known.empty()) {
    found.note(
        text::format("no zone of {} is known to have {}; `flexslice catalog zones` lists those that are", cluster.region, generation->id));
    return;
  }
  found.note(text::format("zones of {} known to have {}: {}", cluster.region, generation->id, known));
  const std::string first = text::format("zones: [{}]", known.substr(0, known.find(',')));
  found.help("for example `" + (has_block ? first : "provisioning: {" + first + "}") + "`");
}

void resolve_zones(const Context& context) {
  const auto& zones = context.spec.provisioning.zones;
  const Cluster& cluster = context.plan.cluster;
  const spec::Cluster& given = context.spec.cluster;
  if (cluster.autopilot || zones.where.bad || given.mode.where.bad || given.location.where.bad) return;
  if (!zones.where.given) {
    if (cluster.location.empty()) return;
    if (!record::matches(record::Form::zone, cluster.location)) return report_missing_zones(context);
    context.plan.provisioning.zones = {cluster.location};
    context.because("provisioning.zones", "the cluster's own zone");
    return;
  }
  for (const record::Text& zone : zones.items) {
    auto& planned = context.plan.provisioning.zones;
    if (std::find(planned.begin(), planned.end(), zone.value) != planned.end()) {
      context.sink.report<Code::RepeatedZone>(zone.where.span, zone.value);
    } else if (!cluster.region.empty() && region_of(zone.value) != cluster.region) {
      context.sink.report<Code::ZoneOutsideRegion>(zone.where.span, zone.value, cluster.region)
          .note(text::format("`cluster.location` is {}", cluster.location));
    }
    planned.push_back(zone.value);
  }
}

void judge_zones(const Context& context, const Model& model, const catalog::Generation& generation) {
  std::vector<record::Text> zones = context.spec.provisioning.zones.items;
  // The cluster's own zone stands in for zones that are not given.
  if (!context.spec.provisioning.zones.where.given && !context.plan.provisioning.zones.empty()) zones = {context.spec.cluster.location};
  for (const record::Text& zone : zones) {
    const std::string& region = context.plan.cluster.region;
    const bool elsewhere = !region.empty() && region_of(zone.value) != region;
    if (!usable(zone.where) || elsewhere) continue;  // an error already
    const auto known =
        std::find_if(generation.zones.begin(), generation.zones.end(), [&](const catalog::Zone& each) { return each.name == zone.value; });
    if (known == generation.zones.end()) {
      Diagnostic& found = context.sink.report<Code::ZoneNotListed>(zone.where.span, generation.id, zone.value);
      std::string listed;
      for (const catalog::Zone& each : generation.zones) listed += (listed.empty() ? "" : " ") + std::string(each.name);
      if (!listed.empty()) found.note(text::format("zones known to have {}: {}", generation.id, listed));
    } else if (model.flex_start && known->flex_start == false) {
      context.sink.report<Code::ZoneNotListed>(zone.where.span, text::format("{} with {}", generation.id, model.title), zone.value);
    }
  }
}

void require_one_zone(const Context& context) {
  const Provisioning& provisioning = context.plan.provisioning;
  if (provisioning.zones.size() < 2 || context.plan.tpu.machine == nullptr || !context.plan.tpu.multi_host()) return;
  context.sink
      .report<Code::SeveralZones>(context.spec.provisioning.zones.where.span, context.plan.tpu.topology.text(), provisioning.zones.size())
      .note(hosts_sum(context.plan.tpu))
      .note("a slice is wired within one zone, and --max-nodes counts nodes for each zone")
      .help("choose one of the zones");
}

void resolve_duration(const Context& context, const Model& model) {
  const record::Text& given = context.spec.provisioning.max_run_duration;
  if (!usable(given.where)) return;
  if (!model.takes_run_duration) {
    context.sink.report<Code::NotForModel>(given.where.span, "provisioning.maxRunDuration", model.name).help("leave it out");
    return;
  }
  const std::int64_t seconds = *record::duration_seconds(given.value);
  if (seconds < model.min_run_seconds || seconds > model.max_run_seconds) {
    context.sink.report<Code::DurationOutOfRange>(given.where.span, given.value)
        .note(text::format("{} = {} seconds; {} allows {} to {} seconds", given.value, seconds, model.title, model.min_run_seconds,
                           model.max_run_seconds));
    return;
  }
  context.plan.provisioning.max_run_seconds = seconds;
  context.because("provisioning.maxRunSeconds", text::format("{} in seconds", given.value), &model.evidence);
}

void resolve_reservation(const Context& context, const Model& model) {
  const record::Text& given = context.spec.provisioning.reservation;
  if (given.where.bad) return;
  if (!model.takes_reservation) {
    if (given.where.given) {
      context.sink.report<Code::NotForModel>(given.where.span, "provisioning.reservation", model.name)
          .help("write `model: reservation` to use the reservation, or leave it out");
    }
    return;
  }
  if (!given.where.given) {
    context.sink.report<Code::ReservationMissing>(model_place(context))
        .help("add `reservation: NAME`, or `projects/PROJECT/reservations/NAME` for a shared one");
    return;
  }
  Reservation& reservation = context.plan.provisioning.reservation;
  reservation.path = given.value;
  const auto parts = text::split(given.value, '/');
  const bool shared = parts.front() == "projects";
  const std::size_t name = shared ? 3 : 0;
  if (shared) reservation.project = parts[1];
  reservation.name = parts[name];
  if (parts.size() > name + 2) reservation.block = parts[name + 2];
  if (parts.size() > name + 4) reservation.sub_block = parts[name + 4];
}

// A workload's deadline beyond its nodes' lifetime can never be reached.
void judge_deadline(const Context& context, const Model& model) {
  const record::Text& deadline = context.spec.workload.active_deadline;
  const std::int64_t lifetime =
      context.plan.provisioning.max_run_seconds > 0 ? context.plan.provisioning.max_run_seconds : model.default_run_seconds;
  if (!usable(deadline.where) || lifetime == 0) return;
  const std::int64_t seconds = *record::duration_seconds(deadline.value);
  if (seconds <= lifetime) return;
  context.sink.report<Code::DeadlineBeyondNodes>(deadline.where.span, deadline.value)
      .note(text::format("{} = {} seconds; the nodes live {} seconds", deadline.value, seconds, lifetime));
}

}  // namespace

void resolve_provisioning(const Context& context) {
  Provisioning& provisioning = context.plan.provisioning;
  provisioning.model = resolve_model(context);
  if (const Model* model = provisioning.model) {
    const bool autopilot = context.plan.cluster.autopilot;
    provisioning.idle = autopilot && !model->autopilot_idle.empty() ? model->autopilot_idle : model->idle;
    provisioning.lifetime = autopilot && !model->autopilot_lifetime.empty() ? model->autopilot_lifetime : model->lifetime;
  }
  resolve_zones(context);
  require_one_zone(context);
  if (provisioning.model == nullptr) return;
  const Model& model = *provisioning.model;
  const std::string_view mode = context.plan.cluster.autopilot ? "autopilot" : "standard";
  const catalog::Generation* generation = context.plan.tpu.generation;
  // What the generation has in no cluster is not also missing in this mode or zone.
  const bool supported = generation == nullptr || judge_support(context, model, *generation);
  if (supported && !model.modes.contains(mode)) {
    context.sink.report<Code::ModelNotInMode>(model_place(context), model.title, context.plan.cluster.autopilot ? "Autopilot" : "Standard");
  }
  if (generation != nullptr && supported) judge_zones(context, model, *generation);
  resolve_duration(context, model);
  resolve_reservation(context, model);
  judge_deadline(context, model);
}

}  // namespace flexslice::plan
