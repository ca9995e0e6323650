#include "backend/gcloud/scripts.hpp"

#include <fmt/core.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backend/gcloud/bash.hpp"
#include "base/text.hpp"
#include "schema/kubernetes_types.hpp"
#include "schema/pattern.hpp"
#include "spec/matrix.hpp"

namespace flexslice::gcloud {

// The scripts need these in addition to the plan.
struct Deletion {
  std::string kind, name;
  std::string resource;  // what kubectl calls it
  std::string selector;  // of the objects of a sweep, which all points share; empty: one object
  std::string api;       // the path at which the API server describes its group
  bool cluster_scoped = false;
};

struct ScriptInputs {
  std::vector<Deletion> objects;  // that cleanup deletes, in order
  std::string pod_selector;
  // Say whose a cluster, a pool or a policy is; bash.cpp completes a namespace that the spec lacks.
  std::string owner_labels, owner_text;
  plan::Needed needed;
};

// A step of run.sh needs these in addition to the plan.
struct TryInputs {
  std::string place, pod_selector, patience;
  std::int64_t seconds = 0;
  std::int64_t hosts = 0;  // of the fewest pods with chips
};

}  // namespace flexslice::gcloud

namespace flexslice::schema {

using gcloud::Deletion, gcloud::ScriptInputs, gcloud::TryInputs;
using enum Presence;

constexpr Field deletion_fields[] = {
    internal<&Deletion::kind>("kind", required),
    internal<&Deletion::name>("name", required),
    internal<&Deletion::resource>("resource", required),
    internal<&Deletion::selector>("selector"),
    internal<&Deletion::api>("api", required),
    internal<&Deletion::cluster_scoped>("clusterScoped", required)};
template <>
struct TableOf<Deletion> {
  static constexpr Table table{"object", deletion_fields};
};

constexpr Field script_fields[] = {internal<&ScriptInputs::objects>("objects", required),
                                   internal<&ScriptInputs::pod_selector>("podSelector", required),
                                   internal<&ScriptInputs::owner_labels>("ownerLabels", required),
                                   internal<&ScriptInputs::owner_text>("ownerText", required),
                                   internal<&ScriptInputs::needed>("needed", required)};
template <>
struct TableOf<ScriptInputs> {
  static constexpr Table table{"script", script_fields};
};

constexpr Field try_fields[] = {internal<&TryInputs::place>("place", required),
                                internal<&TryInputs::pod_selector>("podSelector", required),
                                internal<&TryInputs::patience>("patience", required),
                                internal<&TryInputs::seconds>("seconds", required),
                                internal<&TryInputs::hosts>("hosts", required)};
template <>
struct TableOf<TryInputs> {
  static constexpr Table table{"try", try_fields};
};

}  // namespace flexslice::schema

