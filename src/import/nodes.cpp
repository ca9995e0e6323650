#include "import/nodes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "base/lists.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "extract/terraform.hpp"
#include "import/config_connector.hpp"
#include "import/match.hpp"
#include "import/path.hpp"
#include "import/todo.hpp"
#include "resolve/workload_names.hpp"
#include "schema/pattern.hpp"
#include "spec/derived_keys.hpp"
#include "spec/kinds.hpp"
#include "spec/spec_fields.hpp"
#include "view/read_commands.hpp"

namespace flexslice::imports {

using catalog::Catalog;
using catalog::MachineType;
using yaml::Value;

namespace {

// `train-pool` of `train-pool-0` where that is the pool of a slice.
std::string base_of(const std::vector<std::string>& names) {
  const std::string& first = names.front();
  if (!first.ends_with("-0")) return {};
  const std::string base = first.substr(0, first.size() - 2);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != fmt::format("{}-{}", base, i)) return {};
  }
  return base;
}

// `200GB` as `--disk-size` has it is `200Gi`.
std::string disk_size(std::string text) {
  for (std::string_view unit : {"GB", "TB"}) {
    if (!text.ends_with(unit)) continue;
    text.erase(text.size() - 2);
    return text + (unit == "GB" ? "Gi" : "Ti");
  }
  return text::whole_number(text) ? text + "Gi" : text;
}

// `129600s` is `1d12h`.
std::string duration(const std::string& text) {
  const auto seconds = seconds_in(text);
  return seconds ? schema::duration_text(*seconds) : text;
}

std::span<const Value> items_of(const Value& holder, std::string_view key) {
  const Value* list = holder.find(key);
  return list == nullptr ? std::span<const Value>{} : list->items;
}

// Chips of a ClusterQueue. Of several flavors that have some it is not known which one is the
// workload's.
std::optional<std::int64_t> quota_in(const Value& queue) {
  std::optional<std::int64_t> chips;
  const Value* spec = queue.find("spec");
  if (spec == nullptr) return chips;
  for (const Value& group : items_of(*spec, "resourceGroups")) {
    for (const Value& flavor : items_of(group, "flavors")) {
      for (const Value& resource : items_of(flavor, "resources")) {
        const auto quota = text::whole_number(resource.text_at({"nominalQuota"}));
        if (resource.text_at({"name"}) != spec::tpu_resource || quota == 0) continue;
        if (chips || !quota) return std::nullopt;
        chips = quota;
      }
    }
  }
  return chips;
}

// The name of the model that the flag means, or of the one that no flag means.
std::string model_with(const Catalog& catalog, bool catalog::Model::*means) {
  const auto* row =
      find_where(catalog.models, [&](const catalog::Model& each) { return each.*means; });
  return row == nullptr ? "" : std::string(std::string_view(row->name));
}

// The name of the model that the flag means, or of the one that no flag means.
std::string model_without_flags(const Catalog& catalog) {
  const auto* row = find_where(catalog.models, [](const catalog::Model& each) {
    return !each.needs_queue && !each.flex_start && !each.spot && !each.takes_reservation;
  });
  return row == nullptr ? "" : std::string(std::string_view(row->name));
}

class NodesWriter {
 public:
  NodesWriter(const FoundWorkload& workload, const NodeCommands& chosen, const Material& input,
              const Catalog& catalog, Value& spec, std::vector<std::string>& todo)
      : workload_(workload),
        chosen_(chosen),
        input_(input),
        catalog_(catalog),
        spec_(spec),
        todo_(todo) {}

  void write() {
    cluster();
    machine();
    provisioning();
    if (spec_["cluster"].is_empty()) spec_.erase("cluster");
  }

 private:
  const NodeCommand* first(const std::vector<std::size_t>& indices) const {
    return indices.empty() ? nullptr : &input_.commands[indices.front()];
  }

  static void set(Value& record, std::string_view key, std::string_view text) {
    if (!text.empty() && record.find(key) == nullptr) record[key] = Value::string(text);
  }

  static std::string location_of(const NodeCommand& command) {
    for (std::string_view flag : {"--location", "--region", "--zone"}) {
      if (auto value = command.value(flag); !value.empty()) return value;
    }
    return {};
  }

