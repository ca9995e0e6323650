#include "import/fields.hpp"

#include <algorithm>

#include "base/lists.hpp"
#include "base/text.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

constexpr std::string_view derivable_fields[] = {
    "workload.kind",
    "tpu.machineType",
    "provisioning.nodePool",
    "provisioning.maxNodes",
    "provisioning.maxRunDuration",
    "workload.backoffLimit",
    "workload.restartPolicy",
    "workload.podFailurePolicy",
    "workload.maxRestarts",
    "workload.ray.head.cpu",
    "workload.ray.head.memory",
    "workload.leader.image",
    "workload.leader.command",
    "workload.leader.args",
    "workload.leader.script",
    "workload.leader.ports",
    "workload.leader.resources",
    "workload.leader.startupProbe",
    "workload.leader.readinessProbe",
    "workload.leader.livenessProbe",
    "provisioning.zones",
};
// What holds some of them comes after them.
constexpr std::string_view derivable_lists[] = {"workload.ports", "workload.leader.ports"};
constexpr std::string_view derivable_records[] = {"workload.leader", "workload.ray.head"};

// What is derived for one host is not what is derived for several.
constexpr std::string_view fields_of_shape[] = {
    "workload.kind", "workload.backoffLimit", "workload.restartPolicy", "workload.podFailurePolicy",
    "workload.maxRestarts"};

constexpr std::string_view lists[] = {
    "env",      "volumes", "tolerations",    "ports",   "nodeSelector",
    "sidecars", "leader",  "initContainers", "envFrom", "imagePullSecrets"};
// Whose items say nothing of each other, so that one can be left out.
constexpr std::string_view lists_of_equals[] = {"volumes",          "volumeMounts", "env",
                                                "tolerations",      "envFrom",      "ports",
                                                "imagePullSecrets", "hostAliases"};
constexpr std::string_view removable_provisioning[] = {"maxNodes", "queue", "nodePool", "diskSize"};
constexpr std::string_view needed_workload[] = {"image", "ray", "kind"};

// Up to the item of such a list, or empty.
Path up_to_item(const Path& path) {
  for (std::size_t i = 2; i < path.size(); ++i) {
    if (text::is_index(path[i]) && contains(lists_of_equals, path[i - 1]))
      return Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  return {};
}

}  // namespace

bool depends_on_shape(const Path& path) {
  return path.front() == "tpu" || path.front() == "provisioning" ||
         any_of(fields_of_shape, [&](std::string_view field) { return path_of(field) == path; });
}

std::vector<Path> derivable(const Value& spec) {
  std::vector<Path> paths;
  const auto add = [&](std::string_view field) {
    if (Path path = path_of(field); find(spec, path) != nullptr) paths.push_back(std::move(path));
  };
  std::ranges::for_each(derivable_fields, add);
  for (std::string_view field : derivable_lists) {
    const Path path = path_of(field);
    const Value* list = find(spec, path);
    if (list == nullptr) continue;
    // From the end, so that what is removed moves no other.
    for (std::size_t i = list->items.size(); i-- > 0;) {
      // Derived ports have no names, and a probe may ask for this one by its name.
      if (list->items[i].find("name") != nullptr) continue;
      paths.push_back(path);
      paths.back().push_back(std::to_string(i));
    }
  }
  std::ranges::for_each(derivable_records, add);
  return paths;
}

Path removable(const Path& path) {
  if (path.size() < 2) return {};
  const std::string_view top = path[0], field = path[1];
  const auto first = [&](std::size_t count) {
    return Path(path.begin(), path.begin() + std::min(std::ptrdiff_t(count), std::ssize(path)));
  };
  if (top == "labels" || top == "annotations") return first(2);
  if (top == "patches" || top == "workload") {
    if (Path item = up_to_item(path); !item.empty()) return item;
  }
  if (top == "patches") {
    // Of other lists, one that lacks something is another list.
    const auto list = std::find_if(path.begin() + 2, path.end(), text::is_index);
    return path.size() > 3 && path[2] == "merge" ? Path(path.begin(), list) : first(2);
  }
  if (top == "provisioning" && contains(removable_provisioning, field)) return first(2);
  if (top == "tpu" && field == "machineType") return first(2);
  if (top != "workload" || contains(needed_workload, field)) return {};
  return first(contains(lists, field) ? 3 : 2);
}

}  // namespace flexslice::imports
