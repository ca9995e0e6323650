// The steps of resolve, one file each. Private to plan/. Every step reports what it can and fills its part of the plan; a step that needs
// a part which is missing because of an earlier error does nothing.
#pragma once

#include <string>
#include <string_view>

#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "plan/plan.hpp"
#include "spec/spec.hpp"

namespace flexslice::plan {

struct Context {
  const spec::Spec& spec;
  const catalog::Catalog& catalog;
  diag::Sink& sink;
  Plan& plan;

  void because(std::string path, std::string reason, const catalog::Evidence* evidence = nullptr) const {
    plan.reasons.push_back({std::move(path), std::move(reason), evidence});
  }
};

// Cluster, its mode and region. First, since the other steps ask for the mode.
void resolve_cluster(const Context& context);
// Generation, topology, machine type, hosts, slices.
void resolve_tpu(const Context& context);
// Model, zones, durations, reservation.
void resolve_provisioning(const Context& context);
// The queue, its flavor, and what Kueue places. After the TPUs and the model.
void resolve_queue(const Context& context);
// Whether the stated GKE version has all that is used.
void resolve_versions(const Context& context);
// Node pools, policies and their labels.
void resolve_pools(const Context& context);
// Pods: container, volumes, environment, kind.
void resolve_workload(const Context& context);
// Labels and annotations of everything.
void resolve_metadata(const Context& context);
// Names that derive from the workload's, against their limits.
void resolve_names(const Context& context);
// Merge patches, as values.
void resolve_patches(const Context& context);

// `4x4 is 16 chips; 16 / 4 chips per ct6e-standard-4t = 4 hosts`.
std::string hosts_sum(const Tpu& tpu);
// Reports the keys that one of the rows reserves.
void refuse_reserved(const Context& context, const record::Map<record::Text>& given, const std::vector<catalog::Reserved>& rows);
// The region of a region or zone.
std::string_view region_of(std::string_view location);
// Whether a value was written and is good.
inline bool usable(const record::Where& where) { return where.given && !where.bad; }
// Whether the stated mode needs node pools. Decided even when other parts of the cluster are bad.
bool is_autopilot(const spec::Spec& spec);
// `source: …` for a diagnostic's note; empty when the evidence names none.
std::string source_note(const catalog::Evidence& evidence);
// The map's pairs, sorted by key.
Pairs sorted_pairs(const record::Map<record::Text>& map);

}  // namespace flexslice::plan
