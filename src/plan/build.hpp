// From complete claims to the plan. Total: nothing here can fail, and nothing reports.
#pragma once

#include <string_view>

#include "plan/complete.hpp"
#include "plan/plan.hpp"

namespace flexslice::plan {

// `source` is the name of the spec's file, for headers. The plan points into the catalog, not into
// the claims.
Plan build(const Complete& complete, std::string_view source);

// The parts, each in a file of its own. `build_workload` and `build_queue` read what the parts
// before them have put into the plan.
Cluster build_cluster(const Complete& complete);
Tpu build_tpu(const Complete& complete);
Provisioning build_provisioning(const Complete& complete);
void build_pools(const Complete& complete, Plan& plan);
Workload build_workload(const Complete& complete);
Placement build_placement(const Complete& complete, const Plan& plan);
Queue build_queue(const Complete& complete, const Plan& plan);

// Kubernetes replaces `$(NAME)` in a container's command when NAME is one of its variables, and
// `$$` by `$`, except in the text between another `$(` and the next `)`. Doubles those dollars, so
// that bash gets the script as it was written.
std::string escape_references(std::string_view script, const schema::Map<claims::EnvValue>& env);

// The value of a claim, or what it is without one.
inline std::string_view text_of(const schema::Text& text) {
  return text.where.usable() ? std::string_view(text.value) : std::string_view();
}
inline bool is_set(const schema::Flag& flag) { return flag.where.usable() && flag.value; }
// The map's pairs, sorted by key.
Pairs sorted_pairs(const schema::Map<schema::Text>& map);
// `a=1,b=2`, as gcloud takes it.
std::string comma_list(const Pairs& pairs);

}  // namespace flexslice::plan
