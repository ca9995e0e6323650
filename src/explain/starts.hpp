// Writes the part of `explain` about the starts of a schedule.
#pragma once

#include "plan/plan.hpp"

namespace flexslice::explain {

// The values of the template, of a plan with a schedule.
schema::Pairs of_starts(const plan::Plan& plan);

}  // namespace flexslice::explain
