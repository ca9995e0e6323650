// API versions and fields that not every release of a controller has.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rules.hpp"
#include "rules/upgrade.hpp"
#include "view/view.hpp"

namespace flexslice::rules {

// An API version, or a field, that not all releases of its controller have. Only a spec or a script
// of the run says which release the cluster has.
struct ReleaseNeed {
  Text version;  // of the object; of a field, its place
  std::string kind;
  std::string field = {};           // empty: the version itself
  const OldVersion* row = nullptr;  // of a version that is old where no release is stated
  std::string controller = {};      // of a field: its word
  // Releases before the one and from the other on lack the field; empty: none do.
  std::string since = {}, until = {};
};
// The release that a cluster has, and who says so.
struct StatedRelease {
  std::string controller, release;  // by its word
  std::string file = {};
  Position at = {};
  bool is_installed = false;  // by a command; else a spec says so, or the user
};
// Reports an API version or a field that the stated release lacks. False: it has it.
bool judge_need(const ReleaseNeed& need, const StatedRelease& stated, const Catalog& catalog,
                Sink& sink);
// The word of the controller that the version or field depends on.
std::string_view controller_of(const ReleaseNeed& need, const Catalog& catalog);
// The same for the objects of a spec.
void judge_release_needs(std::span<const ReleaseNeed> needs, const spec::Cluster& cluster,
                         const Catalog& catalog, Sink& sink);
// Adds the fields of the object that only one of the releases known here has.
void add_field_needs(const yaml::Node& object, std::string_view version, std::string_view kind,
                     std::vector<ReleaseNeed>& needs);
bool depends_on_release(std::string_view version, const Catalog& catalog);
// `Kueue serves from 0.15.0 on`, or nothing.
std::string served_since(std::string_view version, const Catalog& catalog);
std::span<const std::string_view> added_fields(const Catalog& catalog, std::string_view version);
// Reports an old version, of which nothing says what the cluster has.
Diagnostic& report_old(const Text& version, std::string_view kind, const OldVersion& old,
                       const Catalog& catalog, Sink& sink);
// Reports what the upgrades do to the objects.
void judge_upgrades(std::span<const view::ObjectClaims> objects, const Catalog& catalog,
                    std::span<const Upgrade> upgrades, Sink& sink);

}  // namespace flexslice::rules
