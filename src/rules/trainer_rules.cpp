// Pods whose counts or chips are in another object of the file: a TrainJob and the runtime that it
// names, and the templates of ResourceClaims.
#include "rules/file_judge.hpp"
#include "rules/pod_rules.hpp"
#include "spec/derived_keys.hpp"

namespace flexslice::rules {

namespace {

// The pods of the runtime, with what the TrainJob says instead.
view::PodClaims pods_of(const view::TrainJobClaims& job, view::PodClaims pod) {
  if (job.nodes.where.given) pod.hosts = job.nodes;
  if (!job.chips.where.given) return pod;
  pod.chips = job.chips;
  pod.chips_known = job.chips.usable();
  pod.amounts = job.amounts;
  pod.sum.clear();
  return pod;
}

}  // namespace

void FileJudge::judge_train_jobs() {
  for (const view::TrainJobClaims& job : train_jobs_) {
    summary_.uses_tpus |= job.chips.where.given;
    judge_limits(job.unlimited, sink_);
    const bool is_alone = !job.has_selectors && !any_of(runtimes_, [&](const view::PodClaims& pod) {
      return job.runtime.value == pod.runtime;
    });
    // The runtime, which has its pods, may be in the cluster alone.
    if (is_alone && job.chips.where.given) {
      const view::PodClaims pod = pods_of(job, {});
      judge_counts(pod, resolve::look_up(pod.claims, catalog_), sink_);
    }
    for (const view::PodClaims& pod : runtimes_) {
      if (job.has_selectors || !job.runtime.usable() || job.runtime.value != pod.runtime) continue;
      judge_counts(pods_of(job, pod), resolve::look_up(pod.claims, catalog_), sink_);
    }
  }
}

// Chips of a driver, whose class says that they are TPUs.
void FileJudge::judge_claimed_chips() {
  for (view::PodClaims& pod : claiming_) {
    std::int64_t chips = 0;
    for (const view::NamedClaim& claim : pod.resource_claims) {
      for (const view::ClaimedChips& each : claimed_chips_) {
        if (each.name == claim.template_name && each.count > 0) {
          chips += each.count;
          pod.chips.where = {.span = claim.where, .given = true, .label = spec::tpu_resource};
        }
      }
    }
    if (chips == 0) continue;
    pod.chips.value = chips;
    judge_counts(pod, resolve::look_up(pod.claims, catalog_), sink_);
  }
}

}  // namespace flexslice::rules
