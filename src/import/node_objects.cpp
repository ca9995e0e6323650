#include "import/node_objects.hpp"

#include <algorithm>

#include "base/lists.hpp"
#include "catalog/topology.hpp"
#include "import/match.hpp"
#include "resolve/labels.hpp"
#include "spec/derived_keys.hpp"
#include "spec/kinds.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

constexpr std::string_view configuration_kind = "CheckpointConfiguration";

// The only mount of the volume of checkpoints in the container with chips, or null.
const Value* checkpoint_mount(const FoundWorkload& workload) {
  const Value* volumes =
      workload.pod_spec() == nullptr ? nullptr : workload.pod_spec()->find("volumes");
  const Value* mounts =
      workload.main() == nullptr ? nullptr : workload.main()->find("volumeMounts");
  if (volumes == nullptr || mounts == nullptr) return nullptr;
  const Value* volume = find_where(volumes->items, spec::keeps_checkpoints<Value>);
  if (volume == nullptr) return nullptr;
  const auto is_its = [&](const Value& mount) {
    return mount.text_at({"name"}) == volume->text_at({"name"});
  };
  const Value* mount = find_where(mounts->items, is_its);
  const bool is_plain = mount != nullptr && mount->find("mountPath") != nullptr &&
                        mount->members.size() == 2 &&
                        std::ranges::count_if(mounts->items, is_its) == 1;
  return is_plain ? mount : nullptr;
}

// The pod template that a buffer takes its units from, or null.
const Value* unit_of(const Value& buffer, const std::vector<FoundObject>& objects) {
  const FoundObject* unit = find_where(objects, [&](const FoundObject& each) {
    return each.kind == "PodTemplate" && is_same_namespace(each.value, buffer) &&
           each.name == buffer.text_at({"spec", "podTemplateRef", "name"});
  });
  return unit == nullptr ? nullptr : unit->value.at({"template"});
}

// Units that select what the pods select, on a slice of one host.
bool has_units_of(const FoundWorkload& workload, const Value& buffer,
                  const std::vector<FoundObject>& objects) {
  if (buffer.text_at({"kind"}) != "CapacityBuffer") return false;
  const Value* unit = unit_of(buffer, objects);
  const Value* selector = unit == nullptr ? nullptr : unit->at({"spec", "nodeSelector"});
  const auto shape = catalog::parse_topology(workload.topology());
  if (selector == nullptr || !shape || shape->chips() != workload.chips()) return false;
  return std::ranges::all_of(
      std::initializer_list<std::string_view>{resolve::accelerator_label, resolve::topology_label},
      [&](std::string_view label) {
        const Value* value = selector->find(label);
        return value != nullptr && value->text == workload.node_label(label);
      });
}

}  // namespace

bool is_for_nodes_of(const FoundWorkload& workload, const FoundObject& object,
                     const std::vector<FoundObject>& objects) {
  if (object.kind == configuration_kind) return checkpoint_mount(workload) != nullptr;
  if (object.kind != "PodTemplate") return has_units_of(workload, object.value, objects);
  return any_of(objects, [&](const FoundObject& each) {
    return unit_of(each.value, objects) == object.value.at({"template"}) &&
           has_units_of(workload, each.value, objects);
  });
}

void add_checkpoints(const FoundWorkload& workload, const std::vector<FoundObject>& objects,
                     Value& fields) {
  const Value* mount = workload.word == "jobset" ? checkpoint_mount(workload) : nullptr;
  if (mount == nullptr) return;
  Value& checkpoints = fields["checkpoints"] = Value::mapping();
  const auto is_one = [](const FoundObject& each) { return each.kind == configuration_kind; };
  if (std::ranges::count_if(objects, is_one) == 1) {
    const Value& said = find_where(objects, is_one)->value;
    const std::string_view bucket = said.text_at({"spec", "cloudStorageBucketName"}),
                           memory = said.text_at({"spec", "inMemoryVolumeSize"});
    if (!bucket.empty() && !memory.empty()) {
      checkpoints["bucket"] = Value::string(bucket);
      checkpoints["memory"] = Value::string(memory);
    }
  }
  checkpoints["mountPath"] = *mount->find("mountPath");
}

void add_warm(const FoundWorkload& workload, const std::vector<FoundObject>& objects, Value& spec) {
  const FoundObject* buffer = find_where(objects, [&](const FoundObject& each) {
    return has_units_of(workload, each.value, objects);
  });
  const Value* count = buffer == nullptr ? nullptr : buffer->value.at({"spec", "replicas"});
  if (count == nullptr) return;
  Value& provisioning = spec["provisioning"];
  provisioning["warm"] = *count;
  // A pool keeps nodes without pods only where GKE scales it, which it does to its own in any case.
  if (provisioning.find("fallback") == nullptr && spec.text_at({"cluster", "mode"}) != "autopilot")
    provisioning["autoscale"] = Value::boolean(true);
}

}  // namespace flexslice::imports
