#include "backend/kubernetes/objects.hpp"

#include <fmt/core.h>

#include "backend/kubernetes/queues.hpp"
#include "base/text.hpp"

namespace flexslice::kubernetes {

using yaml::Value;

namespace {

// Workloads of all kinds may have these objects, which make nodes, keep them and set them up.
constexpr std::string_view of_nodes[] = {"kubernetes/compute-class", "kubernetes/buffer-unit",
                                         "kubernetes/capacity-buffer",
                                         "kubernetes/checkpoint-configuration"};

// Calls `use` with the name of each template of the kind, after those of its nodes.
template <class Use>
void for_each_template(const spec::WorkloadKind& kind, Use use) {
  for (std::string_view name : of_nodes) use(name);
  for (std::string_view name : text::split(kind.templates, ' ')) {
    if (!name.empty()) use(fmt::format("kubernetes/{}", name));
  }
}

}  // namespace

std::vector<Value> objects(const plan::Plan& plan, const templates::Set& templates) {
  const templates::Scope scope{{}, schema::ref(plan)};
  std::vector<Value> list;
  for_each_template(*plan.workload.of_kind, [&](std::string_view name) {
    Value object = templates::expand(templates, name, scope);
    if (object.kind != Value::Kind::null) list.push_back(std::move(object));
  });
  return list;
}

std::vector<Value> open_pods(const plan::Plan& plan, const templates::Set& templates) {
  const templates::Scope scope{{}, schema::ref(plan)};
  std::vector<Value> list;
  list.emplace_back().add("spec", templates::expand(templates, "kubernetes/job-spec", scope));
  if (!plan.leader) return list;
  const templates::Scope of_leader{"workload", schema::ref(*plan.leader), &scope};
  list.emplace_back().add("leaderTemplate",
                          templates::expand(templates, "kubernetes/pod", of_leader));
  return list;
}

void check_templates(const templates::Set& templates, diag::Sink& sink) {
  const templates::Scope scope{{}, schema::type_of<plan::Plan>()};
  const auto check = [&](std::string_view name) { templates::check(templates, name, scope, sink); };
  for (const spec::WorkloadKind& kind : spec::kinds) for_each_template(kind, check);
  for_each_template(spec::scheduled_job, check);
  check_queue_templates(templates, sink);
}

}  // namespace flexslice::kubernetes
