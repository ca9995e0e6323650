// The catalog gives the claims of one source their meaning: generation, machine type, hosts, model.
// Gaps stay gaps: a fact that cannot be found is null or empty, and rules/ says why. Rules judge
// the claims by these facts; plan/ builds on them once nothing is missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "spec/claims.hpp"
#include "spec/kinds.hpp"

namespace flexslice::resolve {

// A GKE version that something in use needs.
struct Need {
  std::string what;  // `v6e on Standard`
  std::string_view version;
  const catalog::Evidence* evidence = nullptr;
};

struct Facts {
  const spec::Claims& claims;  // what the facts are about
  const catalog::Catalog& catalog;

  spec::ClusterMode mode = {};
  bool creates_pools = true;     // else they exist already, or GKE creates the nodes itself
  std::string_view region = {};  // of the cluster; empty: not known

  const catalog::Generation* generation = nullptr;
  // One that the generation has, or any where the generation is not known.
  std::optional<catalog::Topology> topology = {};
  // The machine type that is claimed or follows from the topology, and forms the topology.
  const catalog::MachineType* machine = nullptr;
  // The claimed machine type if the generation has it, whether it forms the topology or not.
  const catalog::MachineType* claimed = nullptr;
  std::int64_t hosts = 0;       // VMs of one slice; 0: not known
  std::int64_t containers = 1;  // of a pod, which share the chips of its host
  std::int64_t slices = 1;      // as claimed
  // If slices are not whole node pools, these say how they are made, and the shape of the pools.
  const catalog::Slicing* slicing = nullptr;
  std::optional<catalog::Topology> pool_topology = {};

  const catalog::Model* model = nullptr;
  const catalog::Support* support = nullptr;          // of the generation by the model
  std::vector<const catalog::Model*> fallbacks = {};  // those of the claimed ones that exist
  std::vector<std::string_view> zones = {};  // of the nodes: as claimed, or the cluster's own

  const spec::WorkloadKind* kind = nullptr;  // as claimed, or by the number of slices
  std::vector<Need> needs = {};              // the highest version first

  // Returns whether the spec describes nodes and queues for workloads of others.
  bool is_capacity() const { return kind == &spec::capacity; }
  bool autopilot() const { return mode == spec::ClusterMode::autopilot; }
  // Returns whether another team owns the queue, whose flavors have no topology.
  bool has_their_queue() const { return claims.provisioning.queue.topology.usable(); }
  // Returns whether a ComputeClass provides the nodes, because there are models to fall back to.
  bool by_class() const { return claims.provisioning.fallback.where.given; }
  // Returns whether the scripts create the resources of the spec, and not another tool.
  bool by_scripts() const {
    const auto& owner = claims.provisioning.owner;
    return !owner.usable() || owner.value == spec::Owner::scripts;
  }
  // Returns whether a pool has nodes only while pods need them.
  bool autoscales() const {
    return (model != nullptr && model->nodes == catalog::FirstNodes::none) || wants_autoscale();
  }
  // Returns whether the spec asks for that: replicas that come and go take their nodes with them.
  bool wants_autoscale() const {
    const schema::Flag& said = claims.provisioning.autoscale;
    if (said.where.given) return said.usable() && said.value;
    return has_autoscaling() && creates_pools;
  }
  // Counts the nodes that are ready beside those that pods use; only an autoscaler keeps any.
  std::int64_t warm_nodes() const {
    const schema::Integer& said = claims.provisioning.warm;
    return said.usable() && autoscales() ? said.value : 0;
  }
  // Returns whether an autoscaler decides the number of replicas.
  bool has_autoscaling() const { return claims.workload.autoscaling.where.given; }
  bool nodes_by_gke() const { return autopilot() || by_class(); }
  // Returns whether nodes are created for the workload, by the scripts or by GKE.
  bool gets_new_nodes() const { return creates_pools || nodes_by_gke(); }
  // The model and those that it falls back to.
  std::vector<const catalog::Model*> models() const;
  // The first of them that is so, as `&Model::reclaims_nodes`; null: none.
  const catalog::Model* model_that(bool catalog::Model::*is) const;
  bool multi_host() const { return hosts > 1; }
  // Pods that mount the volumes of the workload.
  std::int64_t mounting_pods() const {
    const bool has_head = kind != nullptr && (kind->ray || kind->pathways || leader_apart());
    return hosts * slices + (has_head ? 1 : 0);
  }
  // Nodes of a pool that is created as a whole; 1: single hosts share it.
  std::int64_t pool_hosts() const {
    return slicing != nullptr ? pool_topology->chips() / machine->chips : hosts;
  }
  // Node pools of the workload: a multi-host pool is one slice, single hosts share one.
  std::int64_t pools() const {
    if (slicing != nullptr)
      return (slices * topology->chips() + pool_topology->chips() - 1) / pool_topology->chips();
    return multi_host() ? slices : 1;
  }
  // Returns whether the slices are independent workers of one Job.
  bool workers() const {
    return slices > 1 && !multi_host() && kind != nullptr && kind->slices == spec::Slices::workers;
  }
  // Returns whether leaders are pods without chips, on ordinary nodes.
  bool leader_apart() const {
    const spec::Leader& leader = claims.workload.leader;
    return kind != nullptr && kind->leads && leader.tpu.usable() && !leader.tpu.value;
  }
  // Pods of a slice.
  std::int64_t group_size() const { return hosts + (leader_apart() ? 1 : 0); }
  // Pods without chips.
  std::int64_t ordinary_pods() const {
    if (leader_apart()) return slices;
    return kind != nullptr && (kind->ray || kind->pathways) ? 1 : 0;
  }
  // Returns whether the container of the spec runs on a head without chips, and Pathways on the
  // slices.
  bool has_pathways() const { return kind != nullptr && kind->pathways; }
  // Returns whether the head runs Pathways alone.
  bool is_headless() const {
    const schema::Flag& headless = claims.workload.pathways.headless;
    return has_pathways() && headless.usable() && headless.value;
  }
  bool on_host_network() const {
    const schema::Flag& said = claims.workload.host_network;
    return said.usable() ? said.value : has_pathways() && !said.where.bad;
  }
  // Returns whether Multislice joins the slices.
  bool multislice() const {
    return slices > 1 && kind != nullptr && kind->slices == spec::Slices::joined;
  }
};

// The facts refer to the claims and the catalog, which must outlive them.
Facts look_up(const spec::Claims& claims, const catalog::Catalog& catalog);

inline constexpr std::string_view default_model = "flex-start";

// The machine types of the generation that can form the topology, doubtful ones only where no
// public one can, and have the accelerator label that is claimed, if it is one.
std::vector<const catalog::MachineType*> fitting_machines(const spec::Claims& claims,
                                                          const catalog::Generation& generation,
                                                          const catalog::Topology& topology);
// Returns whether so many containers of a pod can share the chips of a host in equal parts.
bool can_share(const catalog::MachineType& machine, std::int64_t containers);
// Nodes that single-host slices need in each zone: their share, or all of them where one request
// gets all nodes of a workload, which are in one zone then.
std::int64_t nodes_per_zone(const Facts& facts);
// `4x4 is 16 chips; 16 / 4 chips per ct6e-standard-4t = 4 hosts`.
std::string hosts_sum(const catalog::Topology& topology, const catalog::MachineType& machine);
// The region of a region or zone.
std::string_view region_of(std::string_view location);
// The node lifetime that is claimed, in seconds; 0: none, or one that the model does not allow.
std::int64_t run_seconds(const spec::Claims& claims, const catalog::Model& model);
catalog::Version version_of(const Need& need);

}  // namespace flexslice::resolve
