// plan → Kubernetes objects, by expanding templates/kubernetes. Nothing here can fail because of
// what the user wrote.
#pragma once

#include <vector>

#include "backend/template/template.hpp"
#include "plan/plan.hpp"
#include "yaml/value.hpp"

namespace flexslice::kubernetes {

// In the order in which they are to be applied.
std::vector<yaml::Value> objects(const plan::Plan& plan, const templates::Set& templates);

// The pods of an open plan, each where a spec's object would have it.
std::vector<yaml::Value> open_pods(const plan::Plan& plan, const templates::Set& templates);

// Reports what is wrong in the templates of all objects, the Kueue objects included.
void check_templates(const templates::Set& templates, diag::Sink& sink);

}  // namespace flexslice::kubernetes
