// plan → the scripts, by expanding templates/gcloud. Nothing here can fail because of what
// the user wrote.
#pragma once

#include <cstdint>
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

// A place of a workload, as run.sh tries it.
struct PlaceToTry {
  const plan::Plan* plan = nullptr;
  std::int64_t seconds = 0;  // that it waits for nodes
};
// The script that tries the places in order. There is one at least.
yaml::Value run_script(std::span<const PlaceToTry> places, const templates::Set& templates);

// The words of each of their gcloud commands.
std::vector<const yaml::Value*> commands(const Scripts& scripts);

// Reports what is wrong in the templates of the scripts.
void check_templates(const templates::Set& templates, diag::Sink& sink);

}  // namespace flexslice::gcloud
