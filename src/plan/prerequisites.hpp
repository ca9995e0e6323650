// Lists what a workload needs and nothing here creates: it has to be there before the scripts and
// manifests are used. explain lists it, and preflight.sh checks it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.hpp"
#include "schema/table.hpp"
#include "yaml/value.hpp"

namespace flexslice::plan {

// A Kubernetes object that others refer to by name.
struct Object {
  std::string_view noun;  // `Secret`
  std::string resource;   // what kubectl calls it, `secret/hub`
  std::string name;
  std::vector<std::string> keys;  // that are referred to, of a Secret or ConfigMap
  bool plain = true;              // only has to exist
  bool shared = false;            // a claim that pods on several nodes mount, or its class
  bool namespaced = true;
};

// One version of an API group, with the kinds that are used of it.
struct Api {
  std::string version;
  std::vector<std::string> kinds;
};

struct Minimum {
  std::string_view title;
  std::vector<std::string> versions;  // as in the catalog
};

struct Controller {
  std::string_view name, site, deployment, tested, enabled_by;
  std::vector<Api> apis;
  std::vector<Minimum> minimums;
};

struct ClusterVersion {
  std::string version, what;
};

// Node pools that are created need this quota of Compute Engine, in chips.
struct Quota {
  std::string_view name;  // for people; empty: not known
  catalog::QuotaKind kind = {};
  std::string_view metric, id, family;
  bool unnamed = false;  // neither metric nor id is known
  std::string region;
  std::int64_t chips = 0;
  bool of_fallback = false;              // the model of the spec does not need it
  std::string purpose;                   // `, for fallback spot`; of the model of the spec empty
  std::string_view verdict = "missing";  // where there is less, a function of preflight.sh
};

// Compute Engine's quota of Hyperdisk, for boot disks of nodes that are created and take no other.
struct DiskQuota {
  // Gigabytes: of one boot disk, of the claims that are made, and of all.
  std::int64_t nodes = 0, size = 0, claimed = 0, total = 0;
};

struct ReservedChips {
  std::string name, project, zone;  // empty: the project of the cluster; any zone
  std::int64_t chips = 0;
};

struct Needed {
  bool bucket_driver = false;  // Workload Identity and the add-on, on Standard
  std::string access;          // that no command shows; empty: none
  std::vector<Quota> quotas;   // in the order of the models
  std::optional<DiskQuota> disks;
  bool in_use = false;  // a check compares with what is in use
  std::optional<ReservedChips> reservation;
  std::vector<ClusterVersion> versions;  // of GKE, the highest first
  std::vector<Controller> controllers;
  bool tpu_webhook = false;       // of KubeRay
  bool metrics_api = false;       // of custom metrics, which an adapter serves
  std::string picker;             // the Service that chooses a replica for each request
  std::string body_router;        // the Gateway whose requests get a header with their model
  std::string proxy_subnet;       // the region whose proxies the created Gateway is; empty: none
  std::string gateway;            // that exists
  std::string gateway_namespace;  // empty: that of the workload
  std::string ordinary_nodes;     // with room for pods without chips; empty: none are needed
  std::string name_space;
  std::vector<Object> objects;  // those of a noun follow each other
  std::vector<std::string> buckets;
  bool checkpoints = false;       // a CheckpointConfiguration of the nodes
  std::string checkpoint_bucket;  // of the one that the manifests have
};

// A controller adds a pod, or a container to Ray's head, or nothing: the mode of the object says
// which, and a patch can set it.
enum class AddedTo : std::uint8_t { own_pod, head, nothing };
AddedTo added_to(const catalog::AddedPod& added, std::span<const yaml::Value> objects);

// Workers of Ray without chips, which only patches add.
struct OrdinaryGroup {
  std::string name;
  std::int64_t pods = 0;
  bool scales = false;      // up to so many
  std::string cpu, memory;  // of each; empty: any amount
};
std::vector<OrdinaryGroup> ordinary_groups(std::span<const yaml::Value> objects);

// `objects` and `queues` are those of the workload, with its patches.
Needed needed(const plan::Plan& plan, const catalog::Catalog& catalog,
              std::span<const yaml::Value> objects, std::span<const yaml::Value> queues);

// Reports what the stated release of Kueue lacks.
void judge_controllers(const catalog::Catalog& catalog, const spec::Cluster& cluster,
                       const Plan& plan, diag::Sink& sink);

}  // namespace flexslice::plan

namespace flexslice::schema {

#define FS_TABLE(type)         \
  template <>                  \
  struct TableOf<plan::type> { \
    static const Table table;  \
  };
FS_TABLE(Object)
FS_TABLE(Api)
FS_TABLE(Minimum)
FS_TABLE(Controller)
FS_TABLE(ClusterVersion)
FS_TABLE(Quota)
FS_TABLE(DiskQuota)
FS_TABLE(ReservedChips)
FS_TABLE(Needed)
#undef FS_TABLE

}  // namespace flexslice::schema