namespace flexslice::gcloud {

using yaml::Value;

namespace {

constexpr std::string_view script_templates[] = {
    "gcloud/preflight", "gcloud/provision", "gcloud/verify", "gcloud/cleanup", "gcloud/status"};
constexpr std::string_view run_template = "gcloud/run", places_template = "gcloud/run-places";

// The label by which a workload's pods are found, with its value.
std::string pod_selector(const plan::Plan& plan) {
  const std::string_view label =
      plan.sweep.empty() ? plan.workload.of_kind->pod_label : spec::sweep_label;
  return fmt::format("{}={}", label, plan.owner);
}

// The API server describes the group of an `apiVersion` at this path, or the version where there is
// no group.
std::string api_path(std::string_view version) {
  const std::size_t slash = version.find('/');
  return fmt::format("{}{}", slash == std::string_view::npos ? "/api/" : "/apis/",
                     version.substr(0, slash));
}

// In the reverse of the order in which they are applied.
std::vector<Deletion> deletions(std::span<const Value> objects, const std::string& sweep) {
  std::vector<Deletion> list;
  for (std::size_t i = objects.size(); i-- > 0;) {
    const std::string_view kind = objects[i].text_at({"kind"}),
                           version = objects[i].text_at({"apiVersion"}),
                           name = objects[i].text_at({"metadata", "name"});
    if (kind.empty() || version.empty() || name.empty()) continue;
    if (sweep.empty())
      list.push_back({std::string(kind),
                      std::string(name),
                      fmt::format("{}/{}", text::lower(kind), name),
                      {},
                      api_path(version),
                      schema::kubernetes::is_cluster_scoped(kind)});
    else
      // Also those of points that the matrix no longer has.
      list.push_back({fmt::format("{}s", kind), "of " + sweep, text::lower(kind),
                      fmt::format("{}={}", spec::sweep_label, sweep), api_path(version),
                      schema::kubernetes::is_cluster_scoped(kind)});
  }
  return list;
}

// Every list of words below the value that runs gcloud.
void collect_commands(const Value& value, std::vector<const Value*>& commands) {
  if (value.is_sequence() && !value.items.empty() && value.items.front().text == "gcloud")
    commands.push_back(&value);
  for (const Value& item : value.items) collect_commands(item, commands);
  for (const Value::Member& member : value.members) collect_commands(member.value, commands);
}

}  // namespace

Scripts scripts(const plan::Plan& plan, const plan::Needed& needed, const templates::Set& templates,
                std::span<const Value> objects) {
  const std::string workload = fmt::format("flexslice={}", plan.owner),
                    space = fmt::format("{}={}", namespace_label, plan.name_space);
  const ScriptInputs inputs{deletions(objects, plan.sweep), pod_selector(plan),
                            fmt::format("{},{}", workload, space),
                            fmt::format("{} {}", workload, space), needed};
  const templates::Scope root{{}, schema::ref(plan)};
  const templates::Scope scope{{}, schema::ref(inputs), &root};
  const auto script = [&](std::size_t i) {
    return templates::expand(templates, script_templates[i], scope);
  };
  return {script(0), script(1), script(2), script(3), script(4)};
}

Value run_script(std::span<const PlaceToTry> places, const templates::Set& templates) {
  Value script =
      templates::expand(templates, run_template, {{}, schema::ref(*places.front().plan)});
  std::vector<Value> looks, tries;
  for (const auto& [plan, seconds] : places) {
    // An autoscaler begins with the fewest replicas.
    const TryInputs inputs{plan->place, pod_selector(*plan), schema::duration_text(seconds),
                           seconds,
                           plan->autoscaling ? plan->autoscaling->min * plan->tpu.hosts.value
                                             : plan->tpu.total_hosts.value};
    const templates::Scope root{{}, schema::ref(*plan)};
    Value steps = templates::expand(templates, places_template, {{}, schema::ref(inputs), &root});
    for (Value& step : steps.items)
      (&step == &steps.items.front() ? looks : tries).push_back(std::move(step));
  }
  Value& steps = script["steps"] = Value::sequence();
  for (std::vector<Value>* part : {&looks, &tries}) {
    for (Value& step : *part) steps.push(std::move(step));
  }
  steps.push(Value::mapping())["call"] = Value::strings({"none_left"});
  return script;
}

std::vector<const Value*> commands(const Scripts& scripts) {
  std::vector<const Value*> commands;
  for (const Value* script :
       {&scripts.preflight, &scripts.provision, &scripts.verify, &scripts.cleanup, &scripts.status})
    collect_commands(*script, commands);
  return commands;
}

void check_templates(const templates::Set& templates, diag::Sink& sink) {
  const templates::Scope root{{}, schema::type_of<plan::Plan>()};
  const templates::Scope scope{{}, schema::type_of<ScriptInputs>(), &root};
  for (std::string_view name : script_templates) {
    templates::check(templates, name, scope, sink);
    check(templates.find(name), sink);
  }
  templates::check(templates, run_template, root, sink);
  const templates::Scope of_place{{}, schema::type_of<TryInputs>(), &root};
  templates::check(templates, places_template, of_place, sink);
}

}  // namespace flexslice::gcloud
