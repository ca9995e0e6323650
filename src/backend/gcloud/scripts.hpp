// plan → the scripts, by expanding templates/gcloud. Nothing here can fail because of what
// the user wrote.
#pragma once

#include <span>
#include <vector>

#include "backend/template/template.hpp"
#include "plan/plan.hpp"
#include "plan/prerequisites.hpp"
#include "yaml/value.hpp"

namespace flexslice::gcloud {

// As steps, which bash.hpp describes.
struct Scripts {
  yaml::Value preflight, provision, verify, cleanup, status;
};

// `objects` are those that cleanup deletes, in the order in which they are applied; preflight
// checks what is needed.
Scripts scripts(const plan::Plan& plan, const plan::Needed& needed, const templates::Set& templates,
                std::span<const yaml::Value> objects);

// The words of each of their gcloud commands.
std::vector<const yaml::Value*> commands(const Scripts& scripts);

// Reports what is wrong in the templates of the scripts.
void check_templates(const templates::Set& templates, diag::Sink& sink);

}  // namespace flexslice::gcloud
