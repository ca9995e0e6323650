#include "import/fields.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "resolve/facts.hpp"
#include "schema/decode.hpp"
#include "schema/kubernetes_types.hpp"
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

Path first_steps(const Path& path, std::size_t count) {
  return Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(count));
}

// Without one of these it is another workload.
constexpr std::string_view parts_of_workloads[] = {"containers", "initContainers", "replicatedJobs",
                                                   "workerGroupSpecs"};

// The deepest item of a list of Kubernetes that holds without the others; empty: there is none.
Path item_apart(const Path& path) {
  for (std::size_t i = path.size(); i-- > 2;) {
    if (text::is_index(path[i]) && !contains(parts_of_workloads, path[i - 1]) &&
        schema::kubernetes::has_items_apart(path[i - 1]))
      return first_steps(path, i + 1);
  }
  return {};
}

// By the table of a record: up to the last field on the path that may be missing, or to the item
// or the entry that the path leads into.
Path optional_part(const Path& path, const schema::Table& claims) {
  Path part;
  const schema::Table* table = &claims;
  for (std::size_t i = 0; i < path.size() && table != nullptr; ++i) {
    const schema::Field* field = table->find(path[i]);
    if (field == nullptr) break;
    if (field->is_kept) {
      part.clear();
    } else if (field->presence == schema::Presence::optional) {
      part = first_steps(path, i + 1);
    }
    const schema::Type& type = *field->type;
    const bool is_list_of_parts =
        type.category == schema::Category::list && type.element->category != schema::Category::text;
    if (i + 1 < path.size() && (is_list_of_parts || type.category == schema::Category::map))
      return first_steps(path, i + 2);
    table = type.category == schema::Category::record ? type.table : nullptr;
  }
  return part;
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
  if (path.empty()) return {};
  const bool is_patch = path[0] == "patches";
  if (is_patch || path[0] == "workload") {
    if (Path item = item_apart(path); !item.empty()) return item;
  }
  if (!is_patch) return optional_part(path, schema::TableOf<spec::Claims>::table);
  if (path.size() < 2) return {};
  // A list that lacks an item is another list, so it goes as a whole.
  const auto list = std::find_if(path.begin() + 2, path.end(), text::is_index);
  const bool is_inside = path.size() > 3 && (path[2] == "merge" || path[2] == "strategicMerge");
  return is_inside ? Path(path.begin(), list) : first_steps(path, 2);
}

}  // namespace flexslice::imports
