#include "import/patches.hpp"

#include <algorithm>

#include "base/lists.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

// Members that carry what the plan derives, wherever they are in an object: a patch that changes
// one is refused.
constexpr std::string_view derived[] = {
    "apiVersion", "kind",      "completions",  "parallelism", "completionMode",
    "replicas",   "subdomain", "minReplicas",  "maxReplicas", "google.com/tpu",
    "clusterIP",  "job-name",  "nodeSelector", "selector",
};

// Lists whose items are parts of the compiler's: their names are derived too.
constexpr std::string_view named_by_compiler[] = {"replicatedJobs", "workerGroupSpecs"};

void apply(const Difference& difference, Value& object) {
  Value* at = &object;
  for (const PathStep& step : difference.path) {
    if (!step.key.empty()) {
      at = &(*at)[step.key];
    } else if (step.compiled >= 0) {
      at = &at->items[static_cast<std::size_t>(step.compiled)];
    } else {
      at = &at->push(Value());
    }
  }
  *at = difference.input;
}

// The patch from one value to another that lacks nothing of it.
Value merge_between(const Value& before, const Value& after) {
  if (!before.is_mapping() || !after.is_mapping()) return after;
  Value merge = Value::mapping();
  for (const auto& [key, value] : after.members) {
    const Value* old = before.find(key);
    if (old == nullptr) {
      merge[key] = value;
    } else if (!(*old == value)) {
      merge[key] = merge_between(*old, value);
    }
  }
  return merge;
}

struct ContainerPatch {
  std::string name;
  Value merge;
  int count = 1;  // containers of that name, which a patch would all change
  bool same = true;
};

// Collects what differs in containers, and takes it over into `before`.
void collect(Value& before, const Value& after, std::vector<ContainerPatch>& patches) {
  for (std::size_t i = 0; i < before.items.size() && i < after.items.size(); ++i)
    collect(before.items[i], after.items[i], patches);
  for (auto& [key, value] : before.members) {
    const Value* other = after.find(key);
    if (other == nullptr) continue;
    if (key != "containers" && key != "initContainers") {
      collect(value, *other, patches);
      continue;
    }
    for (std::size_t i = 0; i < value.items.size() && i < other->items.size(); ++i) {
      Value& container = value.items[i];
      Value merge = merge_between(container, other->items[i]);
      const std::string name(container.text_at({"name"}));
      const auto known = std::ranges::find(patches, name, &ContainerPatch::name);
      if (known == patches.end()) {
        patches.push_back({name, std::move(merge)});
      } else {
        ++known->count;
        known->same &= known->merge == merge;
      }
      container = other->items[i];
    }
  }
}

bool has_containers(const Value& value) {
  return value.find("containers") != nullptr || any_of(value.items, has_containers) ||
         any_of(value.members, [](const auto& member) { return has_containers(member.value); });
}

Value patch(const Value& object, std::string_view container, bool several, Value merge) {
  Value entry = Value::mapping();
  entry["target"]["kind"] = Value::string(object.text_at({"kind"}));
  if (several) entry["target"]["name"] = Value::string(object.text_at({"metadata", "name"}));
  if (!container.empty()) entry["target"]["container"] = Value::string(container);
  entry["merge"] = std::move(merge);
  return entry;
}

}  // namespace

bool can_be_patched(const Difference& difference) {
  if (difference.is_added()) return false;
  const auto& path = difference.path;
  // A label that is there finds the pods.
  if (path.size() > 1 && path[path.size() - 2].key == "labels" && !difference.is_lost())
    return false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (contains(derived, path[i].key) && !difference.is_lost()) return false;
    if (contains(named_by_compiler, path[i].key) && i + 3 == path.size() &&
        (path[i + 2].key == "name" || path[i + 2].key == "groupName"))
      return false;
    // Another job or group would need nodes that no spec describes.
    if (contains(named_by_compiler, path[i].key) && i + 2 == path.size()) return false;
  }
  const bool identity = path.size() == 2 && path[0].key == "metadata" &&
                        (path[1].key == "name" || path[1].key == "namespace");
  return !identity && !path.empty() && path.front().key != "apiVersion";
}

std::vector<Value> patches_for(const Value& compiled, const std::vector<Difference>& differences,
                               bool several) {
  Value after = compiled;
  for (const Difference& difference : differences) apply(difference, after);
  Value before = compiled;
  std::vector<ContainerPatch> containers;
  collect(before, after, containers);
  const bool good = std::ranges::all_of(
      containers, [](const ContainerPatch& each) { return each.count == 1 || each.same; });
  Value whole = merge_between(before, after);
  std::vector<Value> patches;
  // A list that holds pod templates is replaced with all that is in it.
  if (!good || has_containers(whole)) {
    patches.push_back(patch(compiled, {}, several, merge_between(compiled, after)));
    return patches;
  }
  for (ContainerPatch& each : containers) {
    if (!each.merge.is_empty())
      patches.push_back(patch(compiled, each.name, several, std::move(each.merge)));
  }
  if (!whole.is_empty()) patches.push_back(patch(compiled, {}, several, std::move(whole)));
  return patches;
}

}  // namespace flexslice::imports
