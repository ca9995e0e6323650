// How long the workload may run and stop, against the time that nodes take to come and how long
// they live.
#include <fmt/core.h>

#include "resolve/attempts.hpp"
#include "rules/rules.hpp"
#include "schema/pattern.hpp"

namespace flexslice::rules {

namespace {

// Waiting for nodes counts if they are created after the workload.
bool waits_for_nodes(const Facts& facts) {
  const Model& model = *facts.model;
  return !model.needs_queue &&
         (facts.nodes_by_gke() || (facts.creates_pools && facts.autoscales()));
}

// A deadline that begins when the nodes are there cannot be reached after they have ended, unless
// others take their place. In a file, only a queue tells that they are there.
void judge_deadline(const Facts& facts, Sink& sink) {
  const Text& deadline = facts.claims.workload.active_deadline;
  if (facts.model == nullptr || !deadline.usable() || waits_for_nodes(facts) ||
      (facts.claims.is_found && !facts.model->needs_queue) || resolve::node_lives(facts) != 1)
    return;
  const auto claimed = resolve::run_seconds(facts.claims, *facts.model);
  const auto lifetime = claimed > 0 ? claimed : facts.model->default_run_seconds;
  const auto seconds = *schema::duration_seconds(deadline.value);
  if (lifetime > 0 && seconds > lifetime)
    sink.report<Code::DeadlineBeyondNodes>(deadline, deadline.value)
        .note("the nodes live {}", schema::duration_text(lifetime));
}

// If nodes are created after the Job, waiting for them counts. A queue of queued provisioning
// suspends the Job until they are there, and the deadline begins after that.
void judge_short_deadline(const Facts& facts, Sink& sink) {
  const Text& deadline = facts.claims.workload.active_deadline;
  if (!deadline.usable()) return;
  constexpr std::int64_t least = 600;  // a judgement: minutes for the node, and for a large image
  const std::int64_t seconds = *schema::duration_seconds(deadline.value);
  if (seconds == 0) return void(sink.report<Code::DeadlineOfZero>(deadline).help("remove it"));
  const Model* model = facts.model;
  if (model == nullptr || !waits_for_nodes(facts)) return;
  const bool scarce = facts.autoscales();
  const std::int64_t wait = scarce ? model->wait_seconds : least;
  const std::int64_t run = scarce ? resolve::run_seconds(facts.claims, *model) : 0;
  if (seconds >= wait + run) return;
  Diagnostic& finding =
      sink.report<Code::DeadlineBeforeNodes>(deadline, "activeDeadline", deadline.value);
  if (!scarce) {
    finding.note("nodes are created after the workload, and waiting for them counts")
        .help("allow at least {} more than the workload runs", schema::duration_text(least));
    return;
  }
  finding.note("waiting for nodes can take {}{}", schema::duration_text(wait),
               run == 0 ? ""
                        : fmt::format(", and they live {}: {} together", schema::duration_text(run),
                                      schema::duration_text(wait + run)));
  if (model->takes_run_duration)
    finding.help("`provisioning.maxRunDuration` limits the run from when its node is there");
  finding.help("allow {} more than the workload runs", schema::duration_text(wait));
}

void judge_grace(const Facts& facts, Sink& sink) {
  const Text& grace = facts.claims.workload.termination_grace;
  if (facts.model == nullptr || !grace.usable()) return;
  const std::int64_t seconds = *schema::duration_seconds(grace.value);
  const Model* reclaiming = facts.model_that(&Model::reclaims_nodes);
  // A pool that somebody else created may be configured for more, and in files most pods have the
  // 30 seconds of Kubernetes, written out.
  constexpr std::int64_t by_default = 30;
  const bool is_open =
      facts.claims.is_found ? seconds <= by_default : !facts.creates_pools || facts.autopilot();
  const std::int64_t most = reclaiming == nullptr ? 0
                            : is_open || reclaiming->grace_seconds == 0
                                ? reclaiming->max_grace_seconds
                                : reclaiming->grace_seconds;
  const std::int64_t lifetime = resolve::run_seconds(facts.claims, *facts.model);
  const bool of_file = grace.where.label == "terminationGracePeriodSeconds";
  const std::string_view field = of_file ? grace.where.label : "terminationGrace";
  const std::string text = of_file ? std::to_string(seconds) : std::string(grace.value);
  if (most > 0 && seconds > most) {
    Diagnostic& finding = sink.report<Code::GraceTooLong>(
        grace, field, text,
        fmt::format("the {} that {} leave pods{}", schema::duration_text(most), reclaiming->title,
                    most == reclaiming->max_grace_seconds ? " at most" : ""));
    note_evidence(finding, reclaiming->grace_evidence);
    finding.help("save checkpoints while the workload runs, and write at most {}",
                 of_file ? std::to_string(most) : schema::duration_text(most));
  } else if (lifetime > 0 && seconds >= lifetime) {
    sink.report<Code::GraceTooLong>(
        grace, field, text, fmt::format("the node lifetime {}", schema::duration_text(lifetime)));
  }
}

}  // namespace

Rules found_lifetime_rules() {
  static constexpr Rule rules[] = {judge_deadline, judge_grace};
  return rules;
}

Rules lifetime_rules() {
  static constexpr Rule rules[] = {judge_deadline, judge_short_deadline, judge_grace};
  return rules;
}

}  // namespace flexslice::rules
