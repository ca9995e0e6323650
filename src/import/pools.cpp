#include "import/pools.hpp"

#include <fmt/core.h>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "import/placeholders.hpp"

namespace flexslice::imports {

using catalog::Catalog;
using catalog::MachineType;

const MachineType* machine_of(const Catalog& catalog, std::string_view name) {
  const auto* generation = catalog::generation_of_machine_type(catalog, name);
  return generation == nullptr ? nullptr : catalog::find_machine_type(*generation, name);
}

std::string misfit(const NodeCommand& pool, const FoundWorkload& workload, const Catalog& catalog) {
  if (const auto names = workload.node_pools(); !names.empty())
    return contains(names, pool.operand)
               ? ""
               : fmt::format("the pods select node pool `{}`", names.front());
  const std::string name = pool.value("--machine-type");
  const MachineType* machine = machine_of(catalog, name);
  if (name.empty()) return "it has no machine type";
  if (Placeholders::is_in(name)) return fmt::format("`{}` is not filled in", name);
  if (machine == nullptr) return fmt::format("`{}` has no TPUs", name);
  const std::string accelerator = workload.node_label(accelerator_label);
  const std::string_view own = machine->accelerator;
  if (!accelerator.empty() && accelerator != own)
    return fmt::format("its nodes have accelerator `{}`, the pods select `{}`", own, accelerator);
  const std::string topology = pool.value("--tpu-topology");
  const auto wanted = workload.topology();
  if (!topology.empty() && !wanted.empty() && topology != wanted)
    return fmt::format("it has topology {}, the pods select {}", topology, wanted);
  const auto shape = catalog::parse_topology(wanted);
  // A pool without a topology is of single hosts, unless a policy shapes it.
  if (topology.empty() && shape && shape->chips() != machine->chips &&
      !pool.has("--placement-policy"))
    return fmt::format("it has no topology, the pods select {}", wanted);
  if (workload.chips() != 0 && workload.chips() != machine->chips)
    return fmt::format("its nodes have {}, each pod requests {}",
                       text::count(machine->chips, "chip"), workload.chips());
  return {};
}

namespace {

// The command that the object comes from, or null.
const Launch* launch_of(const FoundWorkload& workload, const Material& input) {
  const FoundObject* object = find_where(
      input.objects, [&](const FoundObject& each) { return &each.value == workload.object; });
  return object == nullptr ? nullptr : object->launch.get();
}

// A command of another launcher is not about the nodes of this one's workload, unless it creates
// the same cluster.
bool is_elsewhere(const NodeCommand& command, const Launch* launch) {
  if (command.launch == nullptr || command.launch.get() == launch) return false;
  const bool is_check = command.name == list_pools;
  if (launch == nullptr) return is_check;
  return (is_check && !command.conditions.empty()) || command.launch->cluster != launch->cluster;
}

}  // namespace

NodeCommands commands_of(const FoundWorkload& workload, const Material& input,
                         const Catalog& catalog) {
  NodeCommands chosen;
  const Launch* launch = launch_of(workload, input);
  const std::vector<std::string> names = workload.node_pools();
  std::vector<std::size_t> fitting;
  for (std::size_t i = 0; i < input.commands.size(); ++i) {
    const NodeCommand& command = input.commands[i];
    if (is_elsewhere(command, launch)) continue;
    const bool creates = command.name == create_pool && !command.claimed;
    if (creates && misfit(command, workload, catalog).empty()) fitting.push_back(i);
    if (command.name == create_cluster || command.name == create_autopilot) {
      chosen.clusters.push_back(i);
      chosen.creates_cluster |= !command.claimed;
    }
    // A pool that another spec creates is on the same cluster.
    const bool checks_pool =
        (command.name == describe_pool || (command.name == create_pool && command.claimed)) &&
        (contains(names, command.operand) || !workload.slice_topology().empty());
    const bool names_cluster = command.launch != nullptr || !command.conditions.empty();
    if (checks_pool || (command.name == list_pools && names_cluster)) chosen.checks.push_back(i);
  }
  if (!names.empty()) {
    chosen.pools = fitting;
  } else {
    // Ray's pods select several pools by a label of their own.
    const std::string label =
        fmt::format("flexslice/workload={}", workload.node_label("flexslice/workload"));
    const bool labelled = !label.ends_with('=');
    if (labelled)
      std::erase_if(fitting, [&](std::size_t i) {
        return input.commands[i].value("--node-labels").find(label) == std::string::npos;
      });
    const auto slices = static_cast<std::size_t>(workload.slices.value_or(1));
    // The pools that a launcher makes for a cluster are alike.
    if (launch != nullptr && fitting.size() > slices) fitting.resize(slices);
    if (fitting.size() == 1 || labelled || fitting.size() == slices) {
      chosen.pools = fitting;
    } else {
      chosen.ambiguous = fitting;
    }
  }
  for (std::size_t i = 0; i < input.commands.size(); ++i) {
    if (input.commands[i].name != create_policy) continue;
    for (const std::size_t pool : chosen.pools) {
      if (input.commands[pool].value("--placement-policy") == input.commands[i].operand) {
        chosen.policies.push_back(i);
        break;
      }
    }
  }
  return chosen;
}

}  // namespace flexslice::imports
