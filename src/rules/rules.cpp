#include "rules/rules.hpp"

#include "base/text.hpp"

namespace flexslice::rules {

void judge(const Subject& subject) {
  constexpr void (*rules[])(const Subject&) = {
      judge_labels,        judge_autopilot,    judge_generation,   judge_topology,
      judge_machine_type,  judge_slices,       judge_model,        judge_zones,
      judge_node_count,    judge_run_duration, judge_reservation,  judge_deadline,
      judge_version,       judge_kind,         judge_command,      judge_variables,
      judge_ports,         judge_volumes,      judge_selectors,    judge_tolerations,
      judge_host_network,  judge_containers,   judge_name_lengths, judge_patches,
      judge_queued_slices, judge_sizes,        judge_pull_secrets,
  };
  for (const auto rule : rules) rule(subject);
}

Span model_place(const Subject& subject) {
  const schema::Text& model = subject.claims.provisioning.model;
  return model.where.given ? model.where.span : subject.claims.tpu.type.where.span;
}

std::string source_note(const catalog::Evidence& evidence) {
  const std::string cited = catalog::citation(evidence);
  return cited.empty() ? cited : "source: " + cited;
}

void note_evidence(diag::Diagnostic& found, const catalog::Evidence& evidence) {
  if (!evidence.note.empty()) found.note(std::string(evidence.note));
  if (std::string source = source_note(evidence); !source.empty()) found.note(std::move(source));
}

void refuse_reserved(const Subject& subject, const schema::Map<schema::Text>& given,
                     catalog::ReservedList rows) {
  for (const auto& entry : given.entries) {
    const catalog::Reserved* reserved = catalog::find_reserved(rows, entry.key.value);
    if (reserved == nullptr) continue;
    subject.sink.report<diag::Code::DerivedSelector>(entry.key.where.span, entry.key.value)
        .note(std::string(reserved->why))
        .help("leave it out");
  }
}

}  // namespace flexslice::rules
