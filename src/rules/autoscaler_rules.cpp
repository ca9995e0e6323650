// Autoscalers in files: the node pools that their replicas need, and the number that a manifest
// sets in their place.
#include <fmt/core.h>

#include <algorithm>

#include "rules/file_rules.hpp"

namespace flexslice::rules {

namespace {

// Nodes that the pool has at most; nothing: it is not known.
std::optional<std::int64_t> most_nodes(const view::PoolClaims& pool) {
  const auto number = [&](std::string_view flag) -> std::optional<std::int64_t> {
    const view::FlagClaim* claim = pool.find(flag);
    return claim != nullptr && claim->value.usable() ? text::whole_number(claim->value.value)
                                                     : std::nullopt;
  };
  if (const auto total = number("--total-max-nodes")) return total;
  const bool is_scaled = pool.find("--enable-autoscaling") != nullptr;
  const auto each = number(is_scaled ? "--max-nodes" : "--num-nodes");
  if (!each) return std::nullopt;
  const auto& zones = pool.claims.provisioning.zones;
  if (zones.where.given)
    return zones.where.usable() ? std::optional(*each * std::ssize(zones.items)) : std::nullopt;
  const Text& location = pool.claims.cluster.location;
  // In a region, there are as many zones as the cluster has.
  return location.usable() && schema::matches(schema::Pattern::zone, location.value) ? each
                                                                                     : std::nullopt;
}

bool is_same_object(const view::AutoscalerClaims& scaler, const Text& kind, const Text& name,
                    const Text& name_space) {
  return scaler.target_kind.usable() && scaler.target_name.usable() && name.usable() &&
         scaler.target_kind.value == kind.value && scaler.target_name.value == name.value &&
         scaler.name_space.value == name_space.value;
}

}  // namespace

void FileJudge::keep_room(const view::PoolClaims& pool, const Facts& facts) {
  if (!pool.name.usable() || !pool.complete || !pool.block.open.empty()) return;
  // A pool of several hosts is one slice.
  const std::int64_t hosts = facts.multi_host() ? facts.hosts : 1;
  const bool has_shape = pool.find("--tpu-topology") != nullptr;
  const auto nodes = has_shape && hosts == 1 ? std::nullopt : most_nodes(pool);
  if (hosts > 1)
    summary_.nodes.rooms.push_back({pool.name.value, 1, pool.where.span});
  else if (nodes)
    summary_.nodes.rooms.push_back({pool.name.value, *nodes, pool.where.span});
}

void FileJudge::keep_counted(const view::PodClaims& pod) {
  const bool is_counted =
      pod.role == view::PodRole::replicas || pod.role == view::PodRole::lws_worker;
  if (!is_counted || !stands_alone(pod.completeness) || pod.object == nullptr ||
      !pod.chips.where.given)
    return;
  CountedPods& counted = summary_.nodes.counted.emplace_back(
      CountedPods{pod.kind, pod.claims.name, pod.name_space, {}, {}});
  if (pod.pool.usable()) counted.pool = pod.pool.value;
  const yaml::Node* replicas = pod.object->at({"spec", "replicas"});
  const auto number = replicas == nullptr ? std::nullopt : text::whole_number(replicas->text);
  if (!number) return;
  counted.replicas.value = *number;
  counted.replicas.where.span = replicas->span;
  counted.replicas.where.given = true;
}

namespace {

// Those that the autoscaler counts: of its own file, or the only ones of the others.
std::vector<const CountedPods*> counted_by(const Autoscaler& scaler, const Nodes& nodes) {
  std::vector<const CountedPods*> own, others;
  for (const CountedPods& pods : nodes.counted) {
    if (is_same_object(scaler.claims, pods.kind, pods.name, pods.name_space))
      (pods.file == scaler.file ? own : others).push_back(&pods);
  }
  if (!own.empty()) return {own.front()};
  return others.size() == 1 ? others : std::vector<const CountedPods*>();
}

// The pool of the pods, of their file or the only one of the others; null: there is none.
const PoolRoom* room_for(const CountedPods& pods, const Nodes& nodes) {
  const PoolRoom* found = nullptr;
  bool is_one = true;
  for (const PoolRoom& room : nodes.rooms) {
    if (room.pool != pods.pool) continue;
    if (room.file == pods.file) return &room;
    is_one = found == nullptr;
    found = &room;
  }
  return is_one ? found : nullptr;
}

}  // namespace

void judge_autoscalers(const Nodes& nodes, Between between, Sink& sink) {
  const bool in_one = between == Between::parts;
  for (const Autoscaler& scaler : nodes.autoscalers) {
    const std::string title = fmt::format("HorizontalPodAutoscaler `{}`", scaler.claims.name.value);
    for (const CountedPods* pods : counted_by(scaler, nodes)) {
      const bool is_beside = pods->file == scaler.file;
      if (is_beside == in_one && pods->replicas.where.given && pods->replicas.where.span != Span{})
        sink.report<Code::ReplicasBesideAutoscaler>(pods->replicas, pods->replicas.value, title)
            .help("remove `replicas`");
      const schema::Integer& most = scaler.claims.most;
      const PoolRoom* room =
          most.usable() && !pods->pool.empty() ? room_for(*pods, nodes) : nullptr;
      if (room == nullptr || most.value <= room->replicas ||
          (is_beside && room->file == pods->file) != in_one)
        continue;
      sink.report<Code::AutoscalerAbovePools>(most, title, most.value, pods->pool,
                                              text::count(room->replicas, "replica"))
          .help("write `maxReplicas: {}`, or let the pools grow to more", room->replicas)
          .also(room->where, "the pool is created here");
    }
  }
}

}  // namespace flexslice::rules
