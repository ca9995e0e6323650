// gcloud commands: flags that contradict each other, or that a pool of TPUs cannot do without or
// cannot have.
#include <fmt/core.h>

#include "rules/found.hpp"
#include "schema/pattern.hpp"

namespace flexslice::rules {

using found::FlagClaim;
using found::PoolClaims;
using read::BrokenBy;

namespace {

// The flag that a rule names: `--spot`, or with its value, `--reservation-affinity=none`.
const FlagClaim* find_flag(const PoolClaims& pool, std::string_view words) {
  const std::size_t equals = words.find('=');
  const FlagClaim* flag = pool.find(words.substr(0, equals));
  if (flag == nullptr || equals == std::string_view::npos) return flag;
  return flag->value.usable() && flag->value.value == words.substr(equals + 1) ? flag : nullptr;
}

void judge_command(const PoolClaims& pool, Sink& sink) {
  const Mistake* mistake = pool.unknown_command;
  if (mistake == nullptr) return;
  Diagnostic& finding = sink.report<Code::UnknownGcloudCommand>(pool.where.span, mistake->name);
  finding.note(std::string(mistake->why)).help("write `{}`", mistake->instead);
}

void judge_continuation(const PoolClaims& pool, Sink& sink) {
  if (pool.broken == Span{}) return;
  Diagnostic& finding = sink.report<Code::BrokenContinuation>(pool.broken, pool.lost);
  switch (pool.broken_by) {
    case BrokenBy::blanks:
      finding.help("remove the blanks after the `\\`").fix(pool.broken, "");
      return;
    case BrokenBy::comment:
      finding.note("a comment ends a command that the line above continues")
          .help("move the comment above the command");
      return;
    case BrokenBy::missing:
      finding.note("the line has no `\\` at its end, so that the next one is another command")
          .help("end the line with ` \\`")
          .fix({pool.broken.source, pool.broken.end, pool.broken.end}, " \\");
      return;
    case BrokenBy::missing_at_comment:
      finding.note("a comment goes on to the end of its line, so that no `\\` can be there")
          .help("move the comment above the command, and end the line with ` \\`");
  }
}

void judge_flag_rules(const PoolClaims& pool, const Catalog& catalog, Sink& sink) {
  for (const FlagRule& rule : catalog.gcloud.flag_rules) {
    const FlagClaim* flag = find_flag(pool, rule.flag);
    if (flag == nullptr) continue;
    for (std::string_view words : text::split(rule.excludes, ' ')) {
      const FlagClaim* other = words.empty() ? nullptr : find_flag(pool, words);
      if (other == nullptr) continue;
      Diagnostic& finding = sink.report<Code::ExclusiveFlags>(other->name, rule.flag, words);
      finding.also(flag->name.where.span, fmt::format("{} is here", rule.flag));
      finding.note(std::string(rule.why));
      note_source(finding, rule.evidence);
    }
    const std::string_view needed = rule.requires_flag;
    if (needed.empty() || !pool.complete) continue;
    // Another value of it is reported as such.
    const FlagClaim* there = pool.find(needed.substr(0, needed.find('=')));
    if (there != nullptr) continue;
    Diagnostic& finding = sink.report<Code::FlagRequired>(flag->name, rule.flag, needed);
    finding.note(std::string(rule.why)).help("add `{}`", needed);
  }
}

void judge_topology_flag(const PoolClaims& pool, const Facts& facts, Sink& sink) {
  const Text& topology = pool.claims.tpu.topology;
  if (!topology.usable() || facts.machine == nullptr || !facts.machine->refuses_topology_flag ||
      facts.hosts != 1)
    return;
  note_source(sink.report<Code::TopologyFlagRefused>(topology, facts.machine->name)
                  .help("remove `--tpu-topology`"),
              facts.machine->evidence);
}

void judge_policy(const PoolClaims& pool, const Facts& facts, Sink& sink) {
  const bool by_policy =
      facts.generation != nullptr && facts.generation->placement == catalog::Placement::policy;
  if (!by_policy || !facts.multi_host() || !pool.complete || pool.command != found::create_pool ||
      pool.find("--placement-policy") != nullptr)
    return;
  const auto topology = facts.topology->text();
  sink.report<Code::PlacementPolicyMissing>(pool.claims.tpu.topology, facts.generation->id)
      .note(facts::hosts_sum(*facts.topology, *facts.machine))
      .help(
          "create a policy with `gcloud compute resource-policies create workload-policy NAME "
          "--type=HIGH_THROUGHPUT --accelerator-topology={} --region=REGION`, and add "
          "`--placement-policy=NAME`",
          topology);
}

void judge_region(const PoolClaims& pool, Sink& sink) {
  const Text& location = pool.claims.cluster.location;
  if (pool.command != "container clusters create-auto" || !location.usable() ||
      !schema::matches(schema::Pattern::zone, location.value))
    return;
  sink.report<Code::AutopilotNeedsRegion>(location, location.value)
      .help("write `--location={}`", facts::region_of(location.value));
}

void judge_release(const PoolClaims& pool, const Catalog& catalog, std::string_view version,
                   Sink& sink) {
  if (version.empty() || !pool.release.empty()) return;
  for (const FlagClaim& flag : pool.flags) {
    if (!flag.name.value.starts_with("--") ||
        gcloud_knows(catalog, pool.command, flag.name.value, version))
      continue;
    Diagnostic& finding =
        sink.report<Code::FlagUnknownToGcloud>(flag.name, version, flag.name.value, pool.command);
    const GcloudFlag* later = find_later_flag(catalog, pool.command, flag.name.value);
    if (later != nullptr && !later->since.empty())
      finding.note("available since gcloud {}", later->since);
  }
}

}  // namespace

void judge_pool(const PoolClaims& pool, const Facts& facts, std::string_view gcloud_version,
                Sink& sink) {
  judge_command(pool, sink);
  judge_continuation(pool, sink);
  judge_flag_rules(pool, facts.catalog, sink);
  judge_topology_flag(pool, facts, sink);
  judge_policy(pool, facts, sink);
  judge_region(pool, sink);
  judge_release(pool, facts.catalog, gcloud_version, sink);
}

}  // namespace flexslice::rules
