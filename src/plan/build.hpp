// From complete claims to the plan. Total: nothing here can fail, and nothing reports.
#pragma once

#include <string_view>

#include "plan/complete.hpp"
#include "plan/plan.hpp"

namespace flexslice::plan {

// `source` is the name of the spec's file, for headers. The plan points into the catalog, not into
// the claims.
Plan build(const Complete& complete, std::string_view source);

// Plans the pods of a spec that lacks something, as far as its claims say them. What they say
// wrongly is null in an object, so that rules do not judge it again.
Plan open_plan(const resolve::Facts& facts);

// The pods, in plan_workload.cpp.
WorkloadPods build_workload(const Complete& complete);
// The pod that leads such pods, if there is one: of a group, or the head of a Ray cluster or of
// Pathways.
std::optional<WorkloadPods> build_leader(const Complete& complete, const WorkloadPods& workload);
std::optional<RayApplication> build_ray(const Complete& complete);
std::optional<PathwaysPods> build_pathways(const Complete& complete);
// The workers of Pathways in place of the pods with the container of the spec, which are the head.
void make_pathways_workers(const Complete& complete, WorkloadPods& workload);
// A server needs these: they decide its number of replicas, and how requests reach them; in
// serving.cpp.
std::optional<ReplicaScaler> build_autoscaling(const Complete& complete,
                                               const WorkloadPods& workload);
std::optional<ModelRoute> build_gateway(const Complete& complete, const WorkloadPods& workload);
// Labels of the pods that serve clients, which are the leaders of groups.
Pairs client_selector(const Complete& complete);
// Sorted by name, but a variable after those that its value refers to, as Kubernetes wants it.
std::vector<ContainerVariable> build_environment(const schema::Map<spec::EnvValue>& env);

// Kubernetes replaces `$(NAME)` in a container's command when NAME is one of its variables, and
// `$$` by `$`, except in the text between another `$(` and the next `)`. Doubles those dollars, so
// that bash gets the script as it was written. `any_name`: there are variables whose names are not
// known, those of `envFrom`.
std::string escape_references(std::string_view script, const schema::Map<spec::EnvValue>& env,
                              bool any_name = false);

// The map's pairs, sorted by key.
Pairs sorted_pairs(const schema::Map<schema::Text>& map);

}  // namespace flexslice::plan
