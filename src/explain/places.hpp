// The places of a spec side by side: `flexslice explain SPEC` prints them before the plan of the
// first.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "catalog/catalog.hpp"
#include "plan/plan.hpp"

namespace flexslice::explain {

struct PlaceRow {
  const plan::Plan& plan;
  std::string patience;  // how long run.sh waits there
};

std::string places_text(std::string_view name, std::span<const PlaceRow> places);

}  // namespace flexslice::explain
