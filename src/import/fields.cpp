#include "import/fields.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "resolve/facts.hpp"
#include "schema/decode.hpp"
#include "spec/spec_fields.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

// Not the lifetime of the nodes: others of these follow from it.
constexpr std::string_view derivable_fields[] = {
    "provisioning.nodePool",         "provisioning.autoscale",
    "provisioning.maxNodes",         "provisioning.quota",
    "workload.backoffLimit",         "workload.restartPolicy",
    "workload.podFailurePolicy",     "workload.maxRestarts",
    "workload.ray.head.cpu",         "workload.ray.head.memory",
    "workload.leader.image",         "workload.leader.command",
    "workload.leader.args",          "workload.leader.script",
    "workload.leader.ports",         "workload.leader.resources",
    "workload.leader.startupProbe",  "workload.leader.readinessProbe",
    "workload.leader.livenessProbe",
};
// Lists come before the records that hold some of them.
constexpr std::string_view derivable_lists[] = {"workload.ports", "workload.leader.ports"};
constexpr std::string_view records[] = {"workload.leader", "workload.ray.head"};

constexpr std::string_view lists[] = {
    "env",      "volumes",        "tolerations",    "ports",     "nodeSelector",
    "sidecars", "leader",         "initContainers", "envFrom",   "imagePullSecrets",
    "schedule", "podAnnotations", "gateway",        "resources", "pathways"};
// Whose items say nothing of each other, so that one can be left out.
constexpr std::string_view lists_of_equals[] = {"volumes",          "volumeMounts", "env",
                                                "tolerations",      "envFrom",      "ports",
                                                "imagePullSecrets", "hostAliases"};
constexpr std::string_view removable_provisioning[] = {"maxNodes", "queue",    "quota",
                                                       "nodePool", "priority", "diskSize"};
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

void leave_out_decided(Value& spec, const catalog::Catalog& catalog, Placeholders& names) {
  for (std::string_view field : {"workload.kind", "tpu.machineType", "provisioning.zones"}) {
    const Path path = path_of(field);
    if (find(spec, path) == nullptr) continue;
    Value without = spec;
    remove(without, path);
    const auto said = [&](Value each) -> std::string {
      names.fill_spec(each);
      diag::Sink ignored;
      const yaml::Node tree = yaml::to_node(each, 0);
      const auto claims = schema::decode<spec::Claims>(tree, ignored);
      const resolve::Facts facts = resolve::look_up(claims, catalog);
      if (path[1] == "kind") return facts.kind == nullptr ? "" : std::string(facts.kind->word);
      if (path[1] == "zones") return text::join(facts.zones, ",");
      return facts.machine == nullptr ? "" : std::string(std::string_view(facts.machine->name));
    };
    const std::string own = said(spec);
    if (!own.empty() && own == said(without)) spec = std::move(without);
  }
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
  if (const Value* volumes = find(spec, path_of("workload.volumes"))) {
    for (std::size_t i = 0; i < volumes->items.size(); ++i)
      add(fmt::format("workload.volumes.{}.pvc.class", i));
  }
  std::ranges::move(derivable_records(spec), std::back_inserter(paths));
  return paths;
}

std::vector<Path> derivable_records(const Value& spec) {
  std::vector<Path> paths;
  for (std::string_view record : records) {
    if (Path path = path_of(record); find(spec, path) != nullptr) paths.push_back(std::move(path));
  }
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
    // A list that lacks an item is another list, so it goes as a whole.
    const auto list = std::find_if(path.begin() + 2, path.end(), text::is_index);
    const bool is_inside = path.size() > 3 && (path[2] == "merge" || path[2] == "strategicMerge");
    return is_inside ? Path(path.begin(), list) : first(2);
  }
  if (top == "provisioning" && contains(removable_provisioning, field)) return first(2);
  if (top == "tpu" && field == "machineType") return first(2);
  if (top != "workload" || contains(needed_workload, field)) return {};
  return first(contains(lists, field) ? 3 : 2);
}

}  // namespace flexslice::imports
