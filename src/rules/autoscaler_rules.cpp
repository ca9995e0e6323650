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

Diagnostic* judge_room(const ScaledPods& pods, const PoolRoom& room, Span where, Sink& sink) {
  if (room.pool != pods.pool || pods.most <= room.replicas) return nullptr;
  return &sink.report<Code::AutoscalerAbovePools>(where, pods.autoscaler, pods.most, pods.pool,
                                                  text::count(room.replicas, "replica"))
              .help("write `maxReplicas: {}`, or let the pools grow to more", room.replicas);
}

void FileJudge::keep_room(const view::PoolClaims& pool, const Facts& facts) {
  if (!pool.name.usable() || !pool.complete || !pool.block.open.empty()) return;
  // A pool of several hosts is one slice.
  const std::int64_t hosts = facts.multi_host() ? facts.hosts : 1;
  const bool has_shape = pool.find("--tpu-topology") != nullptr;
  const auto nodes = has_shape && hosts == 1 ? std::nullopt : most_nodes(pool);
  if (hosts > 1)
    summary_.rooms.push_back({pool.name.value, 1, pool.where.span});
  else if (nodes)
    summary_.rooms.push_back({pool.name.value, *nodes, pool.where.span});
}

void FileJudge::keep_counted(const view::PodClaims& pod) {
  const bool is_counted =
      pod.role == view::PodRole::replicas || pod.role == view::PodRole::lws_worker;
  if (!is_counted || pod.is_patch || pod.object == nullptr || !pod.chips.where.given) return;
  CountedPods& counted =
      counted_.emplace_back(CountedPods{pod.kind, pod.claims.name, pod.name_space, {}, {}});
  if (pod.pool.usable()) counted.pool = pod.pool.value;
  const yaml::Node* replicas = pod.object->at({"spec", "replicas"});
  const auto number = replicas == nullptr ? std::nullopt : text::whole_number(replicas->text);
  if (!number) return;
  counted.replicas.value = *number;
  counted.replicas.where.span = replicas->span;
  counted.replicas.where.given = true;
}

void FileJudge::judge_autoscalers() {
  for (const view::AutoscalerClaims& scaler : autoscalers_) {
    const std::string title = fmt::format("HorizontalPodAutoscaler `{}`", scaler.name.value);
    for (const CountedPods& pods : counted_) {
      if (!is_same_object(scaler, pods.kind, pods.name, pods.name_space)) continue;
      if (pods.replicas.where.given && pods.replicas.where.span != Span{})
        sink_.report<Code::ReplicasBesideAutoscaler>(pods.replicas, pods.replicas.value, title)
            .help("remove `replicas`");
      if (!scaler.most.usable() || pods.pool.empty()) continue;
      const ScaledPods scaled{title, pods.pool, scaler.most.value, scaler.most.where.span};
      const auto is_its = [&](const PoolRoom& room) { return room.pool == pods.pool; };
      const PoolRoom* room = find_where(summary_.rooms, is_its);
      if (room == nullptr) {
        summary_.scaled.push_back(scaled);
      } else if (Diagnostic* finding = judge_room(scaled, *room, scaled.where, sink_)) {
        finding->also(room->where, "the pool is created here");
      }
      break;
    }
  }
}

}  // namespace flexslice::rules