  void cluster() {
    Value& cluster = spec_["cluster"];
    cluster = Value::mapping();
    const NodeCommand* made = first(chosen_.clusters);
    const NodeCommand* pool = first(chosen_.pools);
    const NodeCommand* check = first(chosen_.checks);
    const NodeCommand* policy = policy_of_class();
    if (made != nullptr) set(cluster, "name", made->operand);
    for (const NodeCommand* command : {pool, check}) {
      if (command != nullptr) set(cluster, "name", command->value("--cluster"));
    }
    // The region of a policy is not always the location of the cluster.
    for (const NodeCommand* command : {made, pool, check, policy}) {
      if (command == nullptr) continue;
      if (command != policy) set(cluster, "location", location_of(*command));
      set(cluster, "project", command->value("--project"));
      const Flag* project = command->find("--project");
      if (project != nullptr && project->has_empty_variable)
        require(cluster, "project", "$PROJECT", "project of the cluster", todo_);
    }
    autopilot_ = (steps().empty() ? input_.nodes_by_gke : !names_zones(steps())) ||
                 (made != nullptr && (made->name == create_autopilot || made->has("--autopilot")));
    if (autopilot_) set(cluster, "mode", "autopilot");
    if (made != nullptr) {
      set(cluster, "version", made->value("--cluster-version"));
      if (chosen_.creates_cluster) cluster["create"] = Value::boolean(true);
    }
    // Manifests need neither, and who applies them knows the cluster.
    if (pool == nullptr && made == nullptr) return;
    require(cluster, "name", "$CLUSTER", "name of the cluster", todo_);
    require(cluster, "location", "$LOCATION", "region or zone of the cluster", todo_);
  }

  std::string flag_of_pool(std::string_view flag) const {
    const NodeCommand* pool = first(chosen_.pools);
    return pool == nullptr ? "" : pool->value(flag);
  }

  static std::string first_of(std::initializer_list<std::string> texts) {
    const auto* text = find_where(texts, [](const std::string& each) { return !each.empty(); });
    return text == nullptr ? "" : *text;
  }

  std::string machine_name() const {
    return first_of({flag_of_pool("--machine-type"), check_of("config.machineType"),
                     workload_.node_label(machine_label)});
  }

  std::string topology_text() const {
    const NodeCommand* policy = first(chosen_.policies);
    return first_of(
        {workload_.slice_topology(), workload_.topology(), flag_of_pool("--tpu-topology"),
         policy == nullptr ? "" : policy->value("--accelerator-topology"), of_class("topology")});
  }

  // The TPUs of the ComputeClass that the pods select, where all of its priorities agree.
  std::string of_class(std::string_view field) const {
    const std::string name = workload_.node_label(resolve::class_label);
    const FoundObject* found = find_where(input_.objects, [&](const FoundObject& each) {
      return each.kind == "ComputeClass" && each.name == name;
    });
    const Value* list = found == nullptr ? nullptr : found->value.at({"spec", "priorities"});
    if (list == nullptr || list->items.empty()) return {};
    const std::string_view text = list->items.front().text_at({"tpu", field});
    const bool agree = std::ranges::all_of(list->items, [&](const Value& each) {
      return each.text_at({"tpu", field}) == text;
    });
    return agree ? std::string(text) : std::string();
  }

  std::int64_t own_chips() const {
    const auto topology = catalog::parse_topology(topology_text());
    const Value* slices = spec_.at({"tpu", "slices"});
    return (topology ? topology->chips() : 0) *
           (slices == nullptr ? 1 : text::whole_number(slices->text).value_or(1));
  }

