#include "import/capacity.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "base/lists.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "import/defaults.hpp"
#include "import/nodes.hpp"
#include "import/order.hpp"
#include "resolve/workload_names.hpp"
#include "spec/derived_keys.hpp"
#include "view/read_commands.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

std::span<const Value> list_below(const Value* holder, std::string_view key) {
  const Value* list = holder == nullptr ? nullptr : holder->find(key);
  return list == nullptr ? std::span<const Value>{} : list->items;
}

// The quota of chips that the ClusterQueue has in the flavor, or null.
const Value* chip_quota_of(const Value& queue, std::string_view flavor) {
  for (const Value& group : list_below(queue.find("spec"), "resourceGroups")) {
    for (const Value& each : list_below(&group, "flavors")) {
      if (each.text_at({"name"}) != flavor) continue;
      for (const Value& resource : list_below(&each, "resources")) {
        if (resource.text_at({"name"}) == spec::tpu_resource) return &resource;
      }
    }
  }
  return nullptr;
}

// A number of chips, or what else stands there.
Value chips_in(const Value& amount) {
  const auto quantity = parse_quantity(amount.text);
  if (!quantity || quantity->nano % Quantity::unit != 0) return amount;
  Value chips = Value::number(static_cast<std::int64_t>(quantity->nano / Quantity::unit));
  chips.origin = amount.origin;
  return chips;
}

class CapacityWriter {
 public:
  CapacityWriter(const FoundObject& flavor, const Material& input, const catalog::Catalog& catalog)
      : flavor_(flavor), input_(input), catalog_(catalog) {}

  Synthesis write(bool first) {
    Synthesis made;
    Value& spec = made.spec;
    spec["apiVersion"] = Value::string("flexslice/v1");
    spec["name"] = Value();
    write_nodes(made);
    spec["name"] = Value::string(name_);
    Value& provisioning = spec["provisioning"];
    if (provisioning.text_at({"nodePool"}) == fmt::format("{}{}", name_, resolve::pool_suffix))
      provisioning.erase("nodePool");
    provisioning["queues"] = Value::sequence();
    for (std::size_t i = 0; i < input_.objects.size(); ++i) {
      const FoundObject& object = input_.objects[i];
      if (object.kind != "ClusterQueue" || chip_quota_of(object.value, flavor_.name) == nullptr)
        continue;
      if (provisioning["queues"].items.empty()) made.parts.object = i;
      provisioning["queues"].push(queue(object.value));
    }
    if (first) add_priorities(provisioning["queues"].items.front());
    put_in_order(spec);
    return made;
  }

 private:
  // Nodes that pods of the flavor would get.
  void write_nodes(Synthesis& made) {
    Value object = Value::mapping(), pod = Value::mapping();
    object["kind"] = Value::string("LeaderWorkerSet");
    if (const Value* labels = flavor_.value.at({"spec", "nodeLabels"}))
      pod["spec"]["nodeSelector"] = *labels;
    FoundWorkload workload;
    workload.word = "leaderworkerset";
    workload.object = &object;
    workload.pod = &pod;
    NodeCommands& commands = made.parts.commands;
    for (std::size_t i = 0; i < input_.commands.size(); ++i) {
      const NodeCommand& command = input_.commands[i];
      if (command.name == create_pool && misfit(command, workload, catalog_).empty() &&
          is_of_model(command))
        commands.pools.push_back(i);
      if (command.name == create_cluster || command.name == create_autopilot) {
        commands.clusters.push_back(i);
        commands.creates_cluster |= !command.claimed;
      }
    }
    for (std::size_t i = 0; i < input_.commands.size(); ++i) {
      const NodeCommand& command = input_.commands[i];
      if (command.name == create_policy && any_of(commands.pools, [&](std::size_t pool) {
            return input_.commands[pool].value("--placement-policy") == command.operand;
          }))
        commands.policies.push_back(i);
    }
    workload.slices = slices(workload, commands);
    name_ = name_of(commands);
    add_nodes(workload, commands, input_, catalog_, made.spec, made.todo);
    // The number of single hosts is that of the slices.
    Value& provisioning = made.spec["provisioning"];
    if (is_single_host(workload)) provisioning.erase("maxNodes");
    const auto* generation =
        catalog::find_generation(catalog_, workload.node_label(accelerator_label));
    const auto shape = catalog::parse_topology(workload.topology());
    if (generation != nullptr && shape &&
        catalog::machine_types_for(*generation, *shape).size() == 1)
      made.spec["tpu"].erase("machineType");
  }

