// Limits of the API server and of Linux that the form of a text does not show. workload.cpp and containers.cpp call them. Private to plan/.
#pragma once

#include "plan/steps.hpp"

namespace flexslice::plan {

// One argument or variable of a program: `what` names it in the message, `bytes` is its length.
void check_argument(const Context& context, Span where, std::string_view what, std::size_t bytes);
// The script, the words of `command` and `args`, and the variables of the workload's own container.
void check_arguments(const Context& context);

// An amount of memory or disk.
void check_bytes(const Context& context, Span where, std::string_view amount);
// All of them that are fields of the spec.
void check_amounts(const Context& context);

// Node labels under their old names.
void check_deprecated(const Context& context, const record::Map<record::Text>& labels);

}  // namespace flexslice::plan
