// The names of the Kueue objects of a workload with a queue.
#include <fmt/core.h>

#include "base/text.hpp"
#include "facts/names.hpp"
#include "plan/build.hpp"

namespace flexslice::plan {

namespace {

constexpr std::size_t max_name = 63;  // the name is also the value of a taint

// Eight hexadecimal digits that depend on every byte (FNV-1a).
std::string fingerprint(std::string_view text) {
  std::uint32_t hash = 2166136261u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return text::lower(text::hexadecimal(hash, 8));
}

// Two flavors with one name would overwrite each other, so all that makes the nodes of one
// different is in its name.
std::string flavor_name(const Complete& complete, const Plan& plan) {
  std::string name = fmt::format("{}-{}", plan.tpu.generation, plan.tpu.topology);
  const auto machines = catalog::machine_types_for(complete.generation, complete.topology);
  if (machines.size() > 1 || machines.front() != &complete.machine)
    name += complete.machine.name.substr(complete.machine.name.rfind('-'));
  name += fmt::format("-{}", plan.provisioning.model);
  if (const auto& reservation = plan.provisioning.reservation) {
    name += "-" + reservation->name;
    if (reservation->path != reservation->name) name += "-" + fingerprint(reservation->path);
  }
  // On Standard the lifetime belongs to the pool; on Autopilot the flavor selects it.
  if (const std::string& seconds = plan.provisioning.autopilot_run_seconds; !seconds.empty())
    name += fmt::format("-{}s", seconds);
  if (name.size() <= max_name) return name;
  const std::string end = "-" + fingerprint(name);
  return name.substr(0, max_name - end.size()) + end;
}

}  // namespace

Queue build_queue(const Complete& complete, const Plan& plan) {
  Queue queue;
  queue.flavor = flavor_name(complete, plan);
  // Kueue places pods on nodes that exist, or that it has requested. A pool that the autoscaler
  // fills has none when it decides, and Autopilot creates nodes only for pods that exist.
  const bool nodes_known =
      (complete.model.nodes == "all" && !plan.cluster.autopilot) || complete.model.needs_queue;
  if (nodes_known && plan.tpu.multi_host) queue.topology = "tpu-slices";
  if (complete.model.needs_queue)
    queue.check = fmt::format("{}{}", plan.provisioning.queue, facts::check_suffix);
  return queue;
}

}  // namespace flexslice::plan
