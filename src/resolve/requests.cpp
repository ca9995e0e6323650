#include "resolve/requests.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "spec/derived_keys.hpp"

namespace flexslice::resolve {

using yaml::Value;

namespace {

constexpr std::string_view first_resources[] = {"cpu", "memory", "ephemeral-storage",
                                                spec::tpu_resource};

std::span<const Value> items(const Value& pod_spec, std::string_view key) {
  const Value* list = pod_spec.find(key);
  return list == nullptr ? std::span<const Value>() : list->items;
}

}  // namespace

bool ResourceOrder::operator()(std::string_view a, std::string_view b) const {
  const auto rank = [](std::string_view name) { return std::ranges::find(first_resources, name); };
  return std::tuple(rank(a), a) < std::tuple(rank(b), b);
}

void add(Requests& sum, Requests more) {
  if (sum.empty()) return sum.swap(more);
  for (const auto& [name, quantity] : more) sum[name] += quantity;
}

void raise(Requests& most, Requests other) {
  if (most.empty()) return most.swap(other);
  for (const auto& [name, quantity] : other) most[name] = std::max(most[name], quantity);
}

Requests times(Requests requests, std::int64_t count) {
  for (auto& [name, quantity] : requests) quantity = quantity * count;
  return requests;
}

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

std::vector<std::vector<const Value*>> container_starts(const Value& pod_spec) {
  std::vector<std::vector<const Value*>> steps(1);
  std::vector<const Value*> sidecars;
  for (const Value& container : items(pod_spec, "containers")) steps[0].push_back(&container);
  for (const Value& container : items(pod_spec, "initContainers")) {
    const Value* policy = container.find("restartPolicy");
    if (policy != nullptr && policy->text == "Always") {
      sidecars.push_back(&container);
    } else {
      steps.push_back(sidecars);
      steps.back().push_back(&container);
    }
  }
  steps[0].insert(steps[0].end(), sidecars.begin(), sidecars.end());
  return steps;
}

Requests pod_requests(const Value& pod_spec) {
  Requests most;
  for (const auto& step : container_starts(pod_spec)) {
    Requests together;
    for (const Value* container : step) add(together, container_requests(*container));
    raise(most, std::move(together));
  }
  return most;
}

}  // namespace flexslice::resolve