  void machine() {
    Value& tpu = spec_["tpu"];
    tpu = Value::mapping();
    std::string name = machine_name();
    const std::string accelerator =
        first_of({workload_.node_label(accelerator_label), of_class("type")});
    const auto* generation = catalog::find_generation(catalog_, accelerator);
    if (generation == nullptr && accelerator.empty())
      generation = catalog::generation_of_machine_type(catalog_, name);
    const std::string topology = topology_text();
    const auto shape = catalog::parse_topology(topology);
    const auto fitting = generation == nullptr || !shape
                             ? std::vector<const MachineType*>{}
                             : catalog::machine_types_for(*generation, *shape);
    for (const MachineType* machine : fitting) {
      if (name.empty() && machine->chips == workload_.chips())
        name = std::string_view(machine->name);
    }
    // The label decides where a generation has several, and the shape does not.
    const bool same_label = any_of(fitting, [&](const MachineType* machine) {
      return std::string_view(machine->accelerator) == accelerator;
    });
    if (generation != nullptr)
      tpu["type"] = Value::string(generation->id);
    else if (!accelerator.empty())
      tpu["type"] = Value::string(accelerator);
    if (generation != nullptr && !accelerator.empty() && !fitting.empty() && !same_label)
      tpu["type"] = Value::string(accelerator);
    require(tpu, "type", "$TPU_TYPE", "type of the TPUs", todo_);
    set(tpu, "topology", topology);
    require(tpu, "topology", "$TOPOLOGY", "topology of a slice", todo_);
    set(tpu, "machineType", name);
    if (!workload_.slice_topology().empty() && generation != nullptr) pool_topology(*generation);
    const MachineType* machine = machine_of(catalog_, name);
    single_host_ = shape && machine != nullptr && machine->chips == shape->chips();
    // A Job's completions are hosts where a slice has several.
    std::int64_t slices =
        workload_.word == "job" && !single_host_ ? 1 : workload_.slices.value_or(1);
    const std::int64_t hosts = shape && machine != nullptr ? shape->chips() / machine->chips : 1;
    if (workload_.may_be_hosts && hosts > 1 && slices % hosts == 0) slices /= hosts;
    // Each pod of a replicated Job has a host, which is a slice.
    if (workload_.word == "jobset" && single_host_ && workload_.parallel_pods() > 1)
      slices *= workload_.parallel_pods();
    if (slices > 1) tpu["slices"] = Value::number(slices);
    if (!workload_.open_slices.empty())
      tpu["slices"] = missing(workload_.open_slices, "number of slices", todo_);
  }

  // Slices are made of these pools; where nothing says it, their topology is the only possible one.
  void pool_topology(const catalog::Generation& generation) {
    const NodeCommand* policy = first(chosen_.policies);
    const auto& pools = generation.slicing.pools;
    pool_topology_ = first_of({workload_.topology(), flag_of_pool("--tpu-topology"),
                               policy == nullptr ? "" : policy->value("--accelerator-topology"),
                               pools.size() == 1 ? pools.front().topology.text() : std::string()});
    only_model_ = generation.slicing.model;
  }

  // By the flags of the pool, or the labels that the pods select.
  std::string model() const {
    if (const NodeCommand* pool = first(chosen_.pools)) {
      for (const auto& [flag, means] : view::model_flags) {
        if (pool->has(flag)) return model_with(catalog_, means);
      }
      return model_without_flags(catalog_);
    }
    if (const catalog::Model* selected = selected_model())
      return std::string(std::string_view(selected->name));
    if (is_reserved()) return reserved_model();
    if (const Launch::LaunchCapacity* said = said_capacity();
        said != nullptr && !said->model.empty())
      return said->model;
    if (!lifetime_of_request().empty()) return model_with(catalog_, &catalog::Model::needs_queue);
    return only_model_.empty() ? model_without_flags(catalog_) : only_model_;
  }

  // Returns what the launcher of the cluster says, where GKE makes the nodes; null: it says none.
  const Launch::LaunchCapacity* said_capacity() const {
    const NodeCommand* cluster = first(chosen_.clusters);
    return chosen_.pools.empty() && cluster != nullptr && cluster->launch != nullptr &&
                   cluster->launch->capacity
               ? &*cluster->launch->capacity
               : nullptr;
  }

  // Kueue writes this into the ProvisioningRequest for the workload.
  std::string_view lifetime_of_request() const {
    return spec::job_of(*workload_.object)
        .text_at({"metadata", "annotations", lifetime_annotation});
  }

