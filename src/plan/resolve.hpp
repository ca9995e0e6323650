// spec × catalog → plan: all derivation and all cross-checks. The last pass that can find a mistake of the user's.
#pragma once

#include <optional>
#include <string_view>

#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "plan/plan.hpp"
#include "spec/spec.hpp"

namespace flexslice::plan {

// Reports every independent mistake (3xxx, 4xxx). Nothing when there is no plan because of an error here or in decode; values that decode
// found bad are not reported again. The plan points into the catalog.
std::optional<Plan> resolve(const spec::Spec& spec, const catalog::Catalog& catalog, std::string_view source_name, diag::Sink& sink);

}  // namespace flexslice::plan
