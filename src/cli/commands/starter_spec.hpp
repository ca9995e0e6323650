// A commented spec to begin with, filled in from the catalog. `flexslice init` prints it.
#pragma once

#include <optional>
#include <string>

#include "catalog/catalog.hpp"
#include "spec/kinds.hpp"
#include "spec/sets.hpp"

namespace flexslice::starter {

// A member that is empty or null is chosen automatically.
struct Wanted {
  std::string name;
  std::string schema;  // for the editor's first line
  const catalog::Generation* generation = nullptr;
  const catalog::MachineType* machine = nullptr;
  std::optional<catalog::Topology> topology;
  const catalog::Model* model = nullptr;
  std::string zone, location, project, cluster, image;
  spec::ClusterMode mode = {};
  const spec::WorkloadKind* kind = nullptr;  // null stays: the spec names none
};

// Completes what is wanted, so that everything is given: a generation that is available with the
// model, a shape with one meaning, a zone that the catalog knows. Returns why that cannot be.
std::optional<std::string> choose(const catalog::Catalog& catalog, Wanted& wanted);

// The spec, when everything is given.
std::string spec_text(const catalog::Catalog& catalog, const Wanted& wanted);

}  // namespace flexslice::starter
