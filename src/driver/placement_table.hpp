// Has the words for the table of `explain` and `lint --placement`: for each set of pods of a run
// the nodes that take it, by which labels, who admits it, and when it starts. Placement decides.
#pragma once

#include "rules/queue_rules.hpp"

namespace flexslice::lint {

// Reports a note for each set of pods: FS4550.
void list_placement(const rules::World& world, const rules::Queues& queues,
                    const catalog::Catalog& catalog, diag::Sink& sink);

}  // namespace flexslice::lint
