// Queues of teams, in specs without a workload: what Kueue refuses, and what contradicts itself.
// The sums are judged on the plan.
#include <fmt/core.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "rules/references.hpp"
#include "rules/rules.hpp"

namespace flexslice::rules {

namespace {

void judge_queues_of_teams(const Facts& facts, Sink& sink) {
  const spec::Claims& claims = facts.claims;
  const spec::Provisioning& said = claims.provisioning;
  if (!said.queues.where.given) return;
  if (!facts.is_capacity()) {
    if (claims.workload.where.given)
      sink.report<Code::QueuesBesideWorkload>(said.queues)
          .also(claims.workload.where.span, "the workload is here")
          .help("move the queues to a spec of their own, and name one of them: `queue: NAME`");
    return;
  }
  const struct {
    const schema::Where& where;
    std::string_view name, help;
  } of_workloads[] = {
      {said.queue.where, "provisioning.queue", "remove it: `queues` has the queues"},
      {said.quota.where, "provisioning.quota", "remove it: each of `queues` has its own `quota`"},
      {said.priority.where, "provisioning.priority",
       "write `priorities` of a queue, which makes the class"},
      {claims.matrix.where, "matrix", "remove it, or write a spec for each pool"},
      {claims.budget.per_run.where, "budget.perRun", "write `perHour`"},
  };
  for (const auto& each : of_workloads) {
    if (each.where.given)
      sink.report<Code::FieldNeedsWorkload>(each.where.span, each.name).help("{}", each.help);
  }
  if (said.queues.items.empty() && !facts.gets_new_nodes() && !said.node_pools.where.given &&
      !said.create.where.bad)
    sink.report<Code::NothingDescribed>(said.queues)
        .help("add a queue, or `nodePool` with the names of the node pools");
}

void judge_borrowing(const spec::TeamQueue& queue, Sink& sink) {
  const auto report = [&](const schema::Where& where, std::string_view field,
                          std::string_view problem) -> Diagnostic& {
    return sink.report<Code::QueueLimits>(where.span, field, queue.name.value, problem);
  };
  const bool is_alone = !queue.cohort.where.given && !queue.cohort.where.bad;
  if (is_alone && queue.borrow.usable())
    report(queue.borrow.where, "borrow", "needs `cohort`")
        .help("add `cohort: NAME` to the queues that share, or remove it");
  if (is_alone && queue.lend.usable())
    report(queue.lend.where, "lend", "needs `cohort`")
        .help("add `cohort: NAME` to the queues that share, or remove it");
  if (!is_alone && queue.lend.usable() && queue.quota.usable() &&
      queue.lend.value > queue.quota.value)
    report(queue.lend.where, "lend",
           fmt::format("is {}, and its quota is {}", queue.lend.value, queue.quota.value))
        .help("write {} or less, or remove it: a queue lends what it does not use",
              queue.quota.value);
  const spec::QueuePreemption& preempt = queue.preempt;
  const Text& borrow = preempt.borrow.policy;
  const bool reclaims = preempt.reclaim.where.bad || preempt.reclaim.where.placeholder ||
                        (preempt.reclaim.usable() && preempt.reclaim.value != "Never");
  if (borrow.usable() && borrow.value != "Never" && !reclaims)
    report(borrow.where, "preempt.borrowWithinCohort", "needs `reclaimWithinCohort`")
        .help("write `reclaimWithinCohort: LowerPriority` or `Any`, or remove it");
}

// A cohort of one queue shares nothing, and a second name that is nearly the same is its slip.
void judge_cohorts(const Facts& facts, Sink& sink) {
  if (!facts.is_capacity()) return;
  std::vector<ScopeName> cohorts;
  for (const spec::TeamQueue& queue : facts.claims.provisioning.queues.items)
    cohorts.push_back({fmt::format("queue `{}`", queue.name.value), queue.cohort});
  judge_scopes(cohorts, "cohort", sink);
}

void judge_teams(const Facts& facts, Sink& sink) {
  if (!facts.is_capacity()) return;
  std::vector<PlacedName> names;
  std::vector<const spec::Priority*> classes;
  for (const spec::TeamQueue& queue : facts.claims.provisioning.queues.items) {
    if (queue.name.usable())
      judge_repeated(sink, names, queue.name.where.span, queue.name.value, "queue");
    std::vector<PlacedName> spaces;
    for (const Text& space : queue.namespaces.items) {
      if (space.usable()) judge_repeated(sink, spaces, space.where.span, space.value, "namespace");
    }
    judge_borrowing(queue, sink);
    for (const spec::Priority& priority : queue.priorities.items) {
      if (!priority.name.usable() || !priority.value.usable()) continue;
      const auto* const* other = find_where(classes, [&](const spec::Priority* each) {
        return each->name.value == priority.name.value;
      });
      if (other == nullptr) {
        classes.push_back(&priority);
      } else if ((*other)->value.value != priority.value.value) {
        sink.report<Code::QueueLimits>(
                priority.value, "priorities", queue.name.value,
                fmt::format("gives `{}` the value {}, and another entry {}", priority.name.value,
                            priority.value.value, (*other)->value.value))
            .also((*other)->value.where.span, "the other value")
            .help("write the value once, or the same twice");
      }
    }
  }
}

}  // namespace

Rules capacity_rules() {
  static constexpr Rule rules[] = {judge_queues_of_teams, judge_teams, judge_cohorts};
  return rules;
}

}  // namespace flexslice::rules
