#include "import/xpk.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "import/nodes.hpp"
#include "import/path.hpp"
#include "import/placeholders.hpp"
#include "import/todo.hpp"
#include "import/wording.hpp"
#include "resolve/facts.hpp"
#include "schema/pattern.hpp"
#include "view/read_commands.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

// Of the pods' machines: xpk makes slices of hosts with four chips where there is a choice.
constexpr std::int64_t chips_of_host = 4;

// A flag, and the field of the spec that gets its value; an empty field: other code reads the flag.
// Where a flag with a placeholder is missing, the spec has the placeholder and asks for its value.
// One that is `only_if_given` may be missing: manifests need no cluster, and who applies them knows
// it.
struct FlagRow {
  enum class Form : std::uint8_t { text, list, number, seconds };

  std::string_view flag, field = {};
  Form form = Form::text;
  std::string_view placeholder = {}, words = {};
  bool only_if_given = false;
};
using enum FlagRow::Form;
constexpr FlagRow rows[] = {
    {"--workload", "name", text, "$NAME", "name of the workload"},
    {"--namespace", "namespace"},
    {"--cluster", "cluster.name", text, "$CLUSTER", "name of the cluster"},
    {"--zone", "cluster.location", text, "$LOCATION", "region or zone of the cluster", true},
    {"--project", "cluster.project", text, "$PROJECT", "project of the cluster", true},
    {"--reservation", "provisioning.reservation"},
    {"--base-docker-image", "workload.image"},
    {"--docker-image", "workload.image", text, "$IMAGE", "image of the container"},
    {"--command", "workload.script"},
    {"--max-restarts", "workload.maxRestarts", number},
    {"--num-slices", "tpu.slices", number},
    {"--priority", "workload.priorityClass"},
    {"--service-account", "workload.serviceAccount"},
    {"--docker-image-pull-secret", "workload.imagePullSecrets", list},
    {"--ttl-seconds-after-finished", "workload.ttlAfterFinished", seconds},
    {"--termination-grace-period-seconds", "workload.terminationGrace", seconds},
    {"-tgps", "workload.terminationGrace", seconds},
    {"--tpu-type"},
    {"--device-type"},
    {"--env"},
    {"--spot"},
    {"--flex"},
    {"--on-demand"}};

// `v5litepod-16` is a name of the API; GKE's is `v5e-16`.
std::string slice_name(const catalog::Catalog& catalog, std::string text) {
  const std::size_t dash = std::min(text.rfind('-'), text.size());
  const catalog::Mistake* mistake = catalog::find_mistake(catalog, text.substr(0, dash));
  if (mistake != nullptr && mistake->certain)
    text.replace(0, dash, std::string_view(mistake->instead));
  return text;
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
  if (generation != nullptr) tpu["type"] = Value::string(generation->id);
  if (topology) tpu["topology"] = Value::string(topology->text());
  require(tpu, "type", "$TPU_TYPE", "type of the TPUs", todo);
  require(tpu, "topology", "$TOPOLOGY",
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
  for (const Command* command : {&workload, cluster}) {
    for (const auto& [flag, means] : view::model_flags) {
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

// Nothing where only the shell knows the value.
std::optional<Value> value_of(const Flag& flag, const FlagRow& row,
                              std::vector<std::string>& todo) {
  if (row.form == number || row.form == seconds) {
    const auto amount = text::whole_number(flag.value);
    if (!amount) return {};
    return row.form == number ? Value::number(*amount)
                              : Value::string(schema::duration_text(*amount));
  }
  if (flag.value.empty()) return {};
  if (!flag.by_shell.empty()) {
    if (row.words.empty()) return {};
    return missing(flag.value,
                   fmt::format("{} ({})", row.words, text_of(Value::string(flag.by_shell))), todo);
  }
  if (row.flag == "--zone") return Value::string(resolve::region_of(flag.value));
  return row.form == list ? Value::strings({flag.value}) : Value::string(flag.value);
}

void add_fields(const Command& workload, XpkSpec& result) {
  for (const FlagRow& row : rows) {
    if (row.field.empty()) continue;
    const Path path = path_of(row.field);
    Value& record = path.size() == 1 ? result.spec : result.spec[path.front()];
    const Flag* flag = workload.find(row.flag);
    if (flag != nullptr) {
      if (auto value = value_of(*flag, row, result.todo)) {
        record[path.back()] = *std::move(value);
      } else if (row.placeholder.empty()) {
        result.lost.push_back(*flag);
      }
    }
    if (!row.placeholder.empty() && (flag != nullptr || !row.only_if_given))
      require(record, path.back(), row.placeholder, row.words, result.todo);
  }
  for (const Flag& flag : workload.flags) {
    if (!any_of(rows, [&](const FlagRow& row) { return row.flag == flag.name; }))
      result.lost.push_back(flag);
  }
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
  const auto name = workload.value("--tpu-type");
  return name.empty() ? workload.value("--device-type") : name;
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
  spec["workload"]["kind"] = Value::string("jobset");
  add_fields(workload, result);
  add_shape(workload, catalog, spec["tpu"], result.todo);
  const Value* slices = spec.at({"tpu", "slices"});
  const auto count = slices == nullptr ? 1 : text::whole_number(slices->text).value_or(1);
  if (count <= 1 || count > 1000) spec["tpu"].erase("slices");
  Value& provisioning = spec["provisioning"];
  provisioning["model"] = Value::string(model_of(workload, cluster, catalog));
  provisioning["create"] = Value::boolean(false);
  if (schema::matches(schema::Pattern::zone, zone)) provisioning["zones"] = Value::strings({zone});
  if (cluster != nullptr && cluster->has("--reservation") &&
      provisioning.find("reservation") == nullptr)
    provisioning["reservation"] = Value::string(cluster->value("--reservation"));
  add_env(workload, spec["workload"], result.lost);
  add_unfilled(workload, result.unfilled);
  return result;
}

}  // namespace flexslice::imports
