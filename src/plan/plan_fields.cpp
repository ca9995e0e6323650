// The field table of the plan, of which the build makes fields.inl: the rows are in fields.yaml.
#include "plan/plan.hpp"
#include "plan/prerequisites.hpp"
#include "spec/spec_fields.hpp"

namespace flexslice::schema {

using namespace plan;

#include "plan/fields.inl"

}  // namespace flexslice::schema
