#include "import/xpk.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "import/nodes.hpp"
#include "import/placeholders.hpp"
#include "import/todo.hpp"
#include "import/wording.hpp"
#include "resolve/facts.hpp"
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
    "--on-demand",   "--reservation",  "--namespace"};

// Flags whose values are those of fields.
struct FieldFlag {
  std::string_view flag;
  std::string_view field;
  enum class Form : std::uint8_t { text, list, seconds } form = Form::text;
};
constexpr FieldFlag field_flags[] = {
    {"--priority", "priorityClass"},
    {"--service-account", "serviceAccount"},
    {"--docker-image-pull-secret", "imagePullSecrets", FieldFlag::Form::list},
    {"--ttl-seconds-after-finished", "ttlAfterFinished", FieldFlag::Form::seconds},
    {"--termination-grace-period-seconds", "terminationGrace", FieldFlag::Form::seconds},
    {"-tgps", "terminationGrace", FieldFlag::Form::seconds}};

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

void set(Value& record, std::string_view key, const Flag* flag, std::string_view placeholder,
         std::string_view words, std::vector<std::string>& todo) {
  if (flag == nullptr || flag->by_shell.empty())
    return set(record, key, flag == nullptr ? "" : flag->value, placeholder, words, todo);
  require(record, key, flag->value,
          fmt::format("{} ({})", words, text_of(Value::string(flag->by_shell))), todo);
}

const Flag* either_flag(const Command& workload, std::string_view one, std::string_view other) {
  const Flag* found = workload.find(one);
  return found == nullptr ? workload.find(other) : found;
}

struct SliceShape {
  const catalog::Generation* generation = nullptr;
  std::optional<catalog::Topology> topology;
};

// `v6e-16` counts cores or chips, `v6e-4x4` is the shape.
SliceShape shape_of(const catalog::Catalog& catalog, const std::string& name) {
  const std::size_t dash = std::min(name.rfind('-'), name.size());
  if (const auto topology = catalog::parse_topology(name.substr(std::min(dash + 1, name.size()))))
    return {catalog::find_generation(catalog, name.substr(0, dash)), topology};
  const auto slice = catalog::find_core_name(catalog, name);
  if (!slice) return {};
  const std::int64_t chips = slice->count / slice->per_chip;
  std::vector<catalog::Topology> shapes = catalog::topologies(*slice->generation, chips);
  std::erase_if(shapes, [&](const catalog::Topology& shape) { return shape.chips() != chips; });
  return {slice->generation, shapes.size() == 1 ? std::optional(shapes.front()) : std::nullopt};
}

