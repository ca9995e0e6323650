#include "import/shapes.hpp"

#include <algorithm>
#include <tuple>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "import/placeholders.hpp"

namespace flexslice::imports {

using catalog::Catalog;
using catalog::Generation;
using catalog::MachineType;
using yaml::Value;

namespace {

constexpr std::size_t most_shapes = 8;

// Where objects count the hosts of a slice.
constexpr std::string_view counts_of_hosts[] = {"completions", "parallelism", "size", "numOfHosts"};
constexpr std::string_view counts[] = {"completions", "parallelism",  "size",
                                       "numOfHosts",  "replicas",     "minReplicas",
                                       "maxReplicas", "podsPerSlice", "google.com/tpu"};
constexpr std::string_view flags[] = {"--machine-type",    "--tpu-topology",
                                      "--num-nodes",       "--max-nodes",
                                      "--total-max-nodes", "--accelerator-topology"};

// As the object counts them; 0: more than one, and how many is not known.
std::int64_t hosts_of(const Value& object) {
  std::int64_t most = 1;
  bool open = false;
  yaml::find_in_tree(object, [&](const Value& each) {
    for (std::string_view key : counts_of_hosts) {
      const Value* count = each.find(key);
      if (count == nullptr) continue;
      const auto number = text::whole_number(count->text);
      open = open || (!number && Placeholders::is_in(count->text));
      most = std::max(most, number.value_or(1));
    }
    return false;
  });
  return open && most == 1 ? 0 : most;
}

void find_counts(const yaml::Node& node, Path& path, std::vector<CountOfShape>& found) {
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    path.push_back(std::to_string(i));
    find_counts(node.items[i], path, found);
    path.pop_back();
  }
  for (const yaml::Member& member : node.members) {
    path.push_back(member.key.text);
    if (contains(counts_of_hosts, member.key.text) && text::whole_number(member.value.text))
      found.push_back({path_text(path), member.key.span});
    find_counts(member.value, path, found);
    path.pop_back();
  }
}

bool is_of_shape(std::string_view key) {
  return contains(counts, key) || key == resolve::accelerator_label ||
         key == resolve::topology_label;
}

// The text of the field, if it says something.
std::string_view said(const Value& tpu, std::string_view key) {
  const std::string_view text = tpu.text_at({key});
  return Placeholders::is_in(text) ? std::string_view() : text;
}

}  // namespace

std::vector<Shape> likely_shapes(const Value& tpu, const Workload& workload,
                                 const Catalog& catalog) {
  const std::string_view type = said(tpu, "type"), machine_type = said(tpu, "machineType"),
                         topology = said(tpu, "topology");
  const auto wanted = catalog::parse_topology(topology);
  const std::int64_t hosts = hosts_of(*workload.object);
  struct ScoredShape {
    Shape shape;
    bool misses_hosts, misses_slice, misses_chips;
  };
  std::vector<ScoredShape> candidates;
  const auto add = [&](const Generation& generation, const catalog::Topology& shape) {
    const bool named = tpu.find("machineType") != nullptr;
    for (const MachineType* machine : catalog::machine_types_for(generation, shape)) {
      const std::string_view name = machine->name;
      if (!machine_type.empty() && machine_type != name) continue;
      const std::int64_t count = shape.chips() / machine->chips;
      candidates.push_back({{std::string(std::string_view(generation.id)), shape.text(),
                             named ? std::string(name) : ""},
                            hosts != 0 && count != hosts,
                            (count > 1) != (hosts != 1),
                            workload.chips() != 0 && workload.chips() != machine->chips});
    }
  };
  for (const Generation& generation : catalog.generations) {
    if (!type.empty() && catalog::find_generation(catalog, type) != &generation) continue;
    if (wanted) {
      add(generation, *wanted);
    } else {
      for (const catalog::Topology& shape : catalog::topologies(generation)) add(generation, shape);
    }
  }
  std::ranges::stable_sort(candidates, {}, [](const ScoredShape& each) {
    return std::tuple(each.misses_slice, each.misses_chips, each.misses_hosts);
  });
  std::vector<Shape> shapes;
  for (ScoredShape& each : candidates) {
    if (shapes.size() < most_shapes && !contains(shapes, each.shape))
      shapes.push_back(std::move(each.shape));
  }
  return shapes;
}

std::vector<CountOfShape> counts_of_shape(const yaml::Node& object) {
  std::vector<CountOfShape> found;
  Path path;
  find_counts(object, path, found);
  return found;
}

bool follows_from_shape(const Difference& difference) {
  return any_of(difference.path, [&](const PathStep& step) {
    // What selects a machine type says it in the spec, too.
    return is_of_shape(step.key) || (difference.is_added() && step.key == resolve::machine_label);
  });
}

bool follows_from_shape(std::string_view flag) { return contains(flags, flag); }

bool holds_shape(const Value& tree) {
  return yaml::find_in_tree(tree, [](const Value& each) {
           return any_of(each.members,
                         [](const Value::Member& member) { return is_of_shape(member.key); });
         }) != nullptr;
}

}  // namespace flexslice::imports
