// What a pod requests, counted as the scheduler and Kueue count it: the quotas of queues and the
// rules about the size of nodes take it from here.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"
#include "yaml/value.hpp"

namespace flexslice::resolve {

// CPU, memory, disk and chips first, in this order; then the others by name.
struct ResourceOrder {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const;
};
using Requests = std::map<std::string, Quantity, ResourceOrder>;

void add(Requests& sum, Requests more);
void raise(Requests& most, Requests other);  // each resource to the larger amount
Requests times(Requests requests, std::int64_t count);

// A container that has only a limit requests as much.
Requests container_requests(const yaml::Value& container);
// Containers that run at one time: those of the pod with its sidecars, and then each init container
// with the sidecars before it.
std::vector<std::vector<const yaml::Value*>> container_starts(const yaml::Value& pod_spec);
// Of one pod: the most that one of its steps requests.
Requests pod_requests(const yaml::Value& pod_spec);

}  // namespace flexslice::resolve
