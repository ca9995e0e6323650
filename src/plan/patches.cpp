// Merge patches as values. They are applied to the generated objects by lower/.
#include "plan/steps.hpp"

namespace flexslice::plan {

void resolve_patches(const Context& context) {
  for (const spec::Patch& patch : context.spec.patches.items) {
    if (patch.where.bad) continue;
    if (patch.merge.value.kind != yaml::Kind::mapping) {
      context.sink.report<diag::Code::PatchNotMapping>(patch.merge.where.span);
      continue;
    }
    context.plan.patches.push_back({patch.target.kind.value, patch.target.name.value, patch.merge.value, patch.target.where.span});
  }
}

}  // namespace flexslice::plan