  // Pools of other models have other flavors.
  bool is_of_model(const NodeCommand& pool) const {
    const Value* labels = flavor_.value.at({"spec", "nodeLabels"});
    bool spot = false, flex_start = false;
    for (const catalog::Model& model : catalog_.models) {
      const bool is_selected =
          labels != nullptr && !model.node_selector.empty() &&
          std::ranges::all_of(model.node_selector, [&](const catalog::Label& label) {
            return labels->text_at({label.key}) == std::string_view(label.value);
          });
      spot |= is_selected && model.spot;
      flex_start |= is_selected && model.flex_start;
    }
    if (spot != pool.has("--spot") || flex_start != pool.has("--flex-start")) return false;
    const std::string reservation = pool.value("--reservation");
    const std::string own = reservation.substr(reservation.rfind('/') + 1);
    return own.empty() || flavor_.name.find("-reservation-") == std::string::npos ||
           flavor_.name.find(own) != std::string::npos;
  }

  bool is_single_host(const FoundWorkload& workload) const {
    const auto shape = catalog::parse_topology(workload.topology());
    const auto* generation =
        catalog::find_generation(catalog_, workload.node_label(accelerator_label));
    if (generation == nullptr || !shape) return false;
    const auto machines = catalog::machine_types_for(*generation, *shape);
    return machines.size() == 1 && machines.front()->chips == shape->chips();
  }

  // By the pools, or where none is created by what the queues hand out.
  std::int64_t slices(const FoundWorkload& workload, const NodeCommands& commands) const {
    if (!commands.pools.empty() && !is_single_host(workload)) return std::ssize(commands.pools);
    if (!commands.pools.empty()) {
      const NodeCommand& pool = input_.commands[commands.pools.front()];
      const std::string zones = pool.value("--node-locations");
      const std::int64_t in_zones = std::ranges::count(zones, ',') + 1;
      for (std::string_view flag : {"--max-nodes", "--num-nodes"}) {
        if (const auto nodes = text::whole_number(pool.value(flag)); nodes && *nodes > 0)
          return *nodes * in_zones;
      }
    }
    const auto shape = catalog::parse_topology(workload.topology());
    std::int64_t all = 0;
    for (const FoundObject& object : input_.objects) {
      const Value* chips =
          object.kind == "ClusterQueue" ? chip_quota_of(object.value, flavor_.name) : nullptr;
      const Value* quota = chips == nullptr ? nullptr : chips->find("nominalQuota");
      if (quota != nullptr) all += text::whole_number(quota->text).value_or(0);
    }
    return shape ? std::max<std::int64_t>(1, (all + shape->chips() - 1) / shape->chips()) : 1;
  }

  // The owner that compile writes on pools, or what they are called.
  std::string name_of(const NodeCommands& commands) const {
    if (commands.pools.empty()) return "platform";
    const NodeCommand& pool = input_.commands[commands.pools.front()];
    const std::string labels = pool.value("--labels");
    for (std::string_view label : text::split(labels, ',')) {
      constexpr std::string_view owner = "flexslice=";
      if (label.starts_with(owner)) return std::string(label.substr(owner.size()));
    }
    std::string name = pool.operand;
    for (std::string_view end : {std::string_view("-0"), std::string_view(resolve::pool_suffix)}) {
      if (name.ends_with(end) && name.size() > end.size()) name.resize(name.size() - end.size());
    }
    return name;
  }

  Value queue(const Value& object) const {
    Value queue = Value::mapping();
    const std::string_view name = object.text_at({"metadata", "name"});
    queue["name"] = Value::string(name);
    Value& spaces = queue["namespaces"] = Value::sequence();
    const auto add_space = [&](std::string_view space) {
      const bool is_known =
          any_of(spaces.items, [&](const Value& each) { return each.text == space; });
      if (!space.empty() && !is_known) spaces.push(Value::string(space));
    };
    for (const Value& term :
         list_below(object.at({"spec", "namespaceSelector"}), "matchExpressions")) {
      if (term.text_at({"key"}) != "kubernetes.io/metadata.name" ||
          term.text_at({"operator"}) != "In")
        continue;
      for (const Value& value : list_below(&term, "values")) add_space(value.text);
    }
    for (const FoundObject& local : input_.objects) {
      if (local.kind == "LocalQueue" && local.value.text_at({"spec", "clusterQueue"}) == name)
        add_space(local.value.text_at({"metadata", "namespace"}));
    }
    const Value& chips = *chip_quota_of(object, flavor_.name);
    const auto copy_chips = [&](std::string_view from, std::string_view to) {
      if (const Value* amount = chips.find(from)) queue[to] = chips_in(*amount);
    };
    const Value* spec = object.find("spec");
    copy_chips("nominalQuota", "quota");
    for (std::string_view key : {"cohort", "cohortName"}) {
      if (const Value* cohort = spec->find(key)) queue["cohort"] = Value::string(cohort->text);
    }
    copy_chips("borrowingLimit", "borrow");
    copy_chips("lendingLimit", "lend");
    if (const Value* weight = object.at({"spec", "fairSharing", "weight"}))
      queue["weight"] = Value::string(weight->text);
    if (const Value* preemption = spec->find("preemption")) {
      for (std::string_view key :
           {"withinClusterQueue", "reclaimWithinCohort", "borrowWithinCohort"}) {
        const Value* policy = preemption->find(key);
        // A live queue has all of them.
        if (policy == nullptr || policy->text == "Never" || policy->text_at({"policy"}) == "Never")
          continue;
        queue["preempt"][key] = *policy;
      }
    }
    return queue;
  }

