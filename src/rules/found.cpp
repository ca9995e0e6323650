#include "rules/found.hpp"

#include <fmt/core.h>

#include "yaml/node.hpp"

namespace flexslice::rules {

namespace {

void judge_strings(const found::Found& found, Sink& sink) {
  for (const auto& [key, value] : found.not_strings) {
    const std::string& text = value.value.text;
    sink.report<Code::NotAString>(value, key.value, yaml::describe(value.value))
        .help("write \"{}\"", text)
        .fix(value.where.span, fmt::format("\"{}\"", text));
  }
}

void judge_versions(const found::Found& found, const Catalog& catalog, Sink& sink) {
  for (const auto& [version, kind] : found.objects) {
    const OldVersion* old = named(catalog.old_versions, &OldVersion::version, version.value);
    if (old != nullptr)
      sink.report<Code::OldApiVersion>(version, version.value, kind.value)
          .help("the present one is {}", old->instead);
  }
}

// The rules that specs have too. What is doubtful is no reason to change what may be running.
void judge_shared(const Facts& facts, Sink& sink) {
  Sink own;
  for (const Rules rules : {found_tpu_rules(), found_provisioning_rules()}) {
    for (const Rule rule : rules) rule(facts, own);
  }
  for (Diagnostic& finding : own.take()) {
    if (finding.code == Code::DoubtfulSize || finding.code == Code::DoubtfulMachineType)
      finding.level = diag::Level::note;
    sink.add(std::move(finding));
  }
}

// A value that comes from a variable is used here and set elsewhere: nothing is certain to fix.
void note_variable(const found::PoolClaims& pool, Diagnostic& finding) {
  for (const found::FlagClaim& flag : pool.flags) {
    if (flag.set_at == Span{} || flag.value.where.span != finding.where) continue;
    finding.also(flag.set_at, fmt::format("the value {} is set here", flag.value.value));
    finding.fixes.clear();
  }
}

}  // namespace

void judge_found(const found::Found& found, const Catalog& catalog, std::string_view gcloud_version,
                 Sink& sink) {
  for (const found::PodClaims& pod : found.pods) {
    const Facts facts = facts::look_up(pod.claims, catalog);
    judge_shared(facts, sink);
    judge_pod(pod, facts, sink);
    // Pages show both kinds of cluster next to each other.
    const bool on_tpus = pod.claims.tpu.type.where.given || pod.chips.where.given;
    if (!found.has_autopilot || found.has_standard || !on_tpus) continue;
    for (const Rule rule : found_autopilot_rules()) rule(facts, sink);
  }
  for (const found::PoolClaims& pool : found.pools) {
    const Facts facts = facts::look_up(pool.claims, catalog);
    Sink own;
    judge_shared(facts, own);
    judge_pool(pool, facts, gcloud_version, own);
    for (Diagnostic& finding : own.take()) {
      note_variable(pool, finding);
      sink.add(std::move(finding));
    }
  }
  judge_strings(found, sink);
  judge_versions(found, catalog, sink);
  judge_queues(found, sink);
  judge_pairs(found, catalog, sink);
}

}  // namespace flexslice::rules
