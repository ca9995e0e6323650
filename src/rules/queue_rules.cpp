// What the Kueue objects of one file say of its workloads: names that nothing has, and queues that
// never admit them.
#include <fmt/core.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "rules/file_rules.hpp"
#include "schema/placeholder.hpp"
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

// What pods without chips request, above what all flavors of the queue have.
std::string FileJudge::excess_of(const QueuedPods& pods, const view::ClusterQueueClaims& queue,
                                 Span& where) const {
  if (queue.may_borrow) return {};
  for (const auto& [resource, amount] : pods.requests) {
    Quantity quota;
    bool is_known = true;
    Span at;
    for (const view::FlavorQuota& flavor : queue.quotas) {
      for (const auto& [name, own] : flavor.amounts) {
        if (name != resource) continue;
        const auto read = parse_quantity(own.value);
        is_known = is_known && own.usable() && read;
        if (read) quota += *read;
        at = own.where.span;
      }
    }
    // Other pods of the object come to the same quota.
    Quantity all;
    for (const QueuedPods& other : queued_) {
      const auto own = other.requests.find(resource);
      if (other.part == pods.part && other.object == pods.object && own != other.requests.end())
        all += own->second * other.pods;
    }
    if (!is_known || all <= quota) continue;
    if (at != Span{}) where = at;
    return fmt::format("it needs {} of {}, and the quota is {}", all.text(), resource,
                       quota.text());
  }
  return {};
}

void FileJudge::judge_admission(const QueuedPods& pods, const view::ClusterQueueClaims& queue) {
  if (queue.quotas.empty()) return;
  std::string reason;
  Span where = pods.queue.where.span;
  const auto report = [&] {
    const Span at = where == Span{} ? patches() : where;
    // Other pods of the object may be the reason already.
    if (sink_.find(Code::QueueNeverAdmits, at) == nullptr)
      sink_.report<Code::QueueNeverAdmits>(at, pods.object, queue.name.value, reason);
  };
  if (!queue.has_namespaces) {
    reason = "it has no `namespaceSelector`, and so admits from no namespace";
    closed_queues_.insert(queue.name.value);
    return report();
  }
  for (const auto& [resource, amount] : pods.requests) {
    if (amount.nano == 0 || contains(queue.resources, resource)) continue;
    reason = fmt::format("its pods request {}, which the queue does not cover", resource);
    return report();
  }
  if (pods.chips == 0) {
    reason = excess_of(pods, queue, where);
    if (!reason.empty()) report();
    return;
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

namespace {

constexpr std::string_view namespace_name = "kubernetes.io/metadata.name";

// Whether the label of a namespace's name is one that the queue may select.
bool may_select(const view::LabelTerm& term, std::string_view name_space) {
  if (term.key != namespace_name ||
      any_of(term.values, [](const auto& value) { return schema::is_placeholder(value); }))
    return true;
  if (term.op == "In") return contains(term.values, name_space);
  return term.op != "NotIn" || !contains(term.values, name_space);
}

}  // namespace

bool judge_namespaces(const view::ClusterQueueClaims& queue,
                      std::span<const view::LocalQueueClaims> locals, Sink& sink) {
  if (!queue.name.usable()) return false;
  for (const view::LocalQueueClaims& local : locals) {
    if (local.cluster_queue.value != queue.name.value) continue;
    const auto report = [&](std::string_view reason, const std::string& help) {
      sink.report<Code::QueueClosedToNamespace>(queue.name, queue.name.value, local.name.value,
                                                reason)
          .help(help);
      return true;
    };
    if (!queue.has_namespaces)
      return report("it has no `namespaceSelector`",
                    "add `namespaceSelector: {}`, which selects all namespaces");
    const std::string_view own = local.name_space.value;
    if (local.name_space.usable() &&
        any_of(queue.namespaces, [&](const auto& term) { return !may_select(term, own); }))
      return report(fmt::format("its `namespaceSelector` does not select namespace `{}`", own),
                    fmt::format("select {}: {} too", namespace_name, own));
  }
  return false;
}

}  // namespace flexslice::rules
