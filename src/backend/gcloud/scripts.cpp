#include "backend/gcloud/scripts.hpp"

#include <fmt/core.h>

#include <string>
#include <vector>

#include "backend/gcloud/bash.hpp"
#include "base/text.hpp"

namespace flexslice::gcloud {

// What the scripts name beside the plan.
struct Deletion {
  std::string kind, name;
  std::string resource;  // what kubectl calls the kind
  std::string api;       // the path at which the API server describes its group
};

struct ScriptInputs {
  std::vector<Deletion> objects;  // that cleanup deletes, in order
  std::string pod_selector;
};

}  // namespace flexslice::gcloud

namespace flexslice::schema {

using gcloud::Deletion, gcloud::ScriptInputs;
using enum Presence;

constexpr Field deletion_fields[] = {
    internal<&Deletion::kind>("kind", required), internal<&Deletion::name>("name", required),
    internal<&Deletion::resource>("resource", required), internal<&Deletion::api>("api", required)};
template <>
struct TableOf<Deletion> {
  static constexpr Table table{"object", deletion_fields};
};

constexpr Field script_fields[] = {internal<&ScriptInputs::objects>("objects", required),
                                   internal<&ScriptInputs::pod_selector>("podSelector", required)};
template <>
struct TableOf<ScriptInputs> {
  static constexpr Table table{"script", script_fields};
};

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
  std::vector<Deletion> list;
  for (std::size_t i = objects.size(); i-- > 0;) {
    const std::string kind = text_at(&objects[i], "kind"),
                      version = text_at(&objects[i], "apiVersion"),
                      name = text_at(objects[i].find("metadata"), "name");
    if (!kind.empty() && !version.empty() && !name.empty())
      list.push_back({kind, name, text::lower(kind), api_path(version)});
  }
  return list;
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
  const templates::Scope root{{}, schema::type_of<plan::Plan>()};
  const templates::Scope scope{{}, schema::type_of<ScriptInputs>(), &root};
  for (std::string_view name : script_templates) {
    templates::check(templates, name, scope, sink);
    check(templates.find(name), sink);
  }
}

}  // namespace flexslice::gcloud
