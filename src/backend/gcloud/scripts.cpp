#include "backend/gcloud/scripts.hpp"

#include <fmt/core.h>

#include <string>
#include <vector>

#include "backend/gcloud/bash.hpp"
#include "base/text.hpp"

namespace flexslice::gcloud {

// What the scripts name beside the plan.
struct Deletion {
  std::string kind, resource, name, api;
};

struct ScriptInputs {
  std::vector<Deletion> objects;
  std::string pod_selector;
};

}  // namespace flexslice::gcloud

namespace flexslice::schema {

template <>
struct TableOf<gcloud::Deletion> {
  static const Table table;
};
template <>
struct TableOf<gcloud::ScriptInputs> {
  static const Table table;
};

namespace {

constexpr Field deletion_fields[] = {
    field<&gcloud::Deletion::kind>("kind", Presence::required, {}, {"Kind of the object."}),
    field<&gcloud::Deletion::resource>("resource", Presence::required, {},
                                       {"What kubectl calls the kind."}),
    field<&gcloud::Deletion::name>("name", Presence::required, {}, {"Name of the object."}),
    field<&gcloud::Deletion::api>("api", Presence::required, {},
                                  {"Path at which the API server describes its group."}),
};

constexpr Field script_fields[] = {
    field<&gcloud::ScriptInputs::objects>("objects", Presence::required, {},
                                          {"What cleanup deletes, in order."}),
    field<&gcloud::ScriptInputs::pod_selector>(
        "podSelector", Presence::required, {},
        {"The pods of the workload, as --selector takes it."}),
};

}  // namespace

const Table TableOf<gcloud::Deletion>::table{"object", deletion_fields};
const Table TableOf<gcloud::ScriptInputs>::table{"script", script_fields};

}  // namespace flexslice::schema

namespace flexslice::gcloud {

using yaml::Value;

namespace {

constexpr std::string_view script_templates[] = {"gcloud/provision", "gcloud/verify",
                                                 "gcloud/cleanup"};

std::string text_at(const Value* value, std::string_view key) {
  const Value* found = value == nullptr ? nullptr : value->find(key);
  return found == nullptr ? std::string() : found->text;
}

// Where the API server describes the group of an `apiVersion`, or the version where there is no
// group.
std::string api_path(std::string_view version) {
  const std::size_t slash = version.find('/');
  return fmt::format("{}{}", slash == std::string_view::npos ? "/api/" : "/apis/",
                     version.substr(0, slash));
}

// In the reverse of the order in which they are applied.
std::vector<Deletion> deletions(std::span<const Value> objects) {
  std::vector<Deletion> made;
  for (std::size_t i = objects.size(); i-- > 0;) {
    const Value* metadata = objects[i].find("metadata");
    const std::string kind = text_at(&objects[i], "kind"),
                      version = text_at(&objects[i], "apiVersion"),
                      name = text_at(metadata, "name");
    if (!kind.empty() && !version.empty() && !name.empty())
      made.push_back({kind, text::lower(kind), name, api_path(version)});
  }
  return made;
}

}  // namespace

Scripts scripts(const plan::Plan& plan, const templates::Set& templates,
                std::span<const Value> objects) {
  const ScriptInputs inputs{deletions(objects),
                            fmt::format("{}={}", plan.workload.of_kind->pod_label, plan.name)};
  const templates::Scope root{{}, schema::ref(plan)};
  const templates::Scope scope{{}, schema::ref(inputs), &root};
  const auto script = [&](std::size_t i) {
    return templates::expand(templates, script_templates[i], scope);
  };
  return {script(0), script(1), script(2)};
}

void check_templates(const templates::Set& templates, diag::Sink& sink) {
  const templates::Scope root{{}, {&schema::detail::TypeOf<plan::Plan>::type, nullptr}};
  const templates::Scope scope{{}, {&schema::detail::TypeOf<ScriptInputs>::type, nullptr}, &root};
  for (std::string_view name : script_templates) {
    templates::check(templates, name, scope, sink);
    check(templates.find(name), sink);
  }
}

}  // namespace flexslice::gcloud
