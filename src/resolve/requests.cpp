#include "resolve/requests.hpp"

#include <algorithm>
#include <tuple>

#include "spec/derived_keys.hpp"

namespace flexslice::resolve {

namespace {

constexpr std::string_view first_resources[] = {"cpu", "memory", "ephemeral-storage",
                                                spec::tpu_resource};

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

}  // namespace flexslice::resolve
