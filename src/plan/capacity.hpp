// An admin shares out the nodes of specs without a workload: how much of them each queue of a team
// can get.
#pragma once

#include <span>

#include "diag/diag.hpp"
#include "plan/plan.hpp"

namespace flexslice::plan {

// Without the amounts that depend on each other, of claims without errors.
Capacity build_capacity(const spec::Claims& claims);

// The most chips that a queue borrows when no other of its cohort uses anything. `queues` have
// quota of the same nodes.
std::int64_t borrowed_at_most(const QueueOfTeam& queue, std::span<const QueueOfTeam> queues);
// Adds the amounts of the same queue on more nodes.
void add_amounts(QueueOfTeam& queue, const QueueOfTeam& more);
// Adds what a spec says of the queue and another leaves out.
void add_settings(QueueOfTeam& queue, const QueueOfTeam& more);

// Reports quotas that the nodes do not have, queues that never admit a slice, and with `notes`
// those that can wait for what they lend.
void judge_capacity(const resolve::Facts& facts, const Plan& plan, bool notes, diag::Sink& sink);

}  // namespace flexslice::plan
