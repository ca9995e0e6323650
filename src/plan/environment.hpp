// Environment variables, and the references `$(NAME)` that Kubernetes expands. Private to plan/.
#pragma once

#include <string>
#include <string_view>

#include "plan/steps.hpp"

namespace flexslice::plan {

// `workload.env`: sorted by name, but a variable behind those that its value refers to, as Kubernetes wants it.
void resolve_environment(const Context& context, yaml::Value& fields);

// Kubernetes replaces `$(NAME)` in a container's command when NAME is one of its variables, and `$$` by `$`, except in the text between
// another `$(` and the next `)`. Doubles those dollars, so that bash gets the script as it was written.
std::string escape_references(std::string_view script, const record::Map<spec::EnvValue>& env);

}  // namespace flexslice::plan