  // Prefers the model with the most labels where several match.
  const catalog::Model* selected_model() const {
    const catalog::Model* best = nullptr;
    for (const catalog::Model& model : catalog_.models) {
      const bool selected =
          !model.node_selector.empty() &&
          std::ranges::all_of(model.node_selector, [&](const catalog::Label& label) {
            return workload_.node_label(label.key) == std::string_view(label.value);
          });
      if (selected && (best == nullptr || model.node_selector.size() > best->node_selector.size()))
        best = &model;
    }
    return best;
  }

  std::string reserved_model() const {
    return model_with(catalog_, &catalog::Model::takes_reservation);
  }

  bool is_reserved() const {
    return !reservation().empty() || workload_.reservation_of_flavor(reserved_model());
  }

  std::string reservation() const {
    if (const NodeCommand* pool = first(chosen_.pools)) return pool->value("--reservation");
    if (auto checked = check_of("config.reservationAffinity.values"); !checked.empty())
      return checked;
    if (const Launch::LaunchCapacity* said = said_capacity();
        said != nullptr && !said->reservation.empty())
      return said->reservation;
    const auto label = [&](std::string_view key) {
      return std::string(workload_.node_label(fmt::format("cloud.google.com/reservation-{}", key)));
    };
    if (label("name").empty())
      return workload_.reservation_of_flavor(reserved_model()).value_or("");
    return reservation_path(label("name"), label("project"), label("blocks"), label("subblocks"));
  }

  static std::string reservation_path(std::string_view name, std::string_view project,
                                      std::string_view block, std::string_view part) {
    std::string path = project.empty() ? std::string(name)
                                       : fmt::format("projects/{}/reservations/{}", project, name);
    if (block.empty()) return path;
    path += fmt::format("/reservationBlocks/{}", block);
    if (!part.empty()) path += fmt::format("/reservationSubBlocks/{}", part);
    return path;
  }

  // The checks of a launcher say nothing of how nodes are provisioned.
  bool has_checks() const {
    return any_of(chosen_.checks,
                  [&](std::size_t index) { return input_.commands[index].launch == nullptr; });
  }

  // A script expects this of a pool that exists.
  std::string check_of(std::string_view field) const {
    for (const std::size_t index : chosen_.checks) {
      for (const std::string& condition : input_.commands[index].conditions) {
        if (condition.starts_with(fmt::format("{}=", field)))
          return condition.substr(field.size() + 1);
      }
    }
    // Another spec creates the pool, by a command that says the same.
    constexpr std::pair<std::string_view, std::string_view> flags[] = {
        {"locations", "--node-locations"},
        {"autoscaling.maxNodeCount", "--max-nodes"},
        {"config.maxRunDuration", "--max-run-duration"}};
    for (const auto& [path, flag] : flags) {
      if (path != field) continue;
      for (const std::size_t index : chosen_.checks) {
        const NodeCommand& command = input_.commands[index];
        if (command.name == create_pool && !command.value(flag).empty())
          return std::string(command.value(flag));
      }
    }
    return {};
  }

  // The priorities of the ComputeClass that compile makes for the workload: of another one it is
  // not known what else relies on it.
  // The spec of the ComputeClass that `fallback` makes, or null.
  const Value* class_of_pods() const {
    const std::string_view space = workload_.object->text_at({"metadata", "namespace"});
    const std::string name =
        resolve::class_name(workload_.object->text_at({"metadata", "name"}), space);
    const FoundObject* found = find_where(input_.objects, [&](const FoundObject& each) {
      return each.kind == "ComputeClass" && each.name == name;
    });
    const Value* list = found == nullptr ? nullptr : found->value.at({"spec", "priorities"});
    if (list == nullptr || list->items.size() < 2 ||
        workload_.node_label(resolve::class_label) != name)
      return nullptr;
    return found->value.find("spec");
  }
  std::span<const Value> steps() const {
    const Value* made = class_of_pods();
    return made == nullptr ? std::span<const Value>() : items_of(*made, "priorities");
  }

  // Compile writes those of a Standard cluster.
  static bool names_zones(std::span<const Value> steps) {
    return std::ranges::any_of(steps, [](const Value& step) {
      return step.at({"location", "zones"}) != nullptr;
    });
  }

