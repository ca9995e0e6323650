// Autoscalers of the input: what `workload.autoscaling` says of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "import/input.hpp"
#include "import/workload.hpp"
#include "yaml/value.hpp"

namespace flexslice::imports {

// Says whether the HorizontalPodAutoscaler scales the object.
bool scales(const yaml::Value& autoscaler, const yaml::Value& object);

// The HorizontalPodAutoscaler of the input that scales the workload, and that a spec can describe;
// or null.
const FoundObject* autoscaler_of(const FoundWorkload& workload,
                                 const std::vector<FoundObject>& objects);
// Why none can; empty: one can.
std::string reason_against_autoscaler(const yaml::Value& autoscaler);

// Counts the slices that it may come to.
void count_scaled_slices(FoundWorkload& workload, const std::vector<FoundObject>& objects);

// `workload.autoscaling`, by it and the PodMonitoring of the pods, where there is one. `fields` are
// those of the workload.
yaml::Value autoscaling_field(const yaml::Value& autoscaler, const yaml::Value* monitoring,
                              const yaml::Value& fields);

}  // namespace flexslice::imports
