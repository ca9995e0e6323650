// The rules: each takes claims and facts, and reports. A file for a subject, a function for a rule;
// every rule exists once, whatever kind of source the claims come from. Values that were reported
// before (`bad`), or that are not known, are not judged.
#pragma once

#include <string>
#include <string_view>

#include "catalog/catalog.hpp"
#include "claims/claims.hpp"
#include "diag/diag.hpp"
#include "facts/facts.hpp"

namespace flexslice::rules {

// What a rule judges, and where it reports.
struct Subject {
  const claims::Claims& claims;
  const facts::Facts& facts;
  const catalog::Catalog& catalog;
  diag::Sink& sink;
};

// All rules.
void judge(const Subject& subject);

// tpu.cpp
void judge_generation(const Subject& subject);
void judge_topology(const Subject& subject);
void judge_machine_type(const Subject& subject);
void judge_slices(const Subject& subject);

// provisioning.cpp
void judge_model(const Subject& subject);
void judge_zones(const Subject& subject);
void judge_node_count(const Subject& subject);
void judge_run_duration(const Subject& subject);
void judge_reservation(const Subject& subject);
void judge_deadline(const Subject& subject);
void judge_queued_slices(const Subject& subject);
void judge_version(const Subject& subject);

// autopilot.cpp
void judge_autopilot(const Subject& subject);

// names.cpp
void judge_labels(const Subject& subject);
void judge_name_lengths(const Subject& subject);

// workload.cpp
void judge_kind(const Subject& subject);
void judge_command(const Subject& subject);
void judge_variables(const Subject& subject);
void judge_ports(const Subject& subject);
void judge_volumes(const Subject& subject);
void judge_host_network(const Subject& subject);
void judge_selectors(const Subject& subject);
void judge_tolerations(const Subject& subject);
void judge_pull_secrets(const Subject& subject);
void judge_patches(const Subject& subject);

// limits.cpp
void judge_sizes(const Subject& subject);
// One argument or variable of a program: `what` names it in the message, `bytes` is its length.
void judge_argument(const Subject& subject, Span where, std::string_view what, std::size_t bytes);
// An amount of memory or disk.
void judge_bytes(const Subject& subject, Span where, std::string_view amount);

// containers.cpp
void judge_containers(const Subject& subject);

// Where a finding about the model points: its word, or what it is taken for by default.
Span model_place(const Subject& subject);
// `source: …` for a note; empty when the evidence names none.
std::string source_note(const catalog::Evidence& evidence);
void note_evidence(diag::Diagnostic& found, const catalog::Evidence& evidence);
// Reports the keys that one of the rows reserves.
void refuse_reserved(const Subject& subject, const schema::Map<schema::Text>& given,
                     catalog::ReservedList rows);

}  // namespace flexslice::rules