  // A script makes nothing else for a class.
  const NodeCommand* policy_of_class() const {
    for (const Value& step : steps()) {
      const std::string_view name = step.text_at({"placement", "policyName"});
      const NodeCommand* policy = find_where(input_.commands, [&](const NodeCommand& each) {
        return each.name == create_policy && each.operand == name;
      });
      if (policy != nullptr) return policy;
    }
    return nullptr;
  }

  std::string model_of(const Value& step) const {
    if (step.find("flexStart") != nullptr) return model_with(catalog_, &catalog::Model::flex_start);
    if (step.text_at({"spot"}) == "true") return model_with(catalog_, &catalog::Model::spot);
    if (step.find("reservations") != nullptr)
      return model_with(catalog_, &catalog::Model::takes_reservation);
    return model_without_flags(catalog_);
  }

  // False: no class has the nodes made.
  bool by_class(Value& provisioning) const {
    for (const Value& step : steps()) {
      const std::string model = model_of(step);
      if (provisioning.find("model") == nullptr) {
        set(provisioning, "model", model);
        provisioning["fallback"] = Value::sequence();
      } else {
        provisioning["fallback"].push(Value::string(model));
      }
      if (const Value* zones = step.at({"location", "zones"})) provisioning["zones"] = *zones;
      set(provisioning, "maxRunDuration",
          duration(std::string(step.text_at({"maxRunDurationSeconds"}))));
      const Value* reserved = step.at({"reservations", "specific"});
      if (reserved == nullptr || reserved->items.size() != 1) continue;
      const Value& one = reserved->items.front();
      if (!one.text_at({"name"}).empty())
        set(provisioning, "reservation",
            reservation_path(one.text_at({"name"}), one.text_at({"project"}),
                             one.text_at({"reservationBlock", "name"}),
                             one.text_at({"reservationBlock", "reservationSubBlock", "name"})));
    }
    if (const Value* made = class_of_pods()) flags_of_class(*made, provisioning);
    return provisioning.find("model") != nullptr;
  }

  void flags_of_class(const Value& made, Value& provisioning) const {
    constexpr std::string_view of_steps = "priorities.";
    for (const catalog::PoolFlag& row : catalog_.pool_flags) {
      const std::string_view path = row.compute_class;
      if (path.empty()) continue;
      const Value* value = path.starts_with(of_steps)
                               ? find(steps().front(), path_of(path.substr(of_steps.size())))
                               : find(made, path_of(path));
      if (value != nullptr) pass(provisioning, row, value->text);
    }
  }

  // Writes the field of the spec for the value of a flag of its.
  static void pass(Value& provisioning, const catalog::PoolFlag& row, const std::string& text) {
    const schema::Field* field = schema::TableOf<spec::Provisioning>::table.find(row.field);
    if (field == nullptr) return;
    if (field->type->category == schema::Category::flag) {
      provisioning[row.field] = Value::boolean(true);
    } else if (const auto number = text::whole_number(text);
               number && field->type->category == schema::Category::integer) {
      provisioning[row.field] = Value::number(*number);
    } else {
      set(provisioning, row.field, row.gigabytes ? disk_size(text) : text);
    }
  }

