#include "import/draft.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "import/autoscaler.hpp"
#include "import/claims.hpp"
#include "import/defaults.hpp"
#include "import/gateway.hpp"
#include "import/node_objects.hpp"
#include "import/nodes.hpp"
#include "import/placeholders.hpp"
#include "import/pods.hpp"
#include "import/todo.hpp"
#include "import/view.hpp"

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
void add_ray_script(const FoundWorkload& workload, const Material& input, Value& fields) {
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

const Value* target_of(const Value& service_port) {
  const Value* target = service_port.find("targetPort");
  return target == nullptr ? service_port.find("port") : target;
}

bool is_port(const Value& port, const Value& number) {
  return (port.is_mapping() ? port.text_at({"port"}) : std::string_view(port.text)) == number.text;
}

bool has_port(const Value* ports, const Value& number) {
  return ports != nullptr &&
         any_of(ports->items, [&](const Value& port) { return is_port(port, number); });
}

// Clients may reach ports that no container names: they belong to the pods where those serve.
bool names_ports_alone(const FoundWorkload& workload, const Value& service, const Value& fields) {
  const bool serves = workload.word == "deployment" ||
                      (workload.word == "leaderworkerset" && fields.find("leader") == nullptr);
  return serves && fields.find("ports") == nullptr &&
         service.text_at({"spec", "clusterIP"}) != "None";
}

// A port may stand in the Service alone.
void add_ports_of(const FoundWorkload& workload, const Value& service, Value& fields) {
  const Value* of_service = service.at({"spec", "ports"});
  if (of_service == nullptr || !names_ports_alone(workload, service, fields)) return;
  for (const Value& each : of_service->items) {
    const Value* number = target_of(each);
    const std::string_view protocol = each.text_at({"protocol"});
    if (number == nullptr || (!protocol.empty() && protocol != "TCP")) continue;
    if (!number->is_string() && !has_port(fields.find("ports"), *number))
      fields["ports"].push(*number);
  }
}

bool has_entry(const Value* map, std::string_view key, const Value& value) {
  const Value* other = map == nullptr ? nullptr : map->find(key);
  return other != nullptr && other->text == value.text;
}

// Entries of the object and of its pods are the spec's. Patches reach those of the object alone,
// and those of pods unless these are in a list.
void add_map(const FoundWorkload& workload, const FoundWorkload& compiled, std::string_view key,
             Value& spec) {
  const auto map_of = [&](const Value* holder) {
    return holder == nullptr ? nullptr : holder->at({"metadata", key});
  };
  const Value *own = map_of(workload.object), *pods = map_of(workload.pod);
  const Value *compiled_own = map_of(compiled.object), *compiled_pods = map_of(compiled.pod);
  const bool in_list =
      spec::find_kind(workload.word)->object == "JobSet" || workload.cluster != nullptr;
  const auto add = [&](const Value::Member& entry, Value& to, std::string_view field) {
    const Value* before = to.find(field);
    if (before != nullptr && before->find(entry.key) != nullptr) return;
    const Value* of_object = own == nullptr ? nullptr : own->find(entry.key);
    Value& added = to[field][entry.key] = Value::string(entry.value.text);
    added.origin = of_object == nullptr ? entry.value.origin : of_object->origin;
    added.key_origin = entry.value.origin;
  };
  if (pods == nullptr) return;
  for (const Value::Member& entry : pods->members) {
    if (compiled_pods != nullptr && compiled_pods->find(entry.key) != nullptr) continue;
    if (compiled_own != nullptr && compiled_own->find(entry.key) != nullptr) continue;
    const bool conflicts = own != nullptr && own->find(entry.key) != nullptr &&
                           !has_entry(own, entry.key, entry.value);
    if (has_entry(own, entry.key, entry.value)) {
      add(entry, spec, key);
    } else if (key == "annotations") {
      add(entry, spec["workload"], "podAnnotations");
    } else if (in_list && !conflicts) {
      add(entry, spec, key);
    }
  }
}

bool may_lose_nodes(const Value& spec, const catalog::Catalog& catalog) {
  const auto is_reclaimed = [&](std::string_view name) {
    const catalog::Model* model = catalog::find_model(catalog, name);
    return model != nullptr && model->reclaims_nodes;
  };
  const Value* others = spec.at({"provisioning", "fallback"});
  return is_reclaimed(spec.text_at({"provisioning", "model"})) ||
         (others != nullptr &&
          any_of(others->items, [&](const Value& each) { return is_reclaimed(each.text); }));
}

bool fails_index(const Value& policy) {
  const Value* rules = policy.find("rules");
  return rules != nullptr && any_of(rules->items, [](const Value& rule) {
           return rule.text_at({"action"}) == "FailIndex";
         });
}

// Limits that count every failure, where compile would not count reclaimed nodes. Elsewhere they
// stay what the input calls them.
void say_retries(const FoundWorkload& workload, const catalog::Catalog& catalog, const Value& spec,
                 Value& fields) {
  const Value* job = workload.job;
  if (job == nullptr || job->find("podFailurePolicy") != nullptr ||
      fields.text_at({"restartPolicy"}) != "Never")
    return;
  const Value *limit = fields.find("backoffLimit"), *of_each = job->find("backoffLimitPerIndex"),
              *restarts = fields.find("maxRestarts"), *count = nullptr;
  const Value* rules = workload.object->at({"spec", "failurePolicy", "rules"});
  if (workload.word == "jobset") {
    const bool is_counted = rules == nullptr || rules->items.empty();
    if (limit != nullptr && limit->text == "0" && is_counted && may_lose_nodes(spec, catalog))
      count = restarts;
  } else if (workload.word == "job" && spec.at({"tpu", "slices"}) != nullptr) {
    if (limit == nullptr) count = of_each;
  } else if (workload.word == "job" && job->find("completions") == nullptr &&
             may_lose_nodes(spec, catalog)) {
    count = limit;
  }
  if (count == nullptr) return;
  // Copied first: a new member moves those that it points to.
  Value retries = *count;
  fields["retries"] = std::move(retries);
  for (const char* key : {"backoffLimit", "maxRestarts", "restartPolicy"}) fields.erase(key);
}

}  // namespace

