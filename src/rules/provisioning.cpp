// Model, zones, node counts, node lifetime, reservation, GKE version.
#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "rules/rules.hpp"
#include "schema/pattern.hpp"

namespace flexslice::rules {

using catalog::Generation;
using catalog::Model;
using diag::Code;
using diag::Diagnostic;
using facts::Need;

namespace {

bool is_supported(const catalog::Support* support) {
  return support != nullptr && support->supported;
}

bool is_certain(const catalog::Support* support) {
  return is_supported(support) && support->evidence.confidence != catalog::Confidence::low;
}

// False: the generation has the model in no cluster.
bool is_possible(const facts::Facts& facts) {
  return facts.generation == nullptr || facts.support == nullptr || facts.support->supported;
}

void judge_support(const Subject& subject, const Model& model, const Generation& generation) {
  const catalog::Support* support = subject.facts.support;
  if (is_certain(support)) return;
  const Span where = model_place(subject);
  if (support == nullptr) {
    subject.sink.report<Code::ModelDoubtful>(where, generation.id, model.title)
        .note("no source says that it can");
    return;
  }
  if (support->supported) {
    note_evidence(subject.sink.report<Code::ModelDoubtful>(where, generation.id, model.title),
                  support->evidence);
    return;
  }
  Diagnostic& found =
      subject.sink.report<Code::ModelNotSupported>(where, generation.id, model.title)
          .judged(support->evidence.confidence);
  note_evidence(found, support->evidence);
  std::vector<std::string_view> others;
  for (const Model& other : subject.catalog.models) {
    if (is_certain(catalog::find_support(other, generation.id))) others.push_back(other.name);
  }
  if (!others.empty())
    found.help(fmt::format("{} can be had with: {}", generation.id, text::join(others, ", ")));
}

void report_unknown_model(const Subject& subject) {
  const schema::Text& given = subject.claims.provisioning.model;
  std::vector<std::string_view> names;
  for (const Model& model : subject.catalog.models) names.push_back(model.name);
  Diagnostic& found = subject.sink.report<Code::UnknownModel>(given.where.span, given.value);
  found.note(fmt::format("the models are {}", text::join(names, " ")));
  diag::did_you_mean(found, given.value, names);
}

void judge_zone(const Subject& subject, std::string_view zone, Span where) {
  const Generation& generation = *subject.facts.generation;
  const Model& model = *subject.facts.model;
  const catalog::Zone* known = catalog::find_zone(generation, zone);
  if (known == nullptr) {
    Diagnostic& found = subject.sink.report<Code::ZoneNotListed>(where, generation.id, zone);
    std::vector<std::string_view> listed;
    for (const catalog::Zone& each : generation.zones) listed.push_back(each.name);
    if (!listed.empty())
      found.note(fmt::format("zones known to have {}: {}", generation.id, text::join(listed, " ")));
  } else if (model.flex_start && known->flex_start == false) {
    subject.sink.report<Code::ZoneNotListed>(
        where, fmt::format("{} with {}", generation.id, model.title), zone);
  }
}

void require_one_zone(const Subject& subject) {
  const facts::Facts& facts = subject.facts;
  if (facts.zones.size() < 2 || !facts.multi_host()) return;
  subject.sink
      .report<Code::SeveralZones>(subject.claims.provisioning.zones.where.span,
                                  facts.topology->text(), facts.zones.size())
      .note(facts::hosts_sum(*facts.topology, *facts.machine))
      .note("a slice is wired within one zone, and --max-nodes counts nodes for each zone")
      .help("choose one of the zones");
}

}  // namespace

void judge_model(const Subject& subject) {
  const facts::Facts& facts = subject.facts;
  if (subject.claims.provisioning.model.where.bad) return;
  if (facts.model == nullptr) return report_unknown_model(subject);
  if (facts.generation != nullptr) judge_support(subject, *facts.model, *facts.generation);
  // What the generation has in no cluster is not also missing in this mode.
  if (is_possible(facts) && !facts.model->modes.contains(facts.mode()))
    subject.sink.report<Code::ModelNotInMode>(model_place(subject), facts.model->title,
                                              facts.mode_name());
}

void judge_zones(const Subject& subject) {
  const facts::Facts& facts = subject.facts;
  const auto& zones = subject.claims.provisioning.zones;
  const schema::Text& location = subject.claims.cluster.location;
  const bool knowable = !facts.autopilot && !zones.where.bad &&
                        !subject.claims.cluster.mode.where.bad && !location.where.bad;
  std::vector<std::string_view> seen;
  for (const schema::Text& zone : zones.items) {
    const bool elsewhere = !facts.region.empty() && facts::region_of(zone.value) != facts.region;
    if (knowable && std::find(seen.begin(), seen.end(), zone.value) != seen.end()) {
      subject.sink.report<Code::RepeatedZone>(zone.where.span, zone.value);
    } else if (knowable && elsewhere) {
      subject.sink.report<Code::ZoneOutsideRegion>(zone.where.span, zone.value, facts.region)
          .note(fmt::format("`cluster.location` is {}", location.value));
    }
    seen.push_back(zone.value);
  }
  require_one_zone(subject);
  if (facts.model == nullptr || facts.generation == nullptr || !is_possible(facts)) return;
  for (const schema::Text& zone : zones.items) {
    const bool elsewhere = !facts.region.empty() && facts::region_of(zone.value) != facts.region;
    if (zone.where.usable() && !elsewhere) judge_zone(subject, zone.value, zone.where.span);
  }
  if (!zones.where.given && !facts.zones.empty())
    judge_zone(subject, location.value, location.where.span);
}

void judge_node_count(const Subject& subject) {
  const schema::Integer& given = subject.claims.provisioning.max_nodes;
  const facts::Facts& facts = subject.facts;
  if (facts.autopilot || !facts.multi_host() || !given.where.usable() || given.value == facts.hosts)
    return;
  subject.sink
      .report<Code::NodesContradictHosts>(
          given.where.span, facts::hosts_sum(*facts.topology, *facts.machine), given.value)
      .note(
          "a multi-host node pool is created as a whole: it has 0 nodes or as many as the slice "
          "has hosts")
      .help(fmt::format("write {}, or leave `maxNodes` out", facts.hosts))
      .fix(given.where.span, std::to_string(facts.hosts));
}

void judge_run_duration(const Subject& subject) {
  const schema::Text& given = subject.claims.provisioning.max_run_duration;
  const Model* model = subject.facts.model;
  if (model == nullptr || !given.where.usable()) return;
  if (!model->takes_run_duration) {
    subject.sink
        .report<Code::NotForModel>(given.where.span, "provisioning.maxRunDuration", model->name)
        .help("leave it out");
    return;
  }
  const std::int64_t seconds = *schema::duration_seconds(given.value);
  if (seconds >= model->min_run_seconds && seconds <= model->max_run_seconds) return;
  subject.sink.report<Code::DurationOutOfRange>(given.where.span, given.value)
      .note(fmt::format("{} = {} seconds; {} allows {} to {} seconds", given.value, seconds,
                        model->title, model->min_run_seconds, model->max_run_seconds));
}

void judge_reservation(const Subject& subject) {
  const schema::Text& given = subject.claims.provisioning.reservation;
  const Model* model = subject.facts.model;
  if (model == nullptr || model->takes_reservation || !given.where.usable()) return;
  subject.sink.report<Code::NotForModel>(given.where.span, "provisioning.reservation", model->name)
      .help("write `model: reservation` to use the reservation, or leave it out");
}

// A workload's deadline beyond its nodes' lifetime can never be reached.
void judge_deadline(const Subject& subject) {
  const schema::Text& deadline = subject.claims.workload.active_deadline;
  const Model* model = subject.facts.model;
  if (model == nullptr || !deadline.where.usable()) return;
  const std::int64_t claimed = facts::run_seconds(subject.claims, *model);
  const std::int64_t lifetime = claimed > 0 ? claimed : model->default_run_seconds;
  const std::int64_t seconds = *schema::duration_seconds(deadline.value);
  if (lifetime == 0 || seconds <= lifetime) return;
  subject.sink.report<Code::DeadlineBeyondNodes>(deadline.where.span, deadline.value)
      .note(fmt::format("{} = {} seconds; the nodes live {} seconds", deadline.value, seconds,
                        lifetime));
}

// A ProvisioningRequest asks for all pods of a workload in one node group.
void judge_queued_slices(const Subject& subject) {
  const facts::Facts& facts = subject.facts;
  if (facts.model == nullptr || !facts.model->needs_queue || !facts.multi_host() ||
      facts.slices < 2)
    return;
  // Where the model is refused as a whole, that is the one mistake.
  if (!facts.model->modes.contains(facts.mode()) || !is_possible(facts)) return;
  const std::int64_t pods = facts.slices * facts.hosts;
  subject.sink
      .report<Code::QueuedSlices>(subject.claims.tpu.slices.where.span, facts.model->title,
                                  facts.slices)
      .note(fmt::format("the request is for {} in one node pool; {} slices * {} = {}",
                        text::count(pods, "pod"), facts.slices, text::count(facts.hosts, "host"),
                        pods))
      .note(fmt::format("each slice is a node pool of its own, with {}",
                        text::count(facts.hosts, "node")))
      .help("leave `slices` out, or choose another model");
}

void judge_version(const Subject& subject) {
  const schema::Text& given = subject.claims.cluster.version;
  if (!given.where.usable()) return;
  const auto version = catalog::parse_version(given.value);
  if (!version) return;
  std::vector<Need> unmet;
  for (const Need& need : subject.facts.needs) {
    if (*version < facts::version_of(need)) unmet.push_back(need);
  }
  if (unmet.empty()) return;
  // One message: whoever meets the highest demand of the surest kind meets the others.
  const auto weight = [](const Need& need) {
    return std::pair(need.evidence->confidence, facts::version_of(need));
  };
  const auto strongest =
      std::max_element(unmet.begin(), unmet.end(),
                       [&](const Need& a, const Need& b) { return weight(a) < weight(b); });
  Diagnostic& found = subject.sink.report<Code::VersionTooOld>(given.where.span, strongest->what,
                                                               strongest->version, given.value);
  found.judged(strongest->evidence->confidence);
  for (const Need& need : unmet) {
    if (&need != &*strongest) found.note(fmt::format("{} needs {}", need.what, need.version));
  }
  if (std::string source = source_note(*strongest->evidence); !source.empty())
    found.note(std::move(source));
}

}  // namespace flexslice::rules
