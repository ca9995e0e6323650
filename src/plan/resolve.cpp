#include "plan/resolve.hpp"

#include <algorithm>

#include "plan/steps.hpp"

namespace flexslice::plan {

std::optional<Plan> resolve(const spec::Spec& spec, const catalog::Catalog& catalog, std::string_view source_name, diag::Sink& sink) {
  if (spec.where.bad) return std::nullopt;
  Plan plan;
  plan.source = source_name;
  plan.name = spec.name.value;
  plan.name_space = spec.name_space.value;
  const Context context{spec, catalog, sink, plan};
  resolve_metadata(context);
  resolve_cluster(context);
  resolve_tpu(context);
  resolve_provisioning(context);
  resolve_queue(context);
  resolve_versions(context);
  resolve_pools(context);
  resolve_workload(context);
  resolve_names(context);
  resolve_patches(context);
  // A soft error may yet be lowered by the user, and the plan holds all the same.
  if (sink.hard_errors() > 0) return std::nullopt;
  return plan;
}

bool is_autopilot(const spec::Spec& spec) { return spec.cluster.mode.value == "autopilot"; }

std::string source_note(const catalog::Evidence& evidence) {
  const std::string cited = catalog::citation(evidence);
  return cited.empty() ? cited : "source: " + cited;
}

Pairs sorted_pairs(const record::Map<record::Text>& map) {
  Pairs pairs;
  for (const auto& entry : map.entries) pairs.emplace_back(entry.key.value, entry.value.value);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace flexslice::plan