Draft draft(const FoundWorkload& workload, const Parts& parts, const Material& input,
            const catalog::Catalog& catalog) {
  Draft result;
  Value& spec = result.spec;
  spec["apiVersion"] = Value::string("flexslice/v1");
  spec["name"] = Value::string(name_of(*workload.object));
  if (const auto name_space = workload.object->text_at({"metadata", "namespace"});
      !name_space.empty())
    spec["namespace"] = Value::string(name_space);
  FoundWorkload scaled = workload;
  count_scaled_slices(scaled, input.objects);
  add_nodes(scaled, parts.commands, input, catalog, spec, result.todo);
  Value& fields = spec["workload"];
  add_pod(workload, catalog, fields);
  // Stated where it is Kubernetes' own: compile would end the workload with its node.
  const Value* job = workload.job;
  if (job != nullptr && spec.at({"provisioning", "maxRunDuration"}) != nullptr &&
      fields.text_at({"restartPolicy"}) == "Never" && job->find("backoffLimit") == nullptr &&
      job->find("podFailurePolicy") == nullptr && job->find("completions") == nullptr)
    fields["backoffLimit"] = Value::number(6);
  say_retries(workload, catalog, spec, fields);
  add_claims(workload, input.objects, fields);
  add_checkpoints(workload, input.objects, fields);
  add_warm(workload, input.objects, spec);
  for (const std::size_t service : parts.services)
    add_ports_of(workload, input.objects[service].value, fields);
  if (const FoundObject* autoscaler = autoscaler_of(workload, input.objects)) {
    const std::size_t monitoring = monitoring_of(workload, input.objects);
    fields["autoscaling"] = autoscaling_field(
        autoscaler->value,
        monitoring < input.objects.size() ? &input.objects[monitoring].value : nullptr, fields);
    if (Value* tpu = spec.find("tpu")) tpu->erase("slices");
  }
  if (const FoundObject* pool = pool_of(workload, input.objects)) {
    if (auto field = gateway_field(workload, pool->value, input.objects, spec.find("name")->text)) {
      require(*field, "model", "$MODEL", "name of the model in requests", result.todo);
      fields["gateway"] = std::move(*field);
    }
  }
  // Its rules name containers, which have the names of the spec.
  if (fields.find("podFailurePolicy") != nullptr) {
    const Value view = view_of(*workload.object, spec.find("name")->text).object;
    if (const auto renamed = workload_in(view); renamed && renamed->job != nullptr)
      fields["podFailurePolicy"] = *renamed->job->find("podFailurePolicy");
    drop_empty(fields["podFailurePolicy"]);
    // It needs a limit that is no field of a spec, so both are derived or a patch.
    if (fails_index(fields["podFailurePolicy"])) fields.erase("podFailurePolicy");
  }
  add_ray_script(workload, input, fields);
  if (Value* ray = fields.find("ray"))
    require(*ray, "version", "$RAY_VERSION", "version of Ray in the image", result.todo);
  // The default pool of a new cluster has room for the head.
  if (Value* pathways = fields.find("pathways");
      pathways != nullptr && spec.text_at({"cluster", "create"}) == "true")
    pathways->erase("headNodePool");
  if (Value* pathways = fields.find("pathways"))
    require(*pathways, "gcsLocation", "$GCS_LOCATION",
            "bucket or folder for temporary files of Pathways", result.todo);
  if (fields.at({"pathways", "headless"}) == nullptr)
    require(fields, "image", "$IMAGE", "image of the container", result.todo);
  return result;
}

void add_missing(const FoundWorkload& workload, const FoundWorkload& compiled, Value& spec) {
  if (workload.pod != nullptr && compiled.pod != nullptr)
    add_unmatched(*workload.pod, *compiled.pod, spec["workload"]);
  add_map(workload, compiled, "labels", spec);
  add_map(workload, compiled, "annotations", spec);
}

}  // namespace flexslice::imports