  void provisioning() {
    Value& provisioning = spec_["provisioning"];
    provisioning = Value::mapping();
    if (by_class(provisioning)) {
      // The cluster and a policy are all that is described beside a class.
      const NodeCommand* cluster = chosen_.creates_cluster ? first(chosen_.clusters) : nullptr;
      const NodeCommand* described = cluster == nullptr ? policy_of_class() : cluster;
      if (described != nullptr) owner(*described, provisioning);
      return;
    }
    set(provisioning, "model", model());
    if (chosen_.pools.empty() && !has_checks() && !selected_model() && !is_reserved() &&
        lifetime_of_request().empty() && only_model_.empty() && said_capacity() == nullptr)
      provisioning["model"].comment = "assumed: nothing says how the nodes are provisioned";
    const NodeCommand* pool = first(chosen_.pools);
    if (pool != nullptr) {
      // No flag says this model: one that is not known may say another.
      const bool is_open = !pool->unread.empty() &&
                           pool->unread.front().text != extract::by_module &&
                           (pool->launch == nullptr || !pool->launch->says_capacity);
      if (is_open && provisioning.text_at({"model"}) == model_without_flags(catalog_))
        provisioning["model"].comment =
            fmt::format("TODO: `{}` may say another", pool->unread.front().text);
      created(*pool, provisioning);
    } else if (!autopilot_) {
      existing(provisioning);
    }
    set(provisioning, "reservation", reservation());
    set(provisioning, "poolTopology", pool_topology_);
    lifetime(pool, provisioning);
    const auto queue = workload_.queue();
    if (const FoundObject* own = own_cluster_queue(workload_, input_)) {
      set(provisioning, "queue", queue);
      // One that admits nothing is no field of a spec.
      if (const auto chips = quota_in(own->value); chips >= own_chips())
        provisioning["quota"] = Value::number(*chips);
    } else if (workload_.is_of_own_queue()) {
      set(provisioning, "queue", queue);
    } else if (!queue.empty() && !workload_.requests_topology()) {
      provisioning["queue"]["name"] = Value::string(queue);
      provisioning["queue"]["topology"] = Value::string("none");
    }
    if (provisioning.find("queue") != nullptr) priority(provisioning);
    // Compile asks for a topology where the several nodes of a slice are there before the pods.
    if (workload_.is_of_own_queue() && !workload_.requests_topology() && !single_host_ &&
        !workload_.is_apart_by_webhook() && provisioning.find("queue") != nullptr &&
        provisioning.find("autoscale") == nullptr)
      provisioning["autoscale"] = Value::boolean(true);
    const auto* row = catalog::find_model(catalog_, provisioning.text_at({"model"}));
    if (!queue.empty() && row != nullptr && row->needs_queue)
      require(provisioning, "queue", "$QUEUE",
              fmt::format("LocalQueue `{}` and its ClusterQueue", queue), todo_);
  }

  // With the value of a class that the input makes for a queue of its own.
  void priority(Value& provisioning) const {
    const auto name =
        spec::job_of(*workload_.object).text_at({"metadata", "labels", resolve::priority_label});
    const FoundObject* made = find_where(input_.objects, [&](const FoundObject& each) {
      return each.kind == "WorkloadPriorityClass" && each.name == name;
    });
    const Value* value = made == nullptr ? nullptr : made->value.find("value");
    if (value == nullptr || provisioning["queue"].is_mapping())
      return set(provisioning, "priority", name);
    provisioning["priority"]["name"] = Value::string(name);
    provisioning["priority"]["value"] = *value;
  }

  static void owner(const NodeCommand& command, Value& provisioning) {
    if (command.block.type.empty()) return;
    const auto of_connector = command.block.type == connector_pool;
    provisioning["owner"] =
        Value::string(word(of_connector ? spec::Owner::config_connector : spec::Owner::terraform));
  }

  void created(const NodeCommand& pool, Value& provisioning) {
    if (const auto zones = pool.value("--node-locations"); !zones.empty()) {
      provisioning["zones"] = Value::sequence();
      for (std::string_view zone : text::split(zones, ','))
        provisioning["zones"].push(Value::string(zone));
    } else if (const auto* location = spec_.at({"cluster", "location"});
               location == nullptr || !schema::matches(schema::Pattern::zone, location->text)) {
      provisioning["zones"] = Value::sequence();
      provisioning["zones"].push(missing("$ZONE", "zone of the pool", todo_));
    }
    std::vector<std::string> names;
    for (const std::size_t index : chosen_.pools) names.push_back(input_.commands[index].operand);
    if (names.size() > 1) {
      set(provisioning, "nodePool", base_of(names));
    } else {
      set(provisioning, "nodePool", names.front());
    }
    owner(pool, provisioning);
    autoscale(pool, provisioning);
    if (single_host_) count(pool, provisioning);
    for (const catalog::PoolFlag& row : catalog_.pool_flags) {
      if (pool.has(row.flag)) pass(provisioning, row, pool.value(row.flag));
    }
  }