void add_shape(const Command& workload, const catalog::Catalog& catalog, Value& tpu,
               std::vector<std::string>& todo) {
  const std::string name = device_of(workload);
  const auto [generation, topology] = shape_of(catalog, slice_name(catalog, name));
  set(tpu, "type", generation ? std::string(std::string_view(generation->id)) : "", "$TPU_TYPE",
      "type of the TPUs", todo);
  set(tpu, "topology", topology ? topology->text() : "", "$TOPOLOGY",
      fmt::format("topology of a slice ({})", name.empty() ? "--tpu-type" : name), todo);
  if (generation == nullptr || !topology) return;
  const auto machines = catalog::machine_types_for(*generation, *topology);
  for (const catalog::MachineType* machine : machines) {
    if (machines.size() > 1 && machine->chips == chips_of_host)
      tpu["machineType"] = Value::string(machine->name);
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

void add_env(const Command& workload, Value& fields, std::vector<Flag>& lost) {
  for (const Flag& flag : workload.flags) {
    if (flag.name != "--env") continue;
    const std::size_t equals = flag.value.find('=');
    if (equals == std::string::npos) {  // the value that the caller's environment has
      lost.push_back(flag);
    } else {
      fields["env"][flag.value.substr(0, equals)] = Value::string(flag.value.substr(equals + 1));
    }
  }
}

// Of a number; nothing, and the flag is lost, where only the shell knows it.
std::optional<std::int64_t> number_of(const Command& workload, std::string_view name,
                                      std::vector<Flag>& lost) {
  const Flag* flag = workload.find(name);
  if (flag == nullptr) return {};
  const auto number = text::whole_number(flag->value);
  if (!number) lost.push_back(*flag);
  return number;
}

void add_fields(const Command& workload, Value& fields, std::vector<Flag>& lost) {
  for (const auto& [name, field, form] : field_flags) {
    const Flag* flag = workload.find(name);
    if (flag == nullptr) continue;
    if (form == FieldFlag::Form::seconds) {
      if (const auto seconds = number_of(workload, name, lost))
        fields[field] = Value::string(schema::duration_text(*seconds));
    } else if (flag->value.empty() || !flag->by_shell.empty()) {
      lost.push_back(*flag);
    } else {
      fields[field] = form == FieldFlag::Form::list ? Value::strings({flag->value})
                                                    : Value::string(flag->value);
    }
  }
}

void add_cluster(const Command& workload, Value& cluster, std::vector<std::string>& todo) {
  set(cluster, "name", workload.find("--cluster"), "$CLUSTER", "name of the cluster", todo);
  // Manifests need neither, and who applies them knows the cluster.
  if (const Flag* zone = workload.find("--zone")) {
    Flag region = *zone;
    if (region.by_shell.empty()) region.value = resolve::region_of(zone->value);
    set(cluster, "location", &region, "$LOCATION", "region or zone of the cluster", todo);
  }
  if (const Flag* project = workload.find("--project"))
    set(cluster, "project", project, "$PROJECT", "project of the cluster", todo);
}

void add_unfilled(const Command& workload, std::vector<extract::Unfilled>& unfilled) {
  for (const Flag& flag : workload.flags) {
    for (const extract::Unfilled& part : flag.unfilled) {
      if (!any_of(unfilled, [&](const auto& each) { return each.text == part.text; }))
        unfilled.push_back(part);
    }
  }
}

}  // namespace

std::string device_of(const Command& workload) {
  const Flag* flag = either_flag(workload, "--tpu-type", "--device-type");
  return flag == nullptr ? "" : flag->value;
}

bool uses_tpus(const Command& workload) {
  const std::string name = device_of(workload);
  if (name.empty() || Placeholders::is_in(name)) return true;
  return name.starts_with("tpu") || (name.size() > 1 && name[0] == 'v' && ascii::is_digit(name[1]));
}

XpkSpec spec_of_xpk(const Command& workload, const Material& input,
                    const catalog::Catalog& catalog) {
  XpkSpec result;
  Value& spec = result.spec;
  const std::string name = workload.value("--cluster"), zone = workload.value("--zone");
  const auto* cluster = find_where(input.commands, [&](const Command& command) {
    return command.name == xpk_cluster && command.value("--cluster") == name;
  });
  spec["apiVersion"] = Value::string("flexslice/v1");
  set(spec, "name", workload.find("--workload"), "$NAME", "name of the workload", result.todo);
  if (const auto name_space = workload.value("--namespace"); !name_space.empty())
    spec["namespace"] = Value::string(name_space);
  add_cluster(workload, spec["cluster"], result.todo);
  add_shape(workload, catalog, spec["tpu"], result.todo);
  const std::int64_t slices = number_of(workload, "--num-slices", result.lost).value_or(1);
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
  set(fields, "image", either_flag(workload, "--docker-image", "--base-docker-image"), "$IMAGE",
      "image of the container", result.todo);
  if (const auto command = workload.value("--command"); !command.empty())
    fields["script"] = Value::string(command);
  add_env(workload, fields, result.lost);
  if (const auto restarts = number_of(workload, "--max-restarts", result.lost))
    fields["maxRestarts"] = Value::number(*restarts);
  add_fields(workload, fields, result.lost);
  std::ranges::copy_if(workload.flags, std::back_inserter(result.lost), [](const Flag& flag) {
    return !contains(known_flags, flag.name) &&
           !any_of(field_flags, [&](const auto& each) { return each.flag == flag.name; });
  });
  add_unfilled(workload, result.unfilled);
  return result;
}

}  // namespace flexslice::imports
