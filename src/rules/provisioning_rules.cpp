// Model, zones, node counts, node lifetime, reservation, GKE version.
#include <fmt/core.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/slip.hpp"
#include "resolve/pool_flags.hpp"
#include "rules/rules.hpp"
#include "schema/pattern.hpp"

namespace flexslice::rules {

using resolve::Need;

namespace {

// `3 slices`; where an autoscaler decides, `up to 3 replicas`.
std::string most_slices(const Facts& facts) {
  return facts.has_autoscaling() ? fmt::format("up to {}", text::count(facts.slices, "replica"))
                                 : text::count(facts.slices, "slice");
}

bool is_certain(const Support* support) {
  return support != nullptr && support->supported &&
         support->evidence.confidence != Confidence::low;
}

// As the source calls it, or the field of a spec.
std::string_view said_as(const Text& claim, std::string_view field) {
  return claim.where.label.empty() ? field : claim.where.label;
}

// Returns false if the generation has the model in no cluster.
bool is_possible(const Facts& facts) {
  return facts.generation == nullptr || facts.support == nullptr || facts.support->supported;
}

// A finding about the model points at the model, or at the claim that it is derived from.
Span model_span(const Facts& facts) {
  const Text& model = facts.claims.provisioning.model;
  return diag::span_of(model.where.given ? model : facts.claims.tpu.type);
}

void judge_support(const Facts& facts, const Model* model, Span where, Sink& sink) {
  if (model == nullptr || facts.generation == nullptr) return;
  const Support* support = find_support(*model, facts.generation->id);
  if (is_certain(support)) return;
  const auto id = facts.generation->id, title = model->title;
  const bool refused = support != nullptr && !support->supported;
  Diagnostic& finding = refused ? sink.report<Code::ModelNotSupported>(where, id, title)
                                      .judged(support->evidence.confidence)
                                : sink.report<Code::ModelDoubtful>(where, id, title);
  if (support == nullptr) {
    finding.note("no source says that it is");
    return;
  }
  note_evidence(finding, support->evidence);
  const auto others = texts(facts.catalog.models, &Model::name,
                            [&](const Model& each) { return is_certain(find_support(each, id)); });
  if (refused && !others.empty())
    finding.help("{} is available with: {}", id, text::join(others, ", "));
}

void judge_support(const Facts& facts, Sink& sink) {
  judge_support(facts, facts.model, model_span(facts), sink);
}

void report_unknown_model(const Facts& facts, const Text& claimed, Sink& sink) {
  const auto names = texts(facts.catalog.models, &Model::name);
  Diagnostic& finding = sink.report<Code::UnknownModel>(claimed, claimed.value);
  finding.note("models: {}", text::join(names, " "));
  if (!explain_mistake(facts, claimed, finding)) diag::did_you_mean(finding, claimed.value, names);
}

// A class makes the nodes when pods wait, and has no request that asks for all of them.
void judge_model_of_class(const Facts& facts, const Model& model, Span where, Sink& sink) {
  if (!model.needs_queue) return;
  sink.report<Code::ModelNotInClass>(where, model.title)
      .help("choose {}", text::join(texts(facts.catalog.models, &Model::name,
                                          [](const Model& each) { return !each.needs_queue; }),
                                    ", "));
}

void judge_fallback(const Facts& facts, Sink& sink) {
  const spec::Provisioning& claims = facts.claims.provisioning;
  if (!claims.fallback.where.usable()) return;
  std::vector<PlacedName> earlier;
  if (facts.model != nullptr) {
    earlier.push_back({facts.model->name, model_span(facts)});
    judge_model_of_class(facts, *facts.model, model_span(facts), sink);
  }
  for (const Text& each : claims.fallback.items) {
    if (!each.usable()) continue;
    const Model* model = find_model(facts.catalog, each.value);
    if (model == nullptr) {
      report_unknown_model(facts, each, sink);
      continue;
    }
    judge_repeated(sink, earlier, each.where.span, model->name, "model");
    judge_model_of_class(facts, *model, each.where.span, sink);
    judge_support(facts, model, each.where.span, sink);
  }
  // Autopilot refuses all but the queue, whose flavor would be of one model.
  const bool standard = !facts.autopilot();
  const struct {
    bool given;
    const schema::Where& where;
    const char *name, *help;
  } fields[] = {
      {claims.queue.name.where.given, claims.queue.name.where, "queue",
       "remove one: the flavor of a queue is of one model"},
      {!claims.queues.items.empty(), claims.queues.where, "queues",
       "remove one, or write `queues: []`: the flavor of a queue is of one model"},
      {standard && claims.node_pools.where.given, claims.node_pools.where, "nodePool",
       "remove one: GKE makes and names the node pools"},
      {standard && claims.pool_topology.where.given, claims.pool_topology.where, "poolTopology",
       "remove one: GKE makes node pools of the slices' own shape"},
      {standard && claims.max_nodes.where.given, claims.max_nodes.where, "maxNodes",
       "remove one: GKE makes as many nodes as pods wait"},
      {standard && claims.autoscale.where.given, claims.autoscale.where, "autoscale",
       "remove one: GKE makes nodes only while pods need them"},
      {standard && claims.min_nodes.where.given, claims.min_nodes.where, "minNodes",
       "remove one: GKE makes as many nodes as pods wait"},
      {standard && claims.warm.where.given, claims.warm.where, "warm",
       "remove one: GKE makes as many nodes as pods wait"},
      {standard && claims.create.usable() && !claims.create.value, claims.create.where,
       "create: false", "remove one: existing node pools are of one model"},
  };
  for (const auto& field : fields) {
    if (field.given)
      sink.report<Code::FieldsExclude>(field.where, fmt::format("`fallback` and `{}`", field.name),
                                       "provisioning")
          .help("{}", field.help);
  }
  for (const auto& [row, where, value] : resolve::passed_fields(claims, facts.catalog)) {
    if (standard && row->compute_class.empty())
      sink.report<Code::FieldsExclude>(*where, fmt::format("`fallback` and `{}`", row->field),
                                       "provisioning")
          .help("remove one: a ComputeClass has no field for {}", row->title);
  }
}

void judge_model_for_kind(const Facts& facts, Sink& sink) {
  const bool ends = facts.kind == nullptr || facts.kind->ends;
  if (facts.model != nullptr && facts.model->needs_queue && !ends)
    sink.report<Code::ModelForKind>(model_span(facts), facts.model->title, facts.kind->word)
        .help("choose another model: {}; or a kind that ends: {}",
              text::join(texts(facts.catalog.models, &Model::name,
                               [](const Model& model) { return !model.needs_queue; }),
                         ", "),
              text::join(texts(spec::kinds, &spec::WorkloadKind::word,
                               [](const spec::WorkloadKind& kind) { return kind.ends; }),
                         ", "));
}

void judge_model(const Facts& facts, Sink& sink) {
  const Text& claimed = facts.claims.provisioning.model;
  if (claimed.where.bad) return;
  if (facts.model == nullptr) return report_unknown_model(facts, claimed, sink);
  judge_mode_of_model(facts, sink);
}

void judge_found_model(const Facts& facts, Sink& sink) {
  // A command is not at fault for a combination that no source mentions.
  if (facts.support != nullptr && !facts.support->supported) judge_support(facts, sink);
}

// The default is right for pools that flexslice creates; others may be of any model.
void judge_model_of_existing_pools(const Facts& facts, Sink& sink) {
  const spec::Provisioning& provisioning = facts.claims.provisioning;
  if (facts.nodes_by_gke() || facts.creates_pools || provisioning.model.where.given ||
      provisioning.model.where.bad || facts.model == nullptr || facts.claims.cluster.create.value)
    return;
  sink.report<Code::ModelOfExistingPools>(provisioning.create, facts.model->name)
      .help("set `provisioning.model` to the model that the node pools were created with");
}

// Scripts compare the other fields with the pools of others.
void judge_flags_of_others(const Facts& facts, Sink& sink) {
  const spec::Provisioning& claims = facts.claims.provisioning;
  if (!claims.create.usable() || claims.create.value || facts.nodes_by_gke()) return;
  for (const auto& [row, where, value] : resolve::passed_fields(claims, facts.catalog))
    sink.report<Code::DiskOfOthers>(*where, row->field)
        .also(claims.create.where.span, "the node pools are somebody else's")
        .help("remove it");
}

std::string models_that_stay(const Catalog& catalog, bool reserved) {
  return text::join(texts(catalog.models, &Model::name,
                          [&](const Model& each) {
                            return each.nodes == FirstNodes::all &&
                                   (reserved || !each.takes_reservation);
                          }),
                    ", ");
}

// Nodes that an autoscaled pool keeps without pods. Returns whether it can.
bool judge_kept_nodes(const Facts& facts, const schema::Integer& kept, std::string_view field,
                      Sink& sink) {
  const bool from_none = facts.model->nodes == FirstNodes::none;
  // A workload that cannot be read may have an autoscaler, which scales the pool too.
  const spec::Workload& workload = facts.claims.workload;
  if (!facts.claims.provisioning.autoscale.where.given && !facts.is_capacity() &&
      (!workload.where.given || workload.where.bad || workload.autoscaling.where.bad))
    return false;
  if (!kept.usable() || facts.claims.provisioning.autoscale.where.bad ||
      (kept.value == 0 && facts.autoscales()))
    return false;
  if (from_none) {
    sink.report<Code::NotForModel>(kept, fmt::format("provisioning.{}", field), facts.model->name)
        .note("its pools have 0 nodes until pods wait for them")
        .help("remove it, or choose a model whose nodes stay: {}",
              models_that_stay(facts.catalog, field != "warm"));
  } else if (!facts.autoscales()) {
    const schema::Integer& most = facts.claims.provisioning.max_nodes;
    const bool is_warm = field == "warm";
    const auto zones = std::max<std::int64_t>(1, std::ssize(facts.zones));
    const std::int64_t all = is_warm ? kept.value + facts.slices : kept.value * zones,
                       needed = (all + zones - 1) / zones;
    // An autoscaler that keeps no nodes would be the next error.
    const bool is_refused = facts.pool_hosts() > 1 || (is_warm && facts.model->takes_reservation);
    const std::string more =
        most.usable() && most.value < needed ? fmt::format(" and `maxNodes: {}`", needed) : "";
    sink.report<Code::KeptNodesWithoutAutoscale>(kept, field)
        .help("{}remove it: the pool keeps all of its nodes",
              is_refused ? "" : fmt::format("add `autoscale: true`{}, or ", more));
  } else if (facts.pool_hosts() > 1) {
    sink.report<Code::KeptNodesOfSlice>(kept, field)
        .help("remove `{}`; for nodes that stay remove `autoscale`", field);
  } else {
    return true;
  }
  return false;
}

// Warm nodes are those of a buffer, and no more than the pool may have.
void judge_warm(const Facts& facts, Sink& sink) {
  const schema::Integer& warm = facts.claims.provisioning.warm;
  if (facts.model == nullptr || facts.nodes_by_gke() || facts.claims.cluster.mode.where.bad ||
      !judge_kept_nodes(facts, warm, "warm", sink))
    return;
  if (facts.model->takes_reservation)
    sink.report<Code::NotForModel>(warm, "provisioning.warm", facts.model->name)
        .note("reserved chips are billed whether or not nodes use them")
        .help("remove it, and `autoscale`: the nodes then stay");
}

// GKE removes nodes that no pod needs, where it is let.
void judge_autoscale(const Facts& facts, Sink& sink) {
  const spec::Provisioning& claims = facts.claims.provisioning;
  const schema::Flag& autoscale = claims.autoscale;
  if (facts.model == nullptr || facts.nodes_by_gke() || facts.claims.cluster.mode.where.bad) return;
  const bool from_none = facts.model->nodes == FirstNodes::none;
  if (autoscale.usable() && !autoscale.value && from_none)
    sink.report<Code::AlwaysAutoscaled>(autoscale, facts.model->title)
        .help("remove it, or choose a model whose nodes stay: {}",
              models_that_stay(facts.catalog, true));
  const schema::Integer& least = claims.min_nodes;
  if (judge_kept_nodes(facts, least, "minNodes", sink) && claims.max_nodes.usable() &&
      facts.machine != nullptr && least.value > claims.max_nodes.value)
    sink.report<Code::MinNodesAboveMax>(least, least.value, claims.max_nodes.value)
        .help("write {} or less", claims.max_nodes.value);
}

// Decoding reports an empty list; this adds what may be meant by it.
void explain_empty_fallback(const Facts& facts, Sink& sink) {
  const auto& fallback = facts.claims.provisioning.fallback;
  if (!fallback.where.bad) return;
  if (Diagnostic* finding = sink.find(Code::EmptyValue, fallback.where.span))
    finding->help(
        "remove it; for nodes of one model that exist only while pods need them, see "
        "`provisioning.autoscale`");
}

void judge_owner(const Facts& facts, Sink& sink) {
  const spec::Provisioning& provisioning = facts.claims.provisioning;
  const auto& owner = provisioning.owner;
  if (!owner.usable() || provisioning.create.where.bad || facts.claims.cluster.mode.where.bad)
    return;
  if (facts.nodes_by_gke() && !facts.claims.cluster.create.value)
    sink.report<Code::OwnerOfNothing>(owner, facts.autopilot()
                                                 ? "GKE creates the nodes on Autopilot clusters"
                                                 : "with `fallback` GKE creates the node pools")
        .help("remove it");
  else if (!facts.nodes_by_gke() && !facts.creates_pools)
    sink.report<Code::FieldsExclude>(owner, "`owner` and `create: false`", "provisioning")
        .note("`create: false` is for node pools that no spec describes")
        .help("remove `create: false` if `--emit {}` is to describe the pools, else `owner`",
              facts.by_scripts() ? "provision" : word(owner.value));
}

// Existing pools are named one by one; pools that are created are named after one name.
void judge_pools(const Facts& facts, Sink& sink) {
  const spec::Provisioning& provisioning = facts.claims.provisioning;
  const auto& pools = provisioning.node_pools;
  if (facts.nodes_by_gke() || facts.claims.cluster.mode.where.bad || provisioning.create.where.bad)
    return;
  if (!facts.creates_pools && facts.claims.cluster.create.value)
    sink.report<Code::PoolsOfNewCluster>(provisioning.create)
        .note("`cluster.create: true` creates the cluster, without TPU node pools")
        .help("remove `provisioning.create: false`, or `cluster.create: true`");
  const schema::Where& shape = provisioning.pool_topology.where;
  const bool is_shape_known = facts.slicing != nullptr || (!shape.given && !shape.bad);
  if (!pools.where.usable()) return;
  std::vector<PlacedName> earlier;
  for (const Text& pool : pools.items)
    judge_repeated(sink, earlier, pool.where.span, pool.value, "node pool");
  const auto count = std::ssize(pools.items);
  if (facts.creates_pools && count > 1) {
    sink.report<Code::SeveralPoolNames>(pools, count)
        .note("with several slices `-0`, `-1` and so on are added to the name")
        .help("write one name, or add `create: false` if these pools already exist");
  } else if (!facts.creates_pools && facts.machine != nullptr && is_shape_known &&
             !facts.claims.tpu.slices.where.bad && count != facts.pools()) {
    const std::string_view slice = facts.has_autoscaling() ? "replica" : "slice";
    sink.report<Code::PoolPerSlice>(pools, text::count(count, "node pool"), most_slices(facts))
        .note(facts.slicing != nullptr
                  ? fmt::format("the chips of the {}s come to another number of pools", slice)
              : facts.multi_host() ? fmt::format("each {} has a node pool of its own", slice)
                                   : fmt::format("single-host {}s share one node pool", slice))
        .help("list {}, or remove `nodePool`: then the pods run on any pools that fit",
              text::count(facts.pools(), "node pool"));
  }
}

// Decoding reports a region in the place of a zone; this adds which zones of the region are known.
void list_zones_of_region(const Facts& facts, Sink& sink) {
  if (facts.generation == nullptr) return;
  for (const Text& zone : facts.claims.provisioning.zones.items) {
    if (!zone.where.bad) continue;
    const auto known = texts(facts.generation->zones, &Zone::name, [&](const Zone& each) {
      return resolve::region_of(each.name) == zone.value;
    });
    Diagnostic* finding = known.empty() ? nullptr : sink.find(Code::WrongForm, zone.where.span);
    if (finding != nullptr)
      finding->help("{} is a region; zones there known to have {}: {}", zone.value,
                    facts.generation->id, text::join(known, ", "));
  }
}

// The region that is misspelt in a location, such as `us-eest5-b`; nothing where it exists, or
// may be newer than the catalog.
std::optional<std::string_view> meant_region(const Facts& facts, std::string_view location) {
  const std::string_view region = resolve::region_of(location);
  const auto& known = facts.catalog.regions;
  if (region.empty() || known.empty() || contains(known, region)) return std::nullopt;
  const auto alike = texts(
      known, [](std::string_view each) { return each; },
      [&](std::string_view each) { return text::same_digits(each, region); });
  const auto near = text::nearest(region, alike);
  return near && text::distance(*near, region) <= 2 ? near : std::nullopt;
}

void report_region(const Text& location, std::string_view meant, Sink& sink) {
  const std::string_view region = resolve::region_of(location.value);
  const std::string instead =
      fmt::format("{}{}", meant, std::string_view(location.value).substr(region.size()));
  sink.report<Code::UnknownRegion>(location, region).help("did you mean `{}`?", instead);
}

void judge_region_of_location(const Facts& facts, Sink& sink) {
  const Text& location = facts.claims.cluster.location;
  if (!location.usable() || !schema::matches(schema::Pattern::location, location.value)) return;
  if (const auto region = meant_region(facts, location.value))
    report_region(location, *region, sink);
}

// Reports one that is listed twice.
bool is_repeated(std::vector<PlacedName>& earlier, const Text& zone, Sink& sink) {
  const bool repeated =
      any_of(earlier, [&](const PlacedName& each) { return each.name == zone.value; });
  if (repeated) note_first(sink.report<Code::RepeatedZone>(zone, zone.value), earlier, zone.value);
  earlier.push_back({zone.value, zone.where.span});
  return repeated;
}

// Nothing is known of a region that is misspelt.
bool is_outside_region(const Facts& facts, const Text& zone) {
  return !facts.region.empty() && resolve::region_of(zone.value) != facts.region &&
         !meant_region(facts, facts.region);
}

void report_outside_region(const Facts& facts, const Text& zone, Sink& sink) {
  const Text& location = facts.claims.cluster.location;
  Diagnostic& finding = sink.report<Code::ZoneOutsideRegion>(zone, zone.value, facts.region);
  finding.also(location.where.span,
               fmt::format("`{}` is {}", said_as(location, "cluster.location"), location.value));
  if (facts.generation == nullptr) return;
  const auto known = texts(facts.generation->zones, &Zone::name, [&](const Zone& each) {
    return resolve::region_of(each.name) == facts.region;
  });
  if (!known.empty())
    finding.help("zones of {} known to have {}: {}", facts.region, facts.generation->id,
                 text::join(known, ", "));
}

void report_unlisted(const Generation& generation, const Text& zone, Sink& sink) {
  Diagnostic& finding = sink.report<Code::ZoneNotListed>(zone, zone.value, generation.id);
  const auto listed = texts(generation.zones, &Zone::name);
  if (!listed.empty())
    finding.note("zones known to have {}: {}", generation.id, text::join(listed, " "));
}

// `is_found`: of a command, where nothing else judges them.
void judge_listed_zones(const Facts& facts, bool is_found, bool has_region, Sink& sink) {
  std::vector<PlacedName> earlier;
  for (const Text& zone : facts.claims.provisioning.zones.items) {
    if ((is_found && (!zone.usable() || !schema::matches(schema::Pattern::zone, zone.value))) ||
        is_repeated(earlier, zone, sink))
      continue;
    if (const auto region = meant_region(facts, zone.value))
      report_region(zone, *region, sink);
    else if (has_region && is_outside_region(facts, zone))
      report_outside_region(facts, zone, sink);
    else if (is_found && facts.generation != nullptr &&
             find_zone(*facts.generation, zone.value) == nullptr)
      report_unlisted(*facts.generation, zone, sink);
  }
}

void judge_zone_list(const Facts& facts, Sink& sink) {
  const spec::Cluster& cluster = facts.claims.cluster;
  judge_region_of_location(facts, sink);
  if (!facts.autopilot() && !facts.claims.provisioning.zones.where.bad && !cluster.mode.where.bad &&
      !cluster.location.where.bad)
    judge_listed_zones(facts, false, true, sink);
}

void judge_found_zones(const Facts& facts, Sink& sink) {
  const Text& location = facts.claims.cluster.location;
  const bool has_region =
      location.usable() && schema::matches(schema::Pattern::location, location.value);
  // Without others, the nodes are in the zone of their cluster.
  if (!facts.claims.provisioning.zones.where.given && facts.generation != nullptr &&
      location.usable() && schema::matches(schema::Pattern::zone, location.value) &&
      !meant_region(facts, location.value) &&
      find_zone(*facts.generation, location.value) == nullptr)
    report_unlisted(*facts.generation, location, sink);
  if (has_region) judge_region_of_location(facts, sink);
  judge_listed_zones(facts, true, has_region, sink);
}

void require_one_zone(const Facts& facts, Sink& sink) {
  if (facts.zones.size() < 2 || facts.pool_hosts() < 2) return;
  sink.report<Code::SeveralZones>(facts.claims.provisioning.zones, facts.zones.size())
      .note(resolve::hosts_sum(facts.pool_topology.value_or(*facts.topology), *facts.machine))
      .note("--max-nodes counts nodes per zone")
      .help("choose one of the zones");
}

void judge_zone(const Facts& facts, const Model& model, const Text& zone, Sink& sink) {
  const Generation& generation = *facts.generation;
  const Zone* known = find_zone(generation, zone.value);
  if (known == nullptr && meant_region(facts, zone.value)) return;
  if (known == nullptr) {
    report_unlisted(generation, zone, sink);
  } else if (model.flex_start && known->flex_start == false) {
    sink.report<Code::ZoneNotListed>(zone, zone.value,
                                     fmt::format("{} with {}", generation.id, model.title));
  } else if (model.flex_start && !known->flex_start) {
    Diagnostic& finding =
        sink.report<Code::ZoneUnknownForModel>(zone, generation.id, zone.value, model.title);
    const auto others = texts(generation.zones, &Zone::name,
                              [](const Zone& each) { return each.flex_start == true; });
    if (!others.empty()) finding.note("zones known to have it: {}", text::join(others, " "));
  }
}

void judge_zones(const Facts& facts, Sink& sink) {
  if (facts.model == nullptr || facts.generation == nullptr || !is_possible(facts)) return;
  const auto& zones = facts.claims.provisioning.zones;
  const auto models = facts.models();
  // The one that fewest zones have.
  const auto rare = std::ranges::find_if(models, [&](const Model* each) {
    const Support* support = find_support(*each, facts.generation->id);
    return each->flex_start && support != nullptr && support->supported;
  });
  const Model& model = rare == models.end() ? *facts.model : **rare;
  for (const Text& zone : zones.items) {
    if (zone.usable() && !is_outside_region(facts, zone)) judge_zone(facts, model, zone, sink);
  }
  if (!zones.where.given && !facts.zones.empty())
    judge_zone(facts, model, facts.claims.cluster.location, sink);
}

constexpr const char* whole_pool =
    "a multi-host node pool is created as a whole: it has 0 nodes or as many as the slice has "
    "hosts";

// Single hosts share the node pool.
void judge_nodes_of_slices(const Facts& facts, Sink& sink) {
  const schema::Integer& claimed = facts.claims.provisioning.max_nodes;
  const std::int64_t slices = facts.slices, warm = facts.warm_nodes();
  if (facts.nodes_by_gke() || facts.pool_hosts() != 1 || slices + warm == 1 || !claimed.usable() ||
      (facts.zones.empty() && facts.creates_pools))
    return;
  const auto zones = std::max<std::int64_t>(1, std::ssize(facts.zones));
  const std::int64_t nodes = claimed.value * zones, needed = resolve::nodes_per_zone(facts);
  if (claimed.value >= needed) return;
  const std::string with_warm = warm > 0 ? fmt::format(" and {} warm", warm) : "";
  sink.report<Code::NodesBelowSlices>(claimed, claimed.value, most_slices(facts) + with_warm,
                                      needed)
      .note("{} in each of {} = {}; {} * {} = {}", text::count(claimed.value, "node"),
            text::count(zones, "zone"), text::count(nodes, "node"),
            text::count(slices, facts.has_autoscaling() ? "replica" : "slice"), "1 host",
            text::count(slices, "host") + with_warm)
      .help("write {}, or remove `maxNodes`", needed)
      .fix(claimed.where.span, std::to_string(needed));
}

// Single hosts share a pool, and where nothing scales it, all of its nodes exist and are billed.
void judge_spare_nodes(const Facts& facts, Sink& sink) {
  const spec::Provisioning& claims = facts.claims.provisioning;
  const schema::Integer& claimed = claims.max_nodes;
  if (!facts.creates_pools || facts.pool_hosts() != 1 || facts.model == nullptr ||
      facts.autoscales() || facts.zones.empty() || claimed.where.bad || claims.zones.where.bad)
    return;
  const std::int64_t zones = std::ssize(facts.zones), slices = facts.slices;
  const std::int64_t nodes =
      zones * (claimed.usable() ? claimed.value : resolve::nodes_per_zone(facts));
  if (nodes <= slices) return;
  // Runs that may overlap have nodes each.
  if (facts.claims.workload.schedule.concurrency_policy.value == "Allow") return;
  const Span where = claimed.usable() ? claimed.where.span : claims.zones.where.span;
  Diagnostic& finding = sink.report<Code::SpareNodes>(where, nodes, text::count(slices, "pod"));
  if (zones > 1)
    finding.note("{} in each of {} zones = {}", text::count(nodes / zones, "node"), zones,
                 text::count(nodes, "node"));
  finding.note("nothing scales a pool of {}: all of its nodes are billed until it is deleted",
               facts.model->title);
  if (facts.kind != nullptr && facts.kind->wait == "rollout status")
    finding.note("with a spare node, a rollout starts the new pod before it stops the old one");
  finding
      .help(slices % zones == 0 ? fmt::format("remove `maxNodes`, or write {}", slices / zones)
                                : "list fewer zones")
      .help("or write `autoscale: true`: nodes then exist only while pods need them");
}

// A spec and a command say counts of nodes. A pool that is scaled from zero begins with none, and
// where the model demands that, the rules about flags judge it.
void judge_node_counts(const Facts& facts, Sink& sink) {
  const spec::Provisioning& said = facts.claims.provisioning;
  if (facts.nodes_by_gke() || facts.pool_hosts() < 2) return;
  const auto judge = [&](const schema::Integer& count, std::string_view name,
                         std::string_view remedy) {
    if (count.usable() && count.value != 0 && count.value != facts.pool_hosts())
      report_host_count(sink, count, name, facts.pool_topology.value_or(*facts.topology),
                        *facts.machine, remedy)
          .note(whole_pool);
  };
  judge(said.max_nodes, "maxNodes", ", or remove `maxNodes`");
  const bool from_none = facts.model != nullptr && facts.model->nodes == FirstNodes::none;
  for (const schema::Integer& count : said.node_counts.items) {
    if (!from_none || count.where.label != "--num-nodes") judge(count, count.where.label, "");
  }
}

void judge_run_duration(const Facts& facts, Sink& sink) {
  const Text& claimed = facts.claims.provisioning.max_run_duration;
  if (facts.model == nullptr || !claimed.usable()) return;
  const Model* model = facts.model_that(&Model::takes_run_duration);
  if (model == nullptr) {
    sink.report<Code::NotForModel>(claimed, said_as(claimed, "provisioning.maxRunDuration"),
                                   facts.model->name)
        .help("remove it");
    return;
  }
  const auto seconds = *schema::duration_seconds(claimed.value);
  if (seconds < model->min_run_seconds || seconds > model->max_run_seconds)
    sink.report<Code::DurationOutOfRange>(claimed, claimed.value)
        .note("{} allows {} to {}", model->title, schema::duration_text(model->min_run_seconds),
              schema::duration_text(model->max_run_seconds));
}

// Says whether the spec is right with the model of reservations, but for what this field makes
// wrong.
bool may_be_reserved(const Facts& facts) {
  const auto* model =
      find_where(facts.catalog.models, [](const Model& each) { return each.takes_reservation; });
  if (model == nullptr) return false;
  spec::Claims before = facts.claims, after = facts.claims;
  before.provisioning.reservation = {};
  Text& said = after.provisioning.model;
  said = {{.span = said.where.span, .given = true}, std::string(std::string_view(model->name))};
  return new_error(facts.catalog, before, after).empty();
}

void judge_reservation(const Facts& facts, Sink& sink) {
  const Text& claimed = facts.claims.provisioning.reservation;
  if (facts.model == nullptr || !claimed.usable() ||
      facts.model_that(&Model::takes_reservation) != nullptr)
    return;
  sink.report<Code::NotForModel>(claimed, "provisioning.reservation", facts.model->name)
      .help(facts.claims.provisioning.max_run_duration.where.given
                ? "remove it, or to use the reservation choose its model, without "
                  "`maxRunDuration`"
            : may_be_reserved(facts) ? "write `model: reservation` to use the reservation, or "
                                       "remove it"
                                     : "remove it, or to use the reservation choose its model, "
                                       "without what that excludes");
}

// A ProvisioningRequest asks for all pods of a workload in one node group.
void judge_queued_slices(const Facts& facts, Sink& sink) {
  if (facts.model == nullptr || !facts.model->needs_queue || !facts.multi_host() ||
      facts.slices < 2 || facts.is_capacity())
    return;
  // If the model itself is not available, that is the one mistake.
  if (!contains(facts.model->modes, facts.mode) || !is_possible(facts)) return;
  const auto pods = facts.slices * facts.hosts;
  sink.report<Code::QueuedSlices>(facts.claims.tpu.slices, facts.model->title, facts.slices)
      .note("the request asks for {} in one node pool; {} slices * {} = {}",
            text::count(pods, "pod"), facts.slices, text::count(facts.hosts, "host"), pods)
      .note("each slice is a separate node pool with {}", text::count(facts.hosts, "node"))
      .help("remove `slices`, or choose another model");
}

void judge_queue_priority(const Facts& facts, Sink& sink) {
  const spec::Queue& queue = facts.claims.provisioning.queue;
  const spec::Priority& priority = facts.claims.provisioning.priority;
  if (priority.name.usable() && !queue.name.where.given && !queue.name.where.bad &&
      !facts.is_capacity())
    sink.report<Code::PriorityWithoutQueue>(priority.where)
        .help("add `queue: NAME` of a Kueue LocalQueue")
        .help(
            "or write `workload.priorityClass: {}` in its place, if that is a PriorityClass of the "
            "pods",
            priority.name.value);
  if (priority.value.usable() && facts.has_their_queue())
    sink.report<Code::PriorityOfTheirQueue>(priority.value, priority.name.value)
        .note("with `topology: none` no queues.yaml is written, which would make the class")
        .help("write `priority: {}`; preflight.sh checks that it exists", priority.name.value);
}

// A kind that a queue can admit, and that then does not start with any known release.
void judge_queue(const Facts& facts, Sink& sink) {
  const Text& queue = facts.claims.provisioning.queue.name;
  const schema::Integer& quota = facts.claims.provisioning.quota;
  if (quota.usable() && !queue.where.given && !queue.where.bad && !facts.is_capacity())
    sink.report<Code::QuotaWithoutQueue>(quota).help("add `queue: NAME`, or remove it");
  if (quota.usable() && facts.has_their_queue())
    sink.report<Code::QuotaOfTheirQueue>(quota, queue.value)
        .note("`topology: none` says that somebody else made the queue, and its quota")
        .help("remove it");
}

void judge_kind_in_queue(const Facts& facts, Sink& sink) {
  const Text& queue = facts.claims.provisioning.queue.name;
  if (!queue.usable() || facts.kind == nullptr) return;
  const std::string feature = fmt::format("queue-of-{}", facts.kind->object);
  for (const Controller& controller : facts.catalog.controllers) {
    for (const ControllerMinimum& minimum : controller.minimums) {
      if (minimum.feature != feature || !minimum.versions.empty()) continue;
      Diagnostic& finding = sink.report<Code::QueueNeverStarts>(queue, facts.kind->object)
                                .judged(minimum.evidence.confidence);
      note_evidence(finding, minimum.evidence);
      const spec::Provisioning& said = facts.claims.provisioning;
      std::vector<std::string_view> names = {"queue"};
      if (said.priority.where.given) names.push_back("priority");
      if (said.quota.where.given) names.push_back("quota");
      finding.help("remove {}, and give the workload nodes of its own", text::quoted_list(names));
    }
  }
}

// One message: a version that meets the highest demand of the surest kind meets the others.
void judge_version(const Facts& facts, Sink& sink) {
  const Text& claimed = facts.claims.cluster.version;
  const auto version = claimed.usable() ? parse_version(claimed.value) : std::optional<Version>();
  if (!version) return;
  std::vector<Need> unmet;
  for (const Need& need : facts.needs) {
    if (*version < resolve::version_of(need)) unmet.push_back(need);
  }
  if (unmet.empty()) return;
  const auto weight = [](const Need& need) {
    return std::pair(need.evidence->confidence, resolve::version_of(need));
  };
  const auto strongest =
      std::max_element(unmet.begin(), unmet.end(),
                       [&](const Need& a, const Need& b) { return weight(a) < weight(b); });
  Diagnostic& finding =
      sink.report<Code::VersionTooOld>(claimed, strongest->what, strongest->version, claimed.value);
  finding.judged(strongest->evidence->confidence);
  for (const Need& need : unmet) {
    if (&need != &*strongest) finding.note("{} needs {}", need.what, need.version);
  }
  note_source(finding, *strongest->evidence);
}

}  // namespace

void judge_mode_of_model(const Facts& facts, Sink& sink) {
  // judge_support reports a model that the generation has in no cluster.
  if (facts.model != nullptr && is_possible(facts) && !contains(facts.model->modes, facts.mode))
    sink.report<Code::ModelNotInMode>(model_span(facts), facts.model->title, title(facts.mode));
}

Diagnostic& report_host_count(Sink& sink, const schema::Integer& claimed, std::string_view name,
                              const Topology& topology, const MachineType& machine,
                              std::string_view remedy) {
  const auto hosts = topology.chips() / machine.chips;
  return sink
      .report<Code::NodesContradictHosts>(claimed, name, claimed.value, text::count(hosts, "host"))
      .note(resolve::hosts_sum(topology, machine))
      .help("write {}{}", hosts, remedy)
      .fix(claimed.where.span, std::to_string(hosts));
}

namespace {

void judge_stated_kueue(const Facts& facts, Sink& sink) {
  const Text& own = facts.claims.cluster.kueue;
  const Text& other = facts.claims.cluster.controllers.kueue;
  if (own.usable() && other.usable() && own.value != other.value)
    sink.report<Code::ReleasesDiffer>(other, own.value, other.value).help("remove one of them");
}

}  // namespace

Rules found_provisioning_rules() {
  static constexpr Rule rules[] = {judge_found_model,  judge_found_zones,  require_one_zone,
                                   judge_node_counts,  judge_run_duration, judge_model_for_kind,
                                   judge_kind_in_queue};
  return rules;
}

Rules found_version_rules() {
  static constexpr Rule rules[] = {judge_version};
  return rules;
}

Rules provisioning_rules() {
  static constexpr Rule rules[] = {
      judge_support,      judge_model,         judge_model_for_kind, judge_model_of_existing_pools,
      judge_owner,        judge_autoscale,     judge_warm,           explain_empty_fallback,
      judge_pools,        judge_zone_list,     list_zones_of_region, require_one_zone,
      judge_zones,        judge_node_counts,   judge_spare_nodes,    judge_nodes_of_slices,
      judge_run_duration, judge_reservation,   judge_queued_slices,  judge_queue,
      judge_stated_kueue, judge_kind_in_queue, judge_queue_priority, judge_flags_of_others,
      judge_version,      judge_fallback};
  return rules;
}

}  // namespace flexslice::rules
