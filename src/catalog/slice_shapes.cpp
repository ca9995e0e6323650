// A slice shape exists if it is listed for a machine type, or if the rule of cubes makes it.
#include <algorithm>
#include <cstdlib>

#include "catalog/catalog.hpp"

namespace flexslice::catalog {

bool fits_limits(const Generation& generation, const Topology& topology) {
  if (topology.chips() > generation.max_chips) return false;
  return generation.max_dimension == 0 || topology.size[2] <= generation.max_dimension;
}

namespace {

constexpr int cube_step = 4;
constexpr int largest_size = 999;  // that a topology can be written with

bool is_cube(const Generation& generation, const Topology& topology) {
  const auto& [a, b, c] = topology.size;
  const bool multiples = a % cube_step == 0 && b % cube_step == 0 && c % cube_step == 0;
  return topology.dimensions == 3 && multiples && a <= b && b <= c &&
         fits_limits(generation, topology);
}

void add_cubes(const Generation& generation, std::int64_t max_chips,
               std::vector<Topology>& shapes) {
  const std::int64_t most = std::min(max_chips, generation.max_chips);
  for (int a = cube_step; std::int64_t{a} * a * a <= most && a <= largest_size; a += cube_step) {
    for (int b = a; std::int64_t{a} * b * b <= most && b <= largest_size; b += cube_step) {
      for (int c = b; std::int64_t{a} * b * c <= most && c <= largest_size; c += cube_step) {
        const Topology cube{{a, b, c}, 3};
        if (fits_limits(generation, cube)) shapes.push_back(cube);
      }
    }
  }
}

bool has_public(const Generation& generation) {
  return std::any_of(
      generation.machine_types.begin(), generation.machine_types.end(),
      [](const MachineType& machine) { return machine.status == Status::published; });
}

template <class Is>
std::vector<Topology> topologies_where(const Generation& generation, std::int64_t max_chips,
                                       Is is) {
  std::vector<Topology> shapes;
  for (const MachineType& machine : generation.machine_types) {
    if (!is(machine)) continue;
    for (const Shape& shape : machine.shapes) shapes.push_back(shape.topology);
    if (machine.cubes) add_cubes(generation, max_chips, shapes);
  }
  std::sort(shapes.begin(), shapes.end(), smaller);
  shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
  return shapes;
}

// How far the form of one shape is from another's, beyond their chips: sizes that both have count
// most.
int difference(const Topology& a, const Topology& b) {
  constexpr int other_size = largest_size + 1;
  const Topology x = sorted(a);
  const Topology y = sorted(b);
  int sum = a.dimensions == b.dimensions ? 0 : 1;
  for (std::size_t i = 0; i < x.size.size(); ++i) {
    if (x.size[i] != y.size[i]) sum += other_size + std::abs(x.size[i] - y.size[i]);
  }
  return sum;
}

}  // namespace

const Evidence* find_shape(const Generation& generation, const MachineType& machine,
                           const Topology& topology) {
  for (const List<Shape>* shapes : {&machine.shapes, &machine.shapes_beyond_limits}) {
    for (const Shape& shape : *shapes) {
      if (shape.topology == topology) return &shape.evidence;
    }
  }
  if (!machine.cubes || machine.chips == 0 || !is_cube(generation, topology)) return nullptr;
  return topology.chips() % machine.chips == 0 ? &machine.evidence : nullptr;
}

std::vector<const MachineType*> machine_types_for(const Generation& generation,
                                                  const Topology& topology) {
  std::vector<const MachineType*> machines;
  for (const Status status : {Status::published, Status::doubtful}) {
    for (const MachineType& machine : generation.machine_types) {
      if (machine.status == status && find_shape(generation, machine, topology) != nullptr)
        machines.push_back(&machine);
    }
    if (!machines.empty()) break;
  }
  return machines;
}

std::vector<Topology> topologies(const Generation& generation, std::int64_t max_chips) {
  const Status status = has_public(generation) ? Status::published : Status::doubtful;
  return topologies_where(generation, max_chips,
                          [&](const MachineType& machine) { return machine.status == status; });
}

std::vector<Topology> topologies_of_type(const Generation& generation, std::string_view type) {
  std::vector<Topology> shapes = topologies_where(
      generation, generation.max_chips,
      [](const MachineType& machine) { return machine.status != Status::unknown; });
  std::erase_if(shapes, [&](const Topology& shape) {
    const auto machines = machine_types_for(generation, shape);
    return std::none_of(machines.begin(), machines.end(), [&](const MachineType* machine) {
      return type == generation.id || type == machine->accelerator;
    });
  });
  return shapes;
}

std::optional<Topology> topology_of_chips(const Generation& generation, std::int64_t chips) {
  const Shape* exception = find_where(generation.core_name_shapes, [&](const Shape& shape) {
    return shape.topology.chips() == chips;
  });
  if (exception != nullptr) return exception->topology;
  const auto sum = [](const Topology& shape) {
    return shape.size[0] + shape.size[1] + shape.size[2];
  };
  std::optional<Topology> meant;
  // In ascending order, so that the first of a size is the longest.
  for (const Topology& shape : topologies_of_type(generation, generation.id)) {
    if (shape.chips() != chips) continue;
    if (!meant || (!generation.core_names_are_long && sum(shape) < sum(*meant))) meant = shape;
  }
  return meant;
}

std::vector<Topology> parts_of(const Slicing& slicing, const Topology& pool) {
  std::vector<Topology> parts;
  for (const Shape& shape : slicing.parts) {
    const Topology& part = shape.topology;
    const bool inside =
        std::ranges::equal(part.size, pool.size, [](int a, int b) { return a <= b; });
    if (inside && part != pool) parts.insert(parts.begin(), part);
  }
  return parts;
}

bool can_form(const Slicing& slicing, const Topology& pool, const Topology& slice) {
  if (find_where(slicing.pools, [&](const Shape& each) { return each.topology == pool; }) ==
      nullptr)
    return false;
  const bool joined =
      slicing.joins && std::ranges::equal(slice.size, pool.size, [](int of_slice, int of_pool) {
        return of_slice % of_pool == 0;
      });
  const std::vector<Topology> parts = parts_of(slicing, pool);
  return joined || std::ranges::find(parts, slice) != parts.end();
}

std::string part_label(const Slicing& slicing, const Topology& part) {
  std::string label(slicing.label);
  return label.replace(label.find('*'), 1, part.text());
}

std::optional<Topology> reordered_shape(const Generation& generation, const Topology& wanted) {
  for (const Topology& shape : topologies(generation, generation.max_chips)) {
    if (shape.dimensions == wanted.dimensions && sorted(shape) == sorted(wanted)) return shape;
  }
  return std::nullopt;
}

std::vector<Topology> nearest_topologies(const Generation& generation, const Topology& wanted) {
  const Topology* below = nullptr;
  const Topology* above = nullptr;
  const std::vector<Topology> shapes = topologies(generation, generation.max_chips);
  for (const Topology& shape : shapes) {
    const auto nearer = [&](const Topology* best) {
      return best == nullptr || best->chips() != shape.chips() ||
             difference(shape, wanted) < difference(*best, wanted);
    };
    if (shape.chips() <= wanted.chips() && nearer(below)) below = &shape;
    const bool first_above = above == nullptr || above->chips() == shape.chips();
    if (shape.chips() >= wanted.chips() && first_above && nearer(above)) above = &shape;
  }
  std::vector<Topology> nearest;
  if (below != nullptr) nearest.push_back(*below);
  if (above != nullptr && above != below) nearest.push_back(*above);
  return nearest;
}

}  // namespace flexslice::catalog
