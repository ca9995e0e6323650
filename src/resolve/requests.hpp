// Requests of a pod are counted as the scheduler and Kueue count them: the quotas of queues and the
// rules about the size of nodes take them from here.
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

// `Tree` is a yaml::Node or a yaml::Value. A container that has only a limit requests as much.
template <class Tree>
Requests container_requests(const Tree& container) {
  Requests requests;
  for (std::string_view kind : {"requests", "limits"}) {
    const Tree* amounts = container.at({"resources", kind});
    if (amounts == nullptr) continue;
    for (const auto& member : amounts->members) {
      if (const auto quantity = parse_quantity(member.value.text))
        requests.emplace(key_text(member), *quantity);
    }
  }
  return requests;
}

// Containers that run at one time: those of the pod with its sidecars, and then each init container
// with the sidecars before it.
template <class Tree>
std::vector<std::vector<const Tree*>> container_starts(const Tree& pod_spec) {
  std::vector<std::vector<const Tree*>> steps(1);
  std::vector<const Tree*> sidecars;
  const Tree *containers = pod_spec.find("containers"), *init = pod_spec.find("initContainers");
  if (containers != nullptr) {
    for (const Tree& container : containers->items) steps[0].push_back(&container);
  }
  if (init != nullptr) {
    for (const Tree& container : init->items) {
      if (container.text_at({"restartPolicy"}) == "Always") {
        sidecars.push_back(&container);
      } else {
        steps.push_back(sidecars);
        steps.back().push_back(&container);
      }
    }
  }
  steps[0].insert(steps[0].end(), sidecars.begin(), sidecars.end());
  return steps;
}

// A pod requests the most that one of its steps requests.
template <class Tree>
Requests pod_requests(const Tree& pod_spec) {
  Requests most;
  for (const auto& step : container_starts(pod_spec)) {
    Requests together;
    for (const Tree* container : step) add(together, container_requests(*container));
    raise(most, std::move(together));
  }
  return most;
}

}  // namespace flexslice::resolve
