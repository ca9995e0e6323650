#include "import/xpk.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "facts/facts.hpp"
#include "import/nodes.hpp"
#include "import/todo.hpp"
#include "schema/pattern.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

// Of the pods' machines: xpk makes slices of hosts with four chips where there is a choice.
constexpr std::int64_t chips_of_host = 4;

constexpr std::string_view known_flags[] = {
    "--workload",    "--cluster",      "--project",  "--zone",         "--tpu-type",
    "--device-type", "--num-slices",   "--command",  "--docker-image", "--base-docker-image",
    "--env",         "--max-restarts", "--priority", "--spot",         "--flex",
    "--on-demand",   "--reservation"};

// `v5litepod-16` is a name of the API; GKE's is `v5e-16`.
std::string slice_name(const catalog::Catalog& catalog, std::string text) {
  const std::size_t dash = std::min(text.rfind('-'), text.size());
  const catalog::Mistake* mistake = catalog::find_mistake(catalog, text.substr(0, dash));
  if (mistake != nullptr && mistake->certain)
    text.replace(0, dash, std::string_view(mistake->instead));
  return text;
}

// The value, if it is one, or a placeholder.
void set(Value& record, std::string_view key, const std::string& value,
         std::string_view placeholder, std::string_view words, std::vector<std::string>& todo) {
  if (!value.empty()) record[key] = Value::string(value);
  require(record, key, placeholder, words, todo);
}

void add_shape(const Command& workload, const catalog::Catalog& catalog, Value& tpu,
               std::vector<std::string>& todo) {
  std::string name = workload.value("--tpu-type");
  if (name.empty()) name = workload.value("--device-type");
  const auto slice = catalog::find_core_name(catalog, slice_name(catalog, name));
  set(tpu, "type", slice ? std::string(std::string_view(slice->generation->id)) : "", "$TPU_TYPE",
      "type of the TPUs", todo);
  std::vector<catalog::Topology> shapes;
  if (slice) shapes = catalog::topologies(*slice->generation, slice->count / slice->per_chip);
  std::erase_if(shapes, [&](const catalog::Topology& shape) {
    return shape.chips() != slice->count / slice->per_chip;
  });
  set(tpu, "topology", shapes.size() == 1 ? shapes.front().text() : "", "$TOPOLOGY",
      fmt::format("topology of a slice ({})", name.empty() ? "--tpu-type" : name), todo);
  if (shapes.size() == 1) {
    const auto machines = catalog::machine_types_for(*slice->generation, shapes.front());
    for (const catalog::MachineType* machine : machines) {
      if (machines.size() > 1 && machine->chips == chips_of_host)
        tpu["machineType"] = Value::string(machine->name);
    }
  }
}

// Of the workload, for which xpk may create nodes, or of the cluster.
std::string model_of(const Command& workload, const Command* cluster,
                     const catalog::Catalog& catalog) {
  const struct {
    std::string_view flag;
    bool catalog::Model::*means;
  } meanings[] = {{"--spot", &catalog::Model::spot},
                  {"--flex", &catalog::Model::flex_start},
                  {"--reservation", &catalog::Model::takes_reservation}};
  for (const Command* command : {&workload, cluster}) {
    for (const auto& [flag, means] : meanings) {
      if (command != nullptr && command->has(flag)) return model_with(catalog, means);
    }
  }
  return model_without_flags(catalog);
}

void add_env(const Command& workload, Value& fields) {
  for (const Flag& flag : workload.flags) {
    const std::size_t equals = flag.value.find('=');
    if (flag.name == "--env" && equals != std::string::npos)
      fields["env"][flag.value.substr(0, equals)] = Value::string(flag.value.substr(equals + 1));
  }
}

}  // namespace

XpkSpec spec_of_xpk(const Command& workload, const Material& input,
                    const catalog::Catalog& catalog) {
  XpkSpec result;
  Value& spec = result.spec;
  const std::string name = workload.value("--cluster"), zone = workload.value("--zone");
  const auto* cluster = find_where(input.commands, [&](const Command& command) {
    return command.name == xpk_cluster && command.value("--cluster") == name;
  });
  spec["apiVersion"] = Value::string("flexslice/v1");
  set(spec, "name", workload.value("--workload"), "$NAME", "name of the workload", result.todo);
  set(spec["cluster"], "name", name, "$CLUSTER", "name of the cluster", result.todo);
  // Manifests need none, and who applies them knows the cluster.
  if (!zone.empty()) spec["cluster"]["location"] = Value::string(facts::region_of(zone));
  if (const auto project = workload.value("--project"); !project.empty())
    spec["cluster"]["project"] = Value::string(project);
  add_shape(workload, catalog, spec["tpu"], result.todo);
  const std::int64_t slices = text::whole_number(workload.value("--num-slices")).value_or(1);
  if (slices > 1 && slices <= 1000) spec["tpu"]["slices"] = Value::number(slices);
  Value& provisioning = spec["provisioning"];
  provisioning["model"] = Value::string(model_of(workload, cluster, catalog));
  provisioning["create"] = Value::boolean(false);
  if (schema::matches(schema::Pattern::zone, zone)) provisioning["zones"] = Value::strings({zone});
  for (const Command* command : {&workload, cluster}) {
    if (command == nullptr || !command->has("--reservation")) continue;
    provisioning["reservation"] = Value::string(command->value("--reservation"));
    break;
  }
  Value& fields = spec["workload"];
  fields["kind"] = Value::string("jobset");
  std::string image = workload.value("--docker-image");
  if (image.empty()) image = workload.value("--base-docker-image");
  set(fields, "image", image, "$IMAGE", "image of the container", result.todo);
  if (const auto command = workload.value("--command"); !command.empty())
    fields["script"] = Value::string(command);
  add_env(workload, fields);
  if (const auto restarts = text::whole_number(workload.value("--max-restarts")))
    fields["maxRestarts"] = Value::number(*restarts);
  if (const auto priority = workload.value("--priority"); !priority.empty())
    fields["priorityClass"] = Value::string(priority);
  std::ranges::copy_if(workload.flags, std::back_inserter(result.lost),
                       [](const Flag& flag) { return !contains(known_flags, flag.name); });
  return result;
}

}  // namespace flexslice::imports
