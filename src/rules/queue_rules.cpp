// What the Kueue objects of one file say of its workloads: names that nothing has, and queues that
// never admit them.
#include <fmt/core.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "rules/file_rules.hpp"
#include "spec/derived_keys.hpp"

namespace flexslice::rules {

namespace {

// Reports a name that no object of the kind has, where there are others.
template <class Objects>
void judge_known(const Text& name, std::string_view kind, const Objects& objects, Span otherwise,
                 Sink& sink) {
  std::vector<std::string_view> names;
  for (const auto& object : objects) {
    if (!object.name.usable()) return;
    names.push_back(object.name.value);
  }
  if (!name.usable() || names.empty() || contains(names, name.value)) return;
  const Span where = name.where.span;
  Diagnostic& finding =
      sink.report<Code::QueueObjectMissing>(where == Span{} ? otherwise : where, kind, name.value);
  finding.note("the file has {}", text::quoted_list(names));
  diag::did_you_mean(finding, name.value, names);
}

// Without a namespace an object is in that of kubectl's context.
bool may_be_one(const Text& name_space, const Text& other) {
  return !name_space.usable() || !other.usable() || name_space.value == other.value;
}

}  // namespace

void FileJudge::judge_queues() {
  const Queues& queues = summary_.queues;
  for (const QueuedPods& pods : queued_) {
    judge_known(pods.queue, "LocalQueue", queues.local_queues, patches(), sink_);
    const auto is_own = [&](const auto& queue) { return queue.name.value == pods.queue.value; };
    const auto* local = find_where(queues.local_queues, is_own);
    if (local != nullptr && std::ranges::none_of(queues.local_queues, [&](const auto& queue) {
          return is_own(queue) && may_be_one(queue.name_space, pods.name_space);
        })) {
      const Span where = pods.queue.where.span;
      sink_
          .report<Code::QueueObjectMissing>(
              where == Span{} ? patches() : where, "LocalQueue",
              fmt::format("{}` in namespace `{}", pods.queue.value, pods.name_space.value))
          .note("the file has one in namespace `{}`, and a workload names one of its own",
                local->name_space.value);
      continue;
    }
    if (local == nullptr || std::ranges::count_if(queues.local_queues, is_own) > 1) continue;
    const auto* queue = find_where(queues.cluster_queues, [&](const auto& each) {
      return each.name.usable() && each.name.value == local->cluster_queue.value;
    });
    if (queue != nullptr) judge_admission(pods, *queue);
  }
  for (const view::LocalQueueClaims& local : queues.local_queues)
    judge_known(local.cluster_queue, "ClusterQueue", queues.cluster_queues, patches(), sink_);
  for (const view::ClusterQueueClaims& queue : queues.cluster_queues) {
    for (const view::FlavorQuota& quota : queue.quotas) {
      if (quota.chips.where.given)
        judge_known(quota.flavor, "ResourceFlavor", summary_.queues.flavors, patches(), sink_);
    }
  }
}

void FileJudge::judge_admission(const QueuedPods& pods, const view::ClusterQueueClaims& queue) {
  if (queue.quotas.empty()) return;
  std::string reason;
  Span where = pods.queue.where.span;
  const auto report = [&] {
    sink_.report<Code::QueueNeverAdmits>(where == Span{} ? patches() : where, pods.object,
                                         queue.name.value, reason);
  };
  if (!queue.has_namespaces) {
    reason = "it has no `namespaceSelector`, and so admits from no namespace";
    return report();
  }
  for (const auto& [resource, amount] : pods.requests) {
    if (amount.nano == 0 || contains(queue.resources, resource)) continue;
    reason = fmt::format("its pods request {}, which the queue does not cover", resource);
    return report();
  }
  // Where all flavors have a topology, Kueue places pods that request none as well.
  const bool only_topologies = std::ranges::all_of(queue.flavors, [&](std::string_view name) {
    return any_of(summary_.queues.flavors, [&](const auto& each) {
      return each.name.value == name && each.topology_name.where.given;
    });
  });
  for (const view::FlavorQuota& quota : queue.quotas) {
    const auto* flavor = find_where(summary_.queues.flavors, [&](const auto& each) {
      return each.name.value == quota.flavor.value;
    });
    if (flavor == nullptr || !quota.flavor.usable()) return;
    const Facts nodes = resolve::look_up(flavor->claims, catalog_);
    const NodeShape has{nodes.generation, nodes.topology, 0};
    if (!has.agrees(pods.wanted)) {
      if (reason.empty())
        reason = fmt::format("flavor `{}` has nodes of {}, and its pods need {}",
                             quota.flavor.value, has.text(), pods.wanted.text());
      continue;
    }
    if (!quota.chips.where.given) continue;
    if (pods.requests_topology != flavor->topology_name.where.given &&
        (pods.requests_topology || !only_topologies)) {
      if (reason.empty())
        reason = fmt::format("flavor `{}` has {}, and its pods request {}", quota.flavor.value,
                             pods.requests_topology ? "no topology" : "a topology",
                             pods.requests_topology ? "one" : "none");
      continue;
    }
    const auto chips = parse_quantity(quota.chips.value);
    if (!quota.chips.usable() || !chips || queue.may_borrow ||
        chips->nano >= pods.chips * Quantity::unit)
      return;
    reason = fmt::format("it needs {}, and the quota of flavor `{}` is {}",
                         text::count(pods.chips, "chip"), quota.flavor.value, quota.chips.value);
    if (quota.chips.where.span != Span{}) where = quota.chips.where.span;
  }
  if (!reason.empty()) report();
}

}  // namespace flexslice::rules
