#include "backend/kubernetes/objects.hpp"

#include <fmt/core.h>

#include "backend/kubernetes/queues.hpp"
#include "base/text.hpp"

namespace flexslice::kubernetes {

using yaml::Value;

namespace {

constexpr std::string_view service_template = "kubernetes/service";

std::string template_of(const claims::WorkloadKind& kind) {
  return fmt::format("kubernetes/{}", kind.word);
}

}  // namespace

std::vector<Value> objects(const plan::Plan& plan, const templates::Set& templates) {
  const templates::Scope scope{{}, schema::ref(plan)};
  std::vector<Value> list;
  if (!plan.workload.service.empty())
    list.push_back(templates::expand(templates, service_template, scope));
  list.push_back(templates::expand(templates, template_of(*plan.workload.of_kind), scope));
  return list;
}

void check_templates(const templates::Set& templates, diag::Sink& sink) {
  const templates::Scope scope{{}, schema::type_of<plan::Plan>()};
  templates::check(templates, service_template, scope, sink);
  for (const claims::WorkloadKind& kind : claims::kinds)
    templates::check(templates, template_of(kind), scope, sink);
  check_queue_templates(templates, sink);
}

}  // namespace flexslice::kubernetes
