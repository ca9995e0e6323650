// The parts of a workload that are built in files of their own. Private to plan/, but for tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "claims/claims.hpp"
#include "plan/plan.hpp"

namespace flexslice::plan {

// Sorted by name, but a variable after those that its value refers to, as Kubernetes wants it.
std::vector<EnvVariable> build_environment(const schema::Map<claims::EnvValue>& env);

// Kubernetes replaces `$(NAME)` in a container's command when NAME is one of its variables, and
// `$$` by `$`, except in the text between another `$(` and the next `)`. Doubles those dollars, so
// that bash gets the script as it was written.
std::string escape_references(std::string_view script, const schema::Map<claims::EnvValue>& env);

}  // namespace flexslice::plan
