// The objects of MultiKueue: those of the manager, which workloads are applied to, and those of
// each worker, which it sends them to.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/kubernetes/queues.hpp"
#include "backend/template/template.hpp"
#include "plan/plan.hpp"
#include "yaml/value.hpp"

namespace flexslice::kubernetes {

// One place of a spec, with its objects as they are applied.
struct WorkerPlace {
  plan::Plan plan;
  std::vector<yaml::Value> objects, queues;
  std::optional<QueueNeed> need;
};

// The object that the manager sends.
const yaml::Value* dispatched_object(const plan::Plan& plan, std::span<const yaml::Value> objects);

// Says why there are no objects of MultiKueue; empty: nothing keeps them from being made.
std::string why_not_dispatched(const plan::Plan& plan);

// The path at which the two differ, and how: `spec.completions is 4 and 8`; empty: they do not.
std::string first_difference(const yaml::Value& one, const yaml::Value& other);

// In the order in which they are applied. The names of queue, LocalQueue and workload are those of
// the workers; quotas are the sum of theirs.
std::vector<yaml::Value> manager_objects(std::span<const WorkerPlace> places,
                                         const templates::Set& templates);

// The queue, and what the workload's pods need beside it.
std::vector<yaml::Value> worker_objects(const plan::Plan& plan,
                                        std::span<const yaml::Value> objects,
                                        std::span<const yaml::Value> queues);

// Reports what is wrong in the template of these objects.
void check_multikueue_template(const templates::Set& templates, diag::Sink& sink);

}  // namespace flexslice::kubernetes
