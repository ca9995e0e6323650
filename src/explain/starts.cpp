#include "explain/starts.hpp"

#include <fmt/core.h>

#include "resolve/workload_names.hpp"
#include "schema/cron.hpp"
#include "schema/pattern.hpp"

namespace flexslice::explain {

namespace {

using plan::CronSchedule, plan::Plan;

std::string overlap(const CronSchedule& schedule) {
  const std::string& policy = schedule.concurrency_policy.value;
  if (policy == "Replace")
    return "`Replace`: a start deletes the Job before it, whether that waits or runs.";
  if (policy == "Allow")
    return "`Allow`: a start makes a Job although another one waits or runs, and both need nodes.";
  return "`Forbid`: a start is skipped while a Job waits or runs.";
}

std::string by_hand(const Plan& plan) {
  return fmt::format(
      "A Job that `kubectl create job --from=cronjob/{}` makes is counted by no policy{}.",
      plan.name,
      plan.tpu.multi_host ? ": its pods wait while a run has the nodes of the slice, and the other "
                            "way round"
                          : "");
}

std::string wait(const Plan& plan) {
  const std::int64_t seconds = plan.provisioning.by_model->wait_seconds;
  const bool waits = plan.provisioning.autoscale || plan.cluster.autopilot || plan.compute_class;
  return waits && seconds > 0
             ? fmt::format("Waiting for nodes can take {}, in which the Job counts as active.",
                           schema::duration_text(seconds))
             : "";
}

std::string late(const CronSchedule& schedule) {
  if (schedule.starting_deadline.value)
    return fmt::format("A start that is {} late is given up.",
                       schema::duration_text(*schedule.starting_deadline.value));
  return schedule.concurrency_policy.value == "Forbid"
             ? "The latest start that was skipped is made up for when the Job has ended, however "
               "late; `startingDeadline` limits that."
             : "";
}

std::string run_cost(const Plan& plan, const schema::Cron& cron) {
  const plan::Cost& cost = plan.cost;
  if (!cost.hour) return {};
  if (!cost.run) return fmt::format("{} for each hour of a run", cost.per_hour.value);
  const std::string run = fmt::format("at most {} for each start", cost.per_run.value);
  const std::int64_t starts = schema::starts_of_day(cron);
  if (starts == 0) return run;
  return fmt::format("{}, and {} * {} = {} a day", run, starts, cost.per_run.value,
                     catalog::dollars_text(starts * *cost.run));
}

}  // namespace

schema::Pairs of_starts(const Plan& plan) {
  const plan::WorkloadPods& workload = plan.workload;
  const CronSchedule& schedule = *workload.schedule;
  const std::string& zone = schedule.said.time_zone.value;
  const auto read = schema::read_cron(schedule.said.cron.value);
  const schema::Cron cron =
      std::holds_alternative<schema::Cron>(read) ? std::get<schema::Cron>(read) : schema::Cron();
  const std::string count = schema::starts_text(cron);
  const auto host = [&](std::int64_t index) {
    return workload.service.empty() ? ""
                                    : resolve::host_name(plan.name, *workload.of_kind, 0, index);
  };
  return {{"starts", fmt::format("`{}` in {}{}", schedule.said.cron.value,
                                 zone.empty() ? "the time zone of the control plane" : zone,
                                 count.empty() ? "" : ": " + count)},
          {"jobOfStart", resolve::job_name(plan.name, *workload.of_kind)},
          {"firstOfStart", host(0)},
          {"lastOfStart", host(plan.tpu.hosts - 1)},
          {"overlap", fmt::format("{} {}", overlap(schedule), by_hand(plan))},
          {"wait", wait(plan)},
          {"late", late(schedule)},
          {"runCost", run_cost(plan, cron)}};
}

}  // namespace flexslice::explain
