#include "import/launch.hpp"

#include "base/lists.hpp"

namespace flexslice::imports {

using view::LaunchClaims;
using view::LaunchFlag;

namespace {

std::string launch_text(yaml::View row, std::string_view key) {
  const yaml::View value = row ? row.find(key) : yaml::View();
  return value ? std::string(value.text()) : std::string();
}

// Why the spec does not say what the flag does; empty: it does, or there is nothing to say.
std::string loss_of(const LaunchFlag& flag, const LaunchClaims& claims) {
  if (!flag.row) return "it is not a flag of this command";
  if (flag.is_unfinished) return "its quote has no end, so that the rest is missing here";
  if (claims.find(flag.key()) != &flag && !flag.row.find("repeated"))
    return "a later one of the same name counts";
  if (const std::string lost = launch_text(flag.row, "lost"); !lost.empty()) return lost;
  if (const std::string ignored = launch_text(flag.row, "ignored"); !ignored.empty())
    return ignored;
  if (flag.is("unused-model"))
    return "only a cluster with node auto-provisioning reads it; `provisioning.model` says how "
           "nodes are provisioned";
  if (flag.is("auto-provisioning"))
    return "GKE makes the nodes; write a spec with `cluster.mode: autopilot`, or with a node pool";
  if (flag.is("exit-codes") && claims.is_pathways())
    return "workers restart on their own, and the head's failure counts against `maxRestarts`";
  if (flag.is("exit-codes") &&
      flag.value.value.find_first_not_of("0123456789,-") != std::string::npos)
    return "its value is no list of exit codes such as `1,3-5`";
  if (flag.row.find("variables") && flag.value.value.find('=') == std::string::npos)
    return "it has no value";
  if (flag.row.find("pairs") && flag.value.value.find('|') != std::string::npos)
    return "no field has several values of a label";
  if (flag.is("mount") && flag.value.value.starts_with("gs://"))
    return "the volume is there, but its pods have a network of their own: `hostNetwork` excludes "
           "Cloud Storage FUSE";
  if (flag.is("mount") && flag.value.value.starts_with("filestore://"))
    return "no field makes a volume of Filestore; write its claim as `pvc`";
  return {};
}

// xpk retries signals and 42 alone, however many restarts there may be.
void add_restarts(const LaunchClaims& claims, Launch& launch) {
  const LaunchFlag* restarts = claims.find_as("restarts");
  if (claims.is_pathways() || claims.find_as("exit-codes") != nullptr || restarts == nullptr ||
      restarts->value.value == "0")
    return;
  launch.lost.push_back(
      {restarts->text(),
       "with xpk an exit code from 1 to 126, other than 42, fails the workload at once; here each "
       "failure counts, unless `workload.podFailurePolicy` says otherwise",
       restarts->value.where.span});
}

}  // namespace

Launch launch_from(const LaunchClaims& claims) {
  Launch launch{claims.where.span,
                claims.title,
                claims.value_as("cluster"),
                launch_text(claims.command, "own"),
                {},
                {}};
  if (claims.device.answer == view::DeviceAnswer::other)
    launch.refused = Launch::Refused::other_device;
  if (const yaml::View pathways = claims.launcher.find("pathways");
      pathways && claims.is_pathways())
    launch.own = launch_text(pathways, "own");
  for (const LaunchFlag& flag : claims.flags) {
    const Span where = flag.value.where.given ? flag.value.where.span : flag.name.where.span;
    if (std::string why = loss_of(flag, claims); !why.empty()) {
      launch.lost.push_back({flag.text(), std::move(why), where});
    } else if (flag.row.find("none") ||
               (flag.key().starts_with("--pathways-") && !claims.is_pathways())) {
      launch.unused.push_back(flag.text());
    }
  }
  for (const yaml::View row : view::flag_rows(claims)) {
    if (row.find("absent") && claims.find(row.key()) == nullptr)
      launch.lost.push_back(
          {std::string(row.key()), launch_text(row, "absent"), claims.where.span});
  }
  add_restarts(claims, launch);
  if (const LaunchFlag* slices = claims.find_as("slices"))
    launch.slices = {slices->text(), "", slices->value.where.span};
  launch.says_capacity = claims.says_capacity();
  if (claims.find_as("auto-provisioning") != nullptr && launch.says_capacity) {
    const spec::Text& model = claims.claims.provisioning.model;
    launch.capacity = {model.usable() ? model.value : "", claims.value_as("reservation")};
  }
  return launch;
}

}  // namespace flexslice::imports