  // A multi-host pool whose minimum is its maximum keeps its nodes.
  void autoscale(const NodeCommand& pool, Value& provisioning) {
    const catalog::Model* row = catalog::find_model(catalog_, model());
    if (row == nullptr || row->nodes == catalog::FirstNodes::none ||
        !pool.has("--enable-autoscaling"))
      return;
    const std::string least =
        first_of({pool.value("--min-nodes"), pool.value("--total-min-nodes")});
    const std::int64_t kept = text::whole_number(least).value_or(0);
    if (!single_host_ && kept > 0) return;
    provisioning["autoscale"] = Value::boolean(true);
    if (single_host_ && kept > 0) provisioning["minNodes"] = Value::number(kept);
  }

  // A pool that nothing scales has as many nodes as slices, and not the most that a pool that was
  // scaled could have: all are billed.
  void count(const NodeCommand& pool, Value& provisioning) {
    // A launcher makes a pool for each slice, and nobody says the number.
    if (pool.launch != nullptr) return;
    const catalog::Model* row = catalog::find_model(catalog_, model());
    const bool scaled = (row != nullptr && row->nodes == catalog::FirstNodes::none) ||
                        provisioning.find("autoscale") != nullptr;
    for (std::string_view flag : {"--max-nodes", "--total-max-nodes", "--num-nodes"}) {
      const auto number = text::whole_number(pool.value(flag));
      if (!number || *number < 1 || (!scaled && pool.has("--enable-autoscaling"))) continue;
      // The flag counts the nodes of all zones together.
      const Value* zones = provisioning.find("zones");
      const auto parts =
          flag.starts_with("--total-") && zones != nullptr ? std::ssize(zones->items) : 1;
      provisioning["maxNodes"] = Value::number((*number + parts - 1) / parts);
      return;
    }
  }

  void existing(Value& provisioning) {
    provisioning["create"] = Value::boolean(false);
    // Nothing can be in a cluster that the spec only creates, so it has to be there before.
    spec_["cluster"].erase("create");
    std::vector<std::string> names = workload_.node_pools();
    if (!pool_topology_.empty() && names.empty()) {
      for (const std::size_t index : chosen_.checks) {
        const NodeCommand& check = input_.commands[index];
        if (check.name == describe_pool) names.push_back(check.operand);
      }
    }
    if (names.size() == 1) {
      provisioning["nodePool"] = Value::string(names.front());
    } else if (!names.empty()) {
      provisioning["nodePool"] = Value::strings(names);
    }
    if (const auto zone = check_of("locations"); !zone.empty())
      provisioning["zones"] = Value::strings({zone});
    if (!single_host_ || !pool_topology_.empty()) return;
    for (std::string_view field : {"autoscaling.maxNodeCount", "initialNodeCount"}) {
      const auto number = text::whole_number(check_of(field));
      if (number && provisioning.find("maxNodes") == nullptr)
        provisioning["maxNodes"] = Value::number(*number);
    }
  }

  void lifetime(const NodeCommand* pool, Value& provisioning) const {
    const std::string text = first_of(
        {pool == nullptr ? check_of("config.maxRunDuration") : pool->value("--max-run-duration"),
         workload_.node_label(lifetime_label), std::string(lifetime_of_request())});
    if (!text.empty()) set(provisioning, "maxRunDuration", duration(text));
  }

  const FoundWorkload& workload_;
  const NodeCommands& chosen_;
  const Material& input_;
  const Catalog& catalog_;
  Value& spec_;
  std::vector<std::string>& todo_;
  std::string pool_topology_;  // empty: the slices'
  std::string only_model_;     // empty: slices are node pools of any
  bool autopilot_ = false, single_host_ = false;
};

}  // namespace

std::optional<std::int64_t> seconds_in(std::string_view text) {
  const auto seconds = schema::duration_seconds(text);
  return seconds ? seconds : text::whole_number(text);
}

void add_nodes(const FoundWorkload& workload, const NodeCommands& commands, const Material& input,
               const Catalog& catalog, Value& spec, std::vector<std::string>& todo) {
  NodesWriter(workload, commands, input, catalog, spec, todo).write();
}

}  // namespace flexslice::imports
