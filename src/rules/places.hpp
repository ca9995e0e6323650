// Each item that is kept of a file tells the places that findings name, which move with the file.
#pragma once

#include <tuple>

#include "rules/file_summary.hpp"

namespace flexslice::rules {

void for_texts(const auto& act, auto&... texts) { (act(texts.where.span), ...); }
template <class Item>
requires requires(Item& item) { item.name.where.span; }
void for_places(Item& item, const auto& act) { act(item.name.where.span); }
template <class Item>
requires requires(Item& item) { item.where.begin; }
void for_places(Item& item, const auto& act) { act(item.where); }
void for_places(PodNodes& pods, const auto& act) {
  for_texts(act, pods.pool, pods.reservation, pods.zone, pods.type, pods.topology, pods.count,
            pods.most, pods.job_deadline);
  for (Text& pool : pods.pools) act(pool.where.span);
  act(pods.chips);
  act(pods.whole);
  act(pods.resources);
  for (auto& [key, value] : pods.selectors.entries) for_texts(act, key, value);
}
void for_places(PoolNodes& pool, const auto& act) {
  for_texts(act, pool.name, pool.policy, pool.reservation, pool.metadata,
            pool.claims.cluster.location, pool.claims.cluster.version);
  act(pool.where);
  act(pool.whole);
}
void for_places(NewCluster& cluster, const auto& act) {
  for_texts(act, cluster.location, cluster.version);
  act(cluster.where);
}
void for_places(NewPolicy& policy, const auto& act) {
  for_texts(act, policy.name, policy.region, policy.topology);
  act(policy.where);
}
void for_places(NewReservation& reservation, const auto& act) { act(reservation.where); }
void for_places(NewQuota& quota, const auto& act) {
  for (auto& [resource, amount] : quota.most) for_texts(act, amount);
}
void for_places(CountedPods& pods, const auto& act) { for_texts(act, pods.replicas); }
void for_places(Autoscaler& scaler, const auto& act) { for_texts(act, scaler.claims.most); }
void for_places(RefusedPart& part, const auto& act) { act(part.finding.where); }
void for_places(ChangedPool&, const auto&) {}
void for_places(NewIdentity& identity, const auto& act) {
  for_texts(act, identity.name, identity.account);
}
void for_places(IdentityBinding& binding, const auto& act) { act(binding.member.where.span); }
void for_places(diag::AllowedLine& line, const auto& act) {
  act(line.lines);
  act(line.token);
}
void for_places(NamedHosts& hosts, const auto& act) { act(hosts.service.where.span); }
void for_places(MountedDisk& mounted, const auto& act) { act(mounted.disk.claim.where.span); }
void for_places(ReleaseNeed& need, const auto& act) { act(need.version.where.span); }
void for_places(QueuedPods& pods, const auto& act) {
  act(pods.queue.where.span);
  for (auto& entry : pods.selectors.entries) act(entry.value.where.span);
}
void for_places(view::FlavorClaims& flavor, const auto& act) {
  act(flavor.topology_name.where.span);
}
void for_places(MadeObject& made, const auto& act) {
  for_texts(act, made.name, made.name_space, made.account);
}
void for_places(ObjectReference& reference, const auto& act) {
  for_texts(act, reference.name);
  for (Text& key : reference.keys) for_texts(act, key);
}
void for_places(Text& text, const auto& act) { act(text.where.span); }
void for_places(QueuedKind&, const auto&) {}
void for_places(Program& program, const auto& act) {
  for (ProgramWord& word : program.words) act(word.where);
  for (auto& [name, word] : program.variables) act(word.where);
}

template <class... Lists>
void for_places_in(const std::tuple<Lists&...>& lists, const auto& act) {
  const auto in = [&](auto& list) {
    for (auto& item : list) for_places(item, act);
  };
  std::apply([&](auto&... each) { (in(each), ...); }, lists);
}

void for_each_span(FileSummary& summary, const auto& act) {
  for_places_in(World::lists(summary.world), act);
  for_places_in(FileSummary::givens(summary), act);
  for_places_in(FileSummary::needs(summary), act);
  for_places_in(RunObjects::lists(summary.objects), act);
  for_places_in(std::tie(summary.allowed, summary.names.references), act);
}

}  // namespace flexslice::rules
