// plan → Kubernetes objects and gcloud commands, by expanding the templates with the plan's document. Nothing here can fail because of
// what the user wrote. driver calls it; emit and script/ print what comes out.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.hpp"
#include "template/template.hpp"
#include "yaml/value.hpp"

namespace flexslice::lower {

// Everything a template may name, outermost first: the plan's values, then what lower adds (model, placement, …).
struct Inputs {
  const plan::Plan& plan;
  const templates::Set& templates;
  yaml::Value document;
};
Inputs inputs_of(const plan::Plan& plan, const templates::Set& templates);

// In the order in which they are to be applied.
std::vector<yaml::Value> objects(const Inputs& inputs);

// The three scripts, as the steps that script/ turns into bash. `objects` are those that cleanup deletes.
struct Scripts {
  yaml::Value provision, verify, cleanup;
};
Scripts scripts(const Inputs& inputs, std::span<const yaml::Value> objects);

// The paths that templates may use beside the plan's own, for templates::check.
std::span<const std::string_view> added_paths();

}  // namespace flexslice::lower
