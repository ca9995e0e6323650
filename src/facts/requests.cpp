#include "backend/kubernetes/requests.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace flexslice::kubernetes {

using yaml::Value;

namespace {

constexpr std::string_view first_resources[] = {"cpu", "memory", "ephemeral-storage",
                                                "google.com/tpu"};

Requests container_requests(const Value& container) {
  Requests requests;
  const Value* resources = container.find("resources");
  for (std::string_view key : {"requests", "limits"}) {
    const Value* list = resources == nullptr ? nullptr : resources->find(key);
    if (list == nullptr) continue;
    for (const Value::Member& member : list->members) {
      if (const auto quantity = parse_quantity(member.value.text))
        requests.emplace(member.key, *quantity);
    }
  }
  return requests;
}

// Init containers run one after the other, each together with the sidecars before it.
void add_init_containers(const Value& list, Requests& running, Requests& most) {
  Requests sidecars;
  for (const Value& container : list.items) {
    Requests now = container_requests(container);
    const Value* policy = container.find("restartPolicy");
    if (policy != nullptr && policy->text == "Always") {  // a sidecar
      add(running, now);
      add(sidecars, now);
      raise(most, sidecars);
    } else {
      add(now, sidecars);
      raise(most, now);
    }
  }
}

void collect(const Value& value, Requests& sum) {
  for (const Value& item : value.items) collect(item, sum);
  for (const Value::Member& member : value.members) {
    const Value* spec = member.key == "template" ? member.value.find("spec") : nullptr;
    if (spec != nullptr && spec->find("containers") != nullptr) {
      add(sum, pod_requests(*spec));
    } else {
      collect(member.value, sum);
    }
  }
}

}  // namespace

bool ResourceOrder::operator()(std::string_view a, std::string_view b) const {
  const auto rank = [](std::string_view name) { return std::ranges::find(first_resources, name); };
  return std::tuple(rank(a), a) < std::tuple(rank(b), b);
}

void add(Requests& sum, const Requests& more) {
  for (const auto& [name, quantity] : more) sum[name] += quantity;
}

void raise(Requests& most, const Requests& other) {
  for (const auto& [name, quantity] : other) most[name] = std::max(most[name], quantity);
}

Requests times(Requests requests, std::int64_t count) {
  for (auto& [name, quantity] : requests) quantity = quantity * count;
  return requests;
}

Requests pod_requests(const Value& pod_spec) {
  Requests running, starting;
  if (const Value* containers = pod_spec.find("containers")) {
    for (const Value& container : containers->items) add(running, container_requests(container));
  }
  if (const Value* containers = pod_spec.find("initContainers"))
    add_init_containers(*containers, running, starting);
  raise(running, starting);
  return running;
}

Requests pod_requests(std::span<const Value> objects) {
  Requests sum;
  for (const Value& object : objects) collect(object, sum);
  return sum;
}

}  // namespace flexslice::kubernetes