  void add_priorities(Value& queue) const {
    for (const FoundObject& object : input_.objects) {
      const Value* value = object.value.find("value");
      if (object.kind != "WorkloadPriorityClass" || value == nullptr) continue;
      Value& priority = queue["priorities"].push(Value::mapping());
      priority["name"] = Value::string(object.name);
      priority["value"] = *value;
    }
  }

  const FoundObject& flavor_;
  const Material& input_;
  const catalog::Catalog& catalog_;
  std::string name_;
};

// Compile gives a LocalQueue the name of its ClusterQueue, and a flavor that of its nodes.
bool is_same_queue(const Value& a, const Value& b) {
  const std::string_view kind = a.text_at({"kind"});
  const auto is_same = [&](std::initializer_list<std::string_view> path) {
    return a.text_at(path) == b.text_at(path);
  };
  if (kind != b.text_at({"kind"}) || !is_same({"metadata", "namespace"})) return false;
  if (kind == "LocalQueue") return is_same({"spec", "clusterQueue"});
  if (kind == "ResourceFlavor" && !a.text_at({"spec", "nodeLabels", accelerator_label}).empty())
    return is_same({"spec", "nodeLabels", accelerator_label}) &&
           is_same({"spec", "nodeLabels", topology_label});
  return is_same({"metadata", "name"});
}

// The words of v1beta1 that v1beta2 has others for, and the long form of a selector, as compile
// writes them.
Value as_present_queue(Value queue) {
  if (queue.text_at({"kind"}) != "ClusterQueue" || queue.find("spec") == nullptr) return queue;
  Value& spec = queue["spec"];
  for (Value::Member& member : spec.members) {
    if (member.key == "cohort") member.key = "cohortName";
  }
  const Value* labels = spec.at({"namespaceSelector", "matchLabels"});
  constexpr std::string_view name = "kubernetes.io/metadata.name";
  if (labels == nullptr || labels->members.size() != 1 || labels->members[0].key != name)
    return queue;
  Value value = labels->members[0].value, selector = Value::mapping();
  Value& expression = selector["matchExpressions"];
  expression = Value::sequence();
  Value& term = expression.push(Value::mapping());
  term["key"] = Value::string(std::string(name));
  term["operator"] = Value::string("In");
  term["values"] = Value::sequence();
  term["values"].push(std::move(value));
  spec["namespaceSelector"] = std::move(selector);
  return queue;
}

void compare_queues(const Material& input, Synthesis& made, bool alone) {
  for (std::size_t out = 0; out < made.trial.objects.size(); ++out) {
    const Value& compiled = made.trial.objects[out];
    Compared& compared = made.compared.emplace_back();
    compared.pair.compiled = static_cast<int>(out);
    for (std::size_t in = 0; in < input.objects.size(); ++in) {
      if (!is_same_queue(input.objects[in].value, compiled)) continue;
      compared.pair.input = static_cast<int>(in);
      // The queue of several specs has the flavors of all.
      if (alone)
        compared.differences = differences(normalized(as_present_queue(input.objects[in].value)),
                                           normalized(compiled));
      break;
    }
  }
}

}  // namespace

std::vector<Synthesis> synthesize_capacity(const Material& input, const catalog::Catalog& catalog,
                                           const Compiler& compiler) {
  std::vector<const FoundObject*> flavors;
  for (const FoundObject& flavor : input.objects) {
    const Value* labels = flavor.value.at({"spec", "nodeLabels"});
    if (flavor.kind != "ResourceFlavor" || labels == nullptr ||
        labels->find(accelerator_label) == nullptr)
      continue;
    if (any_of(input.objects, [&](const FoundObject& queue) {
          return queue.kind == "ClusterQueue" && chip_quota_of(queue.value, flavor.name) != nullptr;
        }))
      flavors.push_back(&flavor);
  }
  std::vector<Synthesis> all;
  for (const FoundObject* flavor : flavors) {
    Synthesis& made =
        all.emplace_back(CapacityWriter(*flavor, input, catalog).write(flavor == flavors.front()));
    std::string& name = made.spec["name"].text;
    const auto namesakes = std::ranges::count_if(
        all, [&](const Synthesis& each) { return each.spec.text_at({"name"}) == name; });
    if (namesakes > 1) name += fmt::format("-{}", namesakes);
    made.trial = compiler.compile(made.spec, made.names);
    compare_queues(input, made, flavors.size() == 1);
  }
  return all;
}

}  // namespace flexslice::imports
