#include "backend/gcloud/scripts.hpp"

#include <fmt/core.h>

#include <algorithm>
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

// The longest command of the catalog that the words begin with; empty when there is none.
std::string_view command_of(const Value& argv, const catalog::Catalog& catalog) {
  std::string words;
  for (const Value& word : std::span(argv.items).subspan(1)) {
    if (word.text.starts_with('-')) break;
    words += word.text + ' ';
  }
  std::string_view longest;
  for (const catalog::GcloudCommand& command : catalog.gcloud_commands) {
    if (command.name.size() > longest.size() && words.starts_with(std::string(command.name) + ' '))
      longest = command.name;
  }
  return longest;
}

void check_command(const Value& argv, const catalog::Catalog& catalog, Span where,
                   diag::Sink& sink) {
  const std::string_view command = command_of(argv, catalog);
  if (command.empty()) return;
  for (const Value& word : argv.items) {
    const std::string flag = word.text.substr(0, word.text.find('='));
    if (!flag.starts_with("--") || catalog::gcloud_knows(catalog, command, flag)) continue;
    const std::string message = fmt::format("gcloud {} does not know `{}` of `gcloud {}`",
                                            catalog.gcloud_version, flag, command);
    if (std::ranges::count(sink.found(), message, &diag::Diagnostic::message) > 0) continue;
    diag::Diagnostic& report =
        sink.report<diag::Code::FlagUnknownToGcloud>(where, catalog.gcloud_version, flag, command);
    const catalog::GcloudFlag* later = catalog::find_later_flag(catalog, command, flag);
    if (later != nullptr && !later->since.empty())
      report.note(fmt::format("known since gcloud {}", later->since));
  }
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

void check_flags(const Value& script, const catalog::Catalog& catalog, Span where,
                 diag::Sink& sink) {
  if (script.is_sequence() && !script.items.empty() && script.items.front().text == "gcloud") {
    check_command(script, catalog, where, sink);
    return;
  }
  for (const Value& item : script.items) check_flags(item, catalog, where, sink);
  for (const Value::Member& member : script.members)
    check_flags(member.value, catalog, where, sink);
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
