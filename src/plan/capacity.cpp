#include "plan/capacity.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/text.hpp"

namespace flexslice::plan {

namespace {

std::optional<std::int64_t> stated_number(const schema::Integer& said) {
  return said.usable() ? std::optional(said.value) : std::nullopt;
}

std::string count_chips(std::int64_t chips) { return text::count(chips, "chip"); }

bool is_lender(const QueueOfTeam& queue, const QueueOfTeam& other) {
  return !queue.cohort.empty() && other.cohort == queue.cohort && other.name != queue.name;
}

std::int64_t lent_by(const QueueOfTeam& queue) {
  return std::min(queue.quota, queue.lend.value_or(queue.quota));
}

// All that the other queues of its cohort lend.
std::int64_t lent_to(const QueueOfTeam& queue, std::span<const QueueOfTeam> queues) {
  std::int64_t lent = 0;
  for (const QueueOfTeam& other : queues) {
    if (is_lender(queue, other)) lent += lent_by(other);
  }
  return lent;
}

std::string sentence(const QueueOfTeam& queue, std::span<const QueueOfTeam> queues) {
  std::string text = fmt::format("{} of its own, for {} {}", count_chips(queue.quota),
                                 queue.namespaces.size() == 1 ? "namespace" : "namespaces",
                                 text::join(queue.namespaces, ", "));
  const std::int64_t borrowed = borrowed_at_most(queue, queues);
  if (borrowed > 0) {
    std::vector<std::string> lenders;
    for (const QueueOfTeam& other : queues) {
      if (is_lender(queue, other) && lent_by(other) > 0) lenders.push_back(other.name);
    }
    text += fmt::format("; borrows up to {} that {} {} not use: {} at most", count_chips(borrowed),
                        text::join(lenders, ", "), lenders.size() == 1 ? "does" : "do",
                        count_chips(queue.quota + borrowed));
  }
  const bool lends = lent_by(queue) > 0 && any_of(queues, [&](const QueueOfTeam& other) {
                       return is_lender(queue, other) && other.borrow.value_or(1) > 0;
                     });
  if (lends)
    text += fmt::format(". It lends up to {}, and gets {}", count_chips(lent_by(queue)),
                        queue.reclaim == "Any"
                            ? "them back at once: Kueue stops workloads that borrow them"
                        : queue.reclaim == "LowerPriority"
                            ? "them back from workloads of a lower priority, which Kueue stops"
                            : "them back when the workloads that borrow them end");
  if (!queue.weight.empty())
    text += fmt::format(". Its share of what can be borrowed has weight {}", queue.weight);
  return text + ".";
}

}  // namespace

Capacity build_capacity(const spec::Claims& claims) {
  Capacity capacity;
  for (const spec::TeamQueue& said : claims.provisioning.queues.items) {
    QueueOfTeam& queue = capacity.queues.emplace_back();
    queue.name = said.name.value;
    for (const Text& space : said.namespaces.items) {
      queue.namespaces.push_back(space.value);
      if (!contains(capacity.namespaces, space.value)) capacity.namespaces.push_back(space.value);
    }
    queue.quota = said.quota.value;
    queue.cohort = said.cohort.value;
    queue.borrow = stated_number(said.borrow);
    queue.lend = stated_number(said.lend);
    queue.weight = said.weight.value;
    const spec::QueuePreemption& preempt = said.preempt;
    queue.within_queue = preempt.within_queue.value;
    queue.reclaim = preempt.reclaim.value;
    queue.borrow_policy = preempt.borrow.policy.value;
    queue.borrow_priority = stated_number(preempt.borrow.max_priority);
    queue.preempts =
        !queue.within_queue.empty() || !queue.reclaim.empty() || !queue.borrow_policy.empty();
    for (const spec::Priority& priority : said.priorities.items) {
      if (priority.value.usable())
        queue.priorities.push_back({priority.name.value, priority.value.value});
    }
  }
  for (QueueOfTeam& queue : capacity.queues) {
    queue.most = queue.quota + borrowed_at_most(queue, capacity.queues);
    queue.says = sentence(queue, capacity.queues);
  }
  return capacity;
}

std::int64_t borrowed_at_most(const QueueOfTeam& queue, std::span<const QueueOfTeam> queues) {
  const std::int64_t lent = lent_to(queue, queues);
  return std::min(lent, queue.borrow.value_or(lent));
}

void add_amounts(QueueOfTeam& queue, const QueueOfTeam& more) {
  const auto add = [](std::optional<std::int64_t>& to, const std::optional<std::int64_t>& other) {
    to = to && other ? std::optional(*to + *other) : std::nullopt;
  };
  add(queue.borrow, more.borrow);
  // Lending all of one quota is a number where the other has a limit.
  if (queue.lend || more.lend) queue.lend = lent_by(queue) + lent_by(more);
  queue.quota += more.quota;
}

void add_settings(QueueOfTeam& queue, const QueueOfTeam& more) {
  for (const std::string& space : more.namespaces) {
    if (!contains(queue.namespaces, space)) queue.namespaces.push_back(space);
  }
  for (std::string QueueOfTeam::*setting :
       {&QueueOfTeam::cohort, &QueueOfTeam::weight, &QueueOfTeam::within_queue,
        &QueueOfTeam::reclaim, &QueueOfTeam::borrow_policy}) {
    if ((queue.*setting).empty()) queue.*setting = more.*setting;
  }
  if (!queue.borrow_priority) queue.borrow_priority = more.borrow_priority;
  queue.preempts |= more.preempts;
}

void judge_capacity(const resolve::Facts& facts, const Plan& plan, bool notes, diag::Sink& sink) {
  using diag::Code;
  if (!plan.capacity) return;
  const spec::Provisioning& said = facts.claims.provisioning;
  const std::vector<QueueOfTeam>& queues = plan.capacity->queues;
  std::int64_t all = 0;
  for (const QueueOfTeam& queue : queues) all += queue.quota;
  // Existing single hosts may be any number, and GKE makes as many as there is quota for.
  const bool is_known =
      !facts.nodes_by_gke() && (facts.creates_pools || facts.claims.tpu.slices.where.given ||
                                said.max_nodes.where.given || said.node_pools.where.given);
  const std::int64_t chips = plan.provisioning.quota_chips;
  if (is_known && all > chips) {
    std::vector<std::string> sum;
    for (const QueueOfTeam& queue : queues)
      sum.push_back(fmt::format("{} {}", queue.name, queue.quota));
    std::int64_t sum_so_far = 0;
    const auto first_above = std::ranges::find_if(
        queues, [&](const QueueOfTeam& queue) { return (sum_so_far += queue.quota) > chips; });
    const spec::TeamQueue& claim = said.queues.items[std::size_t(first_above - queues.begin())];
    sink.report<Code::QuotasAboveNodes>(claim.quota, count_chips(all), count_chips(chips))
        .note("{}: {}", text::join(sum, ", "), all)
        .note("{}: {}", plan.provisioning.quota_chips.reason.because, chips)
        .help(
            "lower the quotas, or raise `tpu.slices`; a queue gets more than its quota by `borrow` "
            "of a cohort");
  }
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const QueueOfTeam& queue = queues[i];
    const spec::TeamQueue& claim = said.queues.items[i];
    if (queue.most < plan.tpu.chips) {
      diag::Diagnostic& finding = sink.report<Code::QueueBelowSlice>(
          claim.quota, queue.name, count_chips(queue.most), count_chips(plan.tpu.chips));
      if (!queue.cohort.empty())
        finding.note("{} of its own, and {} that it can borrow", queue.quota,
                     queue.most - queue.quota);
      const std::int64_t lacking = plan.tpu.chips.value - queue.quota;
      if (lent_to(queue, queues) >= lacking)
        finding.help("write `borrow: {}` or more, or remove `borrow`", lacking);
      else
        finding.help("give it a quota of {} chips or more{}{}", plan.tpu.chips.value,
                     all + lacking > chips ? ", and others less" : "",
                     queue.cohort.empty() ? ", or a `cohort` to borrow from" : "");
    }
    // Kueue shares by weights or lets borrowers preempt: its own settings decide.
    const auto weighed = std::ranges::find_if(queues, [&](const QueueOfTeam& other) {
      return !other.weight.empty() && other.cohort == queue.cohort;
    });
    if (notes && !queue.borrow_policy.empty() && queue.borrow_policy != "Never" &&
        weighed != queues.end()) {
      diag::Diagnostic& finding = sink.report<Code::QueueLimits>(
          claim.preempt.borrow.policy, "preempt.borrowWithinCohort", queue.name,
          fmt::format(
              "does nothing where Kueue's fair sharing is on, for which `{}` has a `weight`",
              weighed->name));
      finding.level = diag::Level::note;
    }
    const bool is_lent = lent_by(queue) > 0 && any_of(queues, [&](const QueueOfTeam& other) {
                           return is_lender(queue, other) && other.borrow.value_or(1) > 0;
                         });
    if (notes && is_lent && (queue.reclaim.empty() || queue.reclaim == "Never"))
      sink.report<Code::LendsUntilTheEnd>(claim.cohort, queue.name)
          .note("up to {} of its {} can be missing for as long as they run", lent_by(queue),
                count_chips(queue.quota))
          .help("write `preempt: {reclaimWithinCohort: Any}`, or limit `lend`");
  }
}

}  // namespace flexslice::plan
