// API versions and fields that only some releases of a controller have, judged by the release that
// a spec states or a script installs.
#include "rules/release_rules.hpp"

#include <fmt/core.h>

#include "schema/kubernetes_types.hpp"
#include "schema/servers.hpp"

namespace flexslice::rules {

namespace {

// The table of fields has other words for the programs of some controllers.
std::string_view program_word(std::string_view program) {
  return program == "inference" ? "gatewayInference" : program;
}

// The first release of the branch after that one.
std::string next_branch(std::string_view release) {
  const auto version = parse_version(release);
  return version ? fmt::format("{}.{}.0", version->parts[0], version->parts[1] + 1) : "";
}

bool is_without(std::string_view since, std::string_view until, std::string_view release) {
  return (!since.empty() && is_before(release, since)) ||
         (!until.empty() && !is_before(release, until));
}

std::string_view group_prefix(std::string_view version) {
  return version.substr(0, version.find('/'));
}

// Says who states the release.
void add_stating(Diagnostic& finding, const StatedRelease& stated) {
  if (stated.file.empty()) return;
  finding.also(stated.file, stated.at,
               stated.is_installed ? "this installs the release" : "this spec states the release");
}

void report_version(const ReleaseNeed& need, const ServedApi& served, const StatedRelease& stated,
                    const Catalog& catalog, Sink& sink) {
  const Controller& controller = *controller_by_word(catalog, served.controller);
  Diagnostic& finding = sink.report<Code::ApiNotServed>(
      need.version, controller.name, stated.release, need.version.value, need.kind);
  add_stating(finding, stated);
  const ServedApi* other = find_where(catalog.served_apis, [&](const ServedApi& each) {
    return each.controller == served.controller && each.version != served.version &&
           group_prefix(each.version) == group_prefix(served.version) &&
           !is_without(each.since, each.until, stated.release);
  });
  const bool is_too_new = !served.since.empty() && is_before(stated.release, served.since);
  if (is_too_new) finding.note("{} serves it from {} on", controller.name, served.since);
  if (other != nullptr) {
    finding.help("write {}{}", other->version,
                 is_too_new
                     ? fmt::format(", or install {} {} or later", controller.name, served.since)
                     : "");
  } else if (is_too_new) {
    finding.help("install {} {} or later", controller.name, served.since);
  }
}

}  // namespace

bool depends_on_release(std::string_view version, const Catalog& catalog) {
  const ServedApi* served = find_served_api(catalog, version);
  return served != nullptr && (!served->since.empty() || !served->until.empty()) &&
         controller_by_word(catalog, served->controller) != nullptr;
}

std::string served_since(std::string_view version, const Catalog& catalog) {
  const ServedApi* served = find_served_api(catalog, version);
  if (served == nullptr || served->since.empty()) return {};
  const Controller* controller = controller_by_word(catalog, served->controller);
  return controller == nullptr
             ? ""
             : fmt::format("{} serves from {} on", controller->name, served->since);
}

std::span<const std::string_view> added_fields(const Catalog& catalog, std::string_view version) {
  const ServedApi* served = find_served_api(catalog, version);
  if (served == nullptr) return {};
  return {served->fields.begin(), served->fields.end()};
}

void add_field_needs(const yaml::Node& object, std::string_view version, std::string_view kind,
                     std::vector<ReleaseNeed>& needs) {
  namespace servers = schema::servers;
  const servers::ServedObject* served = servers::served_object(kind, version);
  if (served == nullptr || schema::kubernetes::is_own_group(group_prefix(version))) return;
  const servers::Release& release = *servers::program_release(served->program);
  if (release.older.empty()) return;
  for (const servers::MarkedField& field : servers::marked_fields(object, *served)) {
    ReleaseNeed need{.version = {}, .kind = std::string(kind), .field = field.path};
    need.version.where = {field.key->span, true, false};
    need.controller = program_word(served->program);
    if (field.mark == '+') need.since = next_branch(release.older);
    if (field.mark == '-') need.until = release.newest;
    needs.push_back(std::move(need));
  }
}

std::string_view controller_of(const ReleaseNeed& need, const Catalog& catalog) {
  if (!need.field.empty()) return need.controller;
  const ServedApi* served = find_served_api(catalog, need.version.value);
  return served == nullptr ? std::string_view() : served->controller;
}

bool judge_need(const ReleaseNeed& need, const StatedRelease& stated, const Catalog& catalog,
                Sink& sink) {
  if (need.field.empty()) {
    const ServedApi& served = *find_served_api(catalog, need.version.value);
    if (!is_without(served.since, served.until, stated.release)) return false;
    report_version(need, served, stated, catalog, sink);
    return true;
  }
  const Controller* controller = controller_by_word(catalog, need.controller);
  if (controller == nullptr || !is_without(need.since, need.until, stated.release)) return false;
  Diagnostic& finding = sink.report<Code::FieldNotInRelease>(need.version, controller->name,
                                                             stated.release, need.field, need.kind);
  add_stating(finding, stated);
  if (!need.since.empty()) finding.help("install {} {} or later", controller->name, need.since);
  return true;
}

void judge_release_needs(std::span<const ReleaseNeed> needs, const spec::Cluster& cluster,
                         const Catalog& catalog, Sink& sink) {
  for (const ReleaseNeed& need : needs) {
    // Skip what compile wrote itself: it follows the stated release.
    if (need.version.where.span == Span{}) continue;
    const std::string_view word = controller_of(need, catalog);
    const Text* stated = spec::stated_release(cluster, word);
    if (stated == nullptr || !stated->usable()) continue;
    judge_need(need, {.controller = std::string(word), .release = stated->value}, catalog, sink);
  }
}

Diagnostic& report_old(const Text& version, std::string_view kind, const OldVersion& old,
                       const Catalog& catalog, Sink& sink) {
  Diagnostic& finding =
      old.removed_in.empty()
          ? sink.report<Code::OldApiVersion>(version, version.value, kind)
          : sink.report<Code::RemovedApiVersion>(version, kind, version.value, old.removed_in);
  if (old.gone) finding.level = diag::Level::warning;
  if (const std::string since = served_since(old.instead, catalog); !since.empty()) {
    finding.help("the present one is {}, which {}", old.instead, since);
  } else if (!old.instead.empty()) {
    finding.help("the present one is {}", old.instead);
  }
  if (!old.help.empty() && old.instead.empty()) finding.help(std::string(old.help));
  if (!old.help.empty() && !old.instead.empty()) finding.note(std::string(old.help));
  return finding;
}

}  // namespace flexslice::rules
