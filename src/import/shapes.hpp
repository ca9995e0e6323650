// Shapes for what a spec does not say of its slices yet. synthesis.cpp compiles with them, to see
// what the rest of the spec lacks.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "import/compare.hpp"
#include "import/workload.hpp"
#include "yaml/value.hpp"

namespace flexslice::imports {

// The fields of `tpu`; empty: as the spec has it.
struct Shape {
  std::string type;
  std::string topology;
  std::string machine_type;

  friend bool operator==(const Shape&, const Shape&) = default;
};

// The likeliest first: those with the chips and hosts of the workload.
std::vector<Shape> likely_shapes(const yaml::Value& tpu, const Workload& workload,
                                 const catalog::Catalog& catalog);

// A number of the object that a spec derives from the shape.
struct CountOfShape {
  std::string place;  // `spec.completions`
  Span where;         // its key
};
std::vector<CountOfShape> counts_of_shape(const yaml::Node& object);

// Whether the value follows from the shape.
bool follows_from_shape(const Difference& difference);
bool follows_from_shape(std::string_view flag);
// Whether some value in the tree follows from the shape.
bool holds_shape(const yaml::Value& tree);

}  // namespace flexslice::imports
