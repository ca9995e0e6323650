#include "import/draft.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "import/defaults.hpp"
#include "import/nodes.hpp"
#include "import/placeholders.hpp"
#include "import/pods.hpp"
#include "import/todo.hpp"
#include "import/view.hpp"
#include "schema/pattern.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

// A name that a spec can have; the input may have capitals in it, for the reader's own.
std::string valid_name(std::string_view name) {
  if (Placeholders::is_in(name)) return std::string(name);
  std::string valid;
  for (const char c : text::lower(name))
    valid += ascii::is_lower(c) || ascii::is_digit(c) ? c : '-';
  while (valid.ends_with('-')) valid.pop_back();
  return valid;
}

std::string name_of(const Value& object) {
  std::string_view name = object.text_at({"metadata", "name"});
  if (name.empty()) name = object.text_at({"metadata", "generateName"});
  return valid_name(name);
}

// A RayJob's script is in a ConfigMap of its own.
void add_ray_script(const Workload& workload, const Material& input, Value& fields) {
  Value* command = fields.find("command");
  if (workload.word != "rayjob" || command == nullptr || command->items.size() < 2 ||
      command->items[0].text != "bash" || command->items[1].text != "/etc/flexslice/script.sh")
    return;
  const std::string name = name_of(*workload.object) + "-script";
  for (const FoundObject& object : input.objects) {
    if (object.kind != "ConfigMap" || object.name != name) continue;
    Value args = std::move(*command);
    args.items.erase(args.items.begin(), args.items.begin() + 2);
    fields.erase("command");
    fields["script"] = Value::string(object.value.text_at({"data", "script.sh"}));
    if (!args.items.empty()) fields["args"] = std::move(args);
    return;
  }
}

// The field of the port that the Service's port leads to, if it has no name yet.
Value* unnamed_port(const Value& service_port, Value& ports) {
  const Value* target = service_port.find("targetPort");
  if (target == nullptr) target = service_port.find("port");
  for (Value& port : ports.items) {
    if (target != nullptr && !port.is_mapping() && port.text == target->text) return &port;
  }
  return nullptr;
}

// A port may have its name in the Service alone.
void add_port_names(std::span<const std::size_t> services, const Material& input, Value& fields) {
  Value* ports = fields.find("ports");
  if (ports == nullptr) return;
  for (const std::size_t service : services) {
    const Value* of_service = input.objects[service].value.at({"spec", "ports"});
    if (of_service == nullptr) continue;
    for (const Value& each : of_service->items) {
      const std::string_view name = each.text_at({"name"});
      Value* port = unnamed_port(each, *ports);
      if (port == nullptr || !schema::matches(schema::Pattern::port_name, name) ||
          any_of(ports->items, [&](const Value& other) { return other.text_at({"name"}) == name; }))
        continue;
      Value named = Value::mapping();
      named["port"] = std::move(*port);
      named["name"] = Value::string(name);
      *port = std::move(named);
    }
  }
}

bool has_entry(const Value* map, std::string_view key, const Value& value) {
  const Value* other = map == nullptr ? nullptr : map->find(key);
  return other != nullptr && other->text == value.text;
}

// Entries of the object and of its pods are the spec's. Patches reach those of the object alone,
// and those of pods unless these are in a list.
void add_map(const Workload& workload, const Workload& compiled, std::string_view key,
             Value& spec) {
  const auto map_of = [&](const Value* holder) {
    return holder == nullptr ? nullptr : holder->at({"metadata", key});
  };
  const Value *own = map_of(workload.object), *pods = map_of(workload.pod);
  const Value *compiled_own = map_of(compiled.object), *compiled_pods = map_of(compiled.pod);
  const bool in_list = workload.word == "jobset" || workload.cluster != nullptr;
  const auto add = [&](const Value::Member& entry) {
    const Value* before = spec.find(key);
    if (before == nullptr || before->find(entry.key) == nullptr)
      spec[key][entry.key] = Value::string(entry.value.text);
  };
  if (pods == nullptr) return;
  for (const Value::Member& entry : pods->members) {
    if (compiled_pods != nullptr && compiled_pods->find(entry.key) != nullptr) continue;
    if (compiled_own != nullptr && compiled_own->find(entry.key) != nullptr) continue;
    const bool conflicts = own != nullptr && own->find(entry.key) != nullptr &&
                           !has_entry(own, entry.key, entry.value);
    if (has_entry(own, entry.key, entry.value) || (in_list && !conflicts)) add(entry);
  }
}

}  // namespace

Draft draft(const Workload& workload, const Parts& parts, const Material& input,
            const catalog::Catalog& catalog) {
  Draft result;
  Value& spec = result.spec;
  spec["apiVersion"] = Value::string("flexslice/v1");
  spec["name"] = Value::string(name_of(*workload.object));
  if (const auto name_space = workload.object->text_at({"metadata", "namespace"});
      !name_space.empty())
    spec["namespace"] = Value::string(name_space);
  add_nodes(workload, parts.commands, input, catalog, spec, result.todo);
  Value& fields = spec["workload"];
  add_pod(workload, fields);
  add_port_names(parts.services, input, fields);
  // Its rules name containers, which have the names of the spec.
  if (fields.find("podFailurePolicy") != nullptr) {
    const Value view = view_of(*workload.object, spec.find("name")->text).object;
    if (const auto renamed = workload_in(view); renamed && renamed->job != nullptr)
      fields["podFailurePolicy"] = *renamed->job->find("podFailurePolicy");
    drop_empty(fields["podFailurePolicy"]);
  }
  add_ray_script(workload, input, fields);
  if (Value* ray = fields.find("ray"))
    require(*ray, "version", "$RAY_VERSION", "version of Ray in the image", result.todo);
  require(fields, "image", "$IMAGE", "image of the container", result.todo);
  return result;
}

void add_missing(const Workload& workload, const Workload& compiled, Value& spec) {
  if (workload.pod != nullptr && compiled.pod != nullptr)
    add_unmatched(*workload.pod, *compiled.pod, spec["workload"]);
  add_map(workload, compiled, "labels", spec);
  add_map(workload, compiled, "annotations", spec);
}

}  // namespace flexslice::imports
