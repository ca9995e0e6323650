// Slices that are parts of a node pool, or made of several.
#include <fmt/core.h>

#include "rules/object_rules.hpp"
#include "rules/pod_rules.hpp"

namespace flexslice::rules {

namespace {

std::string shapes_text(List<Shape> shapes) {
  return text::join(texts(shapes, [](const Shape& shape) { return shape.topology.text(); }), " ");
}

void judge_shape(const Facts& facts, Sink& sink) {
  const Text& claim = facts.claims.provisioning.pool_topology;
  if (!claim.usable() || facts.machine == nullptr || facts.slicing != nullptr) return;
  const Generation& generation = *facts.generation;
  const Slicing& slicing = generation.slicing;
  Diagnostic& finding =
      sink.report<Code::PoolTopology>(claim, generation.id, facts.topology->text(), claim.value);
  if (slicing.pools.empty()) {
    finding.note(
        "slices of {} are whole node pools; those of {} need not be", generation.id,
        text::join(texts(facts.catalog.generations, &Generation::id,
                         [](const Generation& each) { return !each.slicing.pools.empty(); }),
                   ", "));
  } else {
    finding.note("node pools for it: {}; parts of them: {}", shapes_text(slicing.pools),
                 shapes_text(slicing.parts));
    if (slicing.joins)
      finding.note("several pools are one slice where each of its sizes is a multiple of theirs");
    note_source(finding, slicing.evidence);
  }
  const Topology* only = slicing.pools.size() == 1 ? &slicing.pools.front().topology : nullptr;
  if (only != nullptr && can_form(slicing, *only, *facts.topology)) {
    finding.help("write {}", only->text()).fix(claim.where.span, only->text());
    return;
  }
  finding.help("remove `poolTopology`: the slice is a node pool then");
}

void judge_needs(const Facts& facts, Sink& sink) {
  if (facts.slicing == nullptr) return;
  const Slicing& slicing = *facts.slicing;
  const spec::Provisioning& said = facts.claims.provisioning;
  const spec::Workload& workload = facts.claims.workload;
  const auto need = [&](const schema::Where& where, std::string_view what, std::string_view help) {
    sink.report<Code::SlicingNeeds>(where.given ? where.span : said.pool_topology.where.span,
                                    slicing.title, what)
        .help("{}", help);
  };
  if (!said.queue.name.where.given && !said.queue.name.where.bad && !facts.is_capacity())
    need({}, "`provisioning.queue`",
         "add `queue: NAME` of a Kueue LocalQueue: which nodes are one slice is known only when "
         "the workload starts");
  if (facts.has_their_queue())
    sink.report<Code::SlicingWithoutTopology>(said.queue.topology, slicing.title)
        .note(
            "which nodes are one slice is known only when Kueue places the pods, by the topology "
            "of their flavor")
        .help(
            "write `queue: {}`, if its flavors have the levels of queues.yaml; else remove "
            "`poolTopology`",
            said.queue.name.value);
  if (facts.kind != nullptr && !facts.is_capacity() && !has_word(slicing.kinds, facts.kind->word)) {
    need(workload.kind.where, fmt::format("another kind than {}", facts.kind->word),
         fmt::format("sources have it for {}", text::join(text::split(slicing.kinds, ' '), ", ")));
  } else if (facts.workers()) {
    need(workload.kind.where, "`kind: jobset` for several slices",
         "a Job would be one slice of all its pods");
  }
  if (facts.leader_apart())
    need(workload.leader.tpu.where, "leaders with chips", "remove `leader.tpu: false`");
  const Model* model = facts.model;
  if (model != nullptr && !slicing.model.empty() && model->name != slicing.model) {
    need(said.model.where, fmt::format("`model: {}`", slicing.model),
         "its node pools are made of a reservation in All Capacity mode");
  } else if (model != nullptr && model->nodes != FirstNodes::all) {
    need(said.model.where, "node pools that start with all nodes",
         fmt::format("choose {}", text::join(texts(facts.catalog.models, &Model::name,
                                                   [](const Model& each) {
                                                     return each.nodes == FirstNodes::all;
                                                   }),
                                             ", ")));
  }
  if (said.autoscale.usable() && said.autoscale.value)
    need(said.autoscale.where, "node pools that start with all nodes", "remove `autoscale`");
  if (slicing.on_demand && facts.claims.cluster.create.value)
    need(facts.claims.cluster.create.where, "a cluster that exists",
         "create it with `--release-channel=rapid --enable-slice-controller`, and remove `create`");
  if (!slicing.on_demand || !facts.creates_pools || !said.reservation.usable()) return;
  const auto parts = text::split(said.reservation.value, '/');
  const bool part = parts.size() > 1 && parts[parts.size() - 2] == "reservationSubBlocks";
  if (!contains(parts, "reservationBlocks")) {
    need(said.reservation.where, "a block of the reservation",
         "write `projects/PROJECT/reservations/NAME/reservationBlocks/BLOCK`");
  } else if (part && facts.pools() > 1) {
    need(said.reservation.where, fmt::format("{} sub-blocks", facts.pools()),
         "name the block: a sub-block is one node pool");
  }
}

void judge_doubts(const Facts& facts, Sink& sink) {
  if (facts.slicing == nullptr) return;
  const Slicing& slicing = *facts.slicing;
  const Text& claim = facts.claims.provisioning.pool_topology;
  if (slicing.evidence.confidence == Confidence::low)
    note_evidence(sink.report<Code::SlicingDoubtful>(claim, slicing.title, facts.generation->id),
                  slicing.evidence);
  const std::int64_t chips = facts.topology->chips();
  if (slicing.doubtful_above > 0 && chips > slicing.doubtful_above)
    note_evidence(
        sink.report<Code::DoubtfulSize>(facts.claims.tpu.topology, facts.generation->id, chips),
        slicing.limit_evidence);
}

}  // namespace

// Slices of some generations are formed only when workloads start.
void judge_slice(const view::PodClaims& pod, const Facts& facts, Sink& sink) {
  const Text& shape = pod.slice_topology;
  if (!shape.usable() || facts.generation == nullptr || !facts.generation->slicing.on_demand)
    return;
  const Generation& generation = *facts.generation;
  const Slicing& slicing = generation.slicing;
  const auto topology = parse_topology(shape.value);
  const bool forms = topology && !machine_types_for(generation, *topology).empty() &&
                     any_of(slicing.pools, [&](const Shape& pool) {
                       return can_form(slicing, pool.topology, *topology);
                     });
  if (!forms)
    note_source(sink.report<Code::PoolTopology>(shape, generation.id, shape.value,
                                                shapes_text(slicing.pools))
                    .note("parts of them: {}", shapes_text(slicing.parts)),
                slicing.evidence);
  const Text& selected = pod.claims.tpu.topology;
  const auto is_slice = [](const auto& entry) {
    return entry.key.value == "cloud.google.com/gke-tpu-slice";
  };
  if (pod.queue.where.given && selected.where.given &&
      !any_of(pod.claims.workload.node_selector.entries, is_slice))
    note_source(sink.report<Code::SliceNotFormedYet>(selected, topology_label)
                    .help("remove it: the annotation says the shape"),
                slicing.evidence);
}

// All pods of a pod set must be in the one domain that they require.
void judge_partition(const view::PodClaims& pod, std::int64_t pods, Sink& sink) {
  const Node* annotations = pod.metadata == nullptr ? nullptr : pod.metadata->find("annotations");
  const Node* level = annotations == nullptr
                          ? nullptr
                          : annotations->find("kueue.x-k8s.io/podset-required-topology");
  constexpr std::string_view before = "cloud.google.com/gke-tpu-partition-", after = "-id";
  if (level == nullptr || !level->text.starts_with(before) || !level->text.ends_with(after) ||
      !pod.requests_chips())
    return;
  const auto shape =
      parse_topology(std::string_view(level->text)
                         .substr(before.size(), level->text.size() - before.size() - after.size()));
  if (!shape || pods * pod.chips.value <= shape->chips()) return;
  sink.report<Code::NodesBelowPods>(
          level->span, fmt::format("{} `{}`", pod.kind.value, pod.claims.name.value),
          text::count(pods, "node"), fmt::format("one partition of {} has", shape->text()),
          text::count(shape->chips() / pod.chips.value, "node"))
      .help(
          "write `kueue.x-k8s.io/podset-slice-required-topology: {}` and "
          "`kueue.x-k8s.io/podset-slice-size`, and require a block for all of them",
          level->text);
}

Rules slicing_rules() {
  static constexpr Rule rules[] = {judge_shape, judge_needs, judge_doubts};
  return rules;
}

}  // namespace flexslice::rules
