// What the pods of the generated objects request, counted as the scheduler and Kueue count it.
// queues.cpp calls it.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/quantity.hpp"
#include "yaml/value.hpp"

namespace flexslice::kubernetes {

// CPU, memory, disk and chips first, in this order; then the others by name.
struct ResourceOrder {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const;
};
using Requests = std::map<std::string, Quantity, ResourceOrder>;

void add(Requests& sum, const Requests& more);
void raise(Requests& most, const Requests& other);  // each resource to the larger amount
Requests times(Requests requests, std::int64_t count);

// Of one pod: its containers and sidecars together, or what starting its init containers takes at
// one time, if that is more. A container that has only a limit requests as much.
Requests pod_requests(const yaml::Value& pod_spec);
// Of one pod of each pod template in the objects, together.
Requests pod_requests(std::span<const yaml::Value> objects);

}  // namespace flexslice::kubernetes
