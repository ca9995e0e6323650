// Specs of one run that contradict each other: the same Kubernetes object twice, or one node pool
// with two shapes. `compile` lists the resources of a spec; whoever compiles several (the cli's
// batch, the library) adds them up in order.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diag/diag.hpp"
#include "plan/plan.hpp"
#include "plan/platform.hpp"
#include "yaml/value.hpp"

namespace flexslice::plan {

// A spec states the quota of its queue's flavor, and needs a part of it. 0: not stated, not known.
struct QuotaShare {
  std::uint64_t flavor = 0;    // a hash, as below
  std::int64_t stated = 0;     // chips
  std::int64_t admitted = 0;   // chips that Kueue admits at once
  std::int64_t available = 0;  // chips that the node pool can have; 0: any number
  std::int64_t of_spec = 0;    // chips that all node pools of the spec can have; 0: any number
  Span where;                  // of the quota, or of the workload's name
};

struct Resource {
  std::uint64_t identity = 0;  // a hash of project, location, cluster, namespace, kind and name
  std::string kind, name;      // `Job`, `train`; `node pool`, `train-pool`
  // Several specs may use a node pool if its shape is the same; an object belongs to one spec.
  std::string shape;
  Span where;
  bool creates = false;  // the scripts of the spec create the pool
  bool alone = false;    // the workload needs the whole pool, and no queue makes it wait for that
  std::optional<QuotaShare> share = std::nullopt;
  std::string requests = {};                 // that a route takes, for sentences
  std::shared_ptr<const QueueUse> use = {};  // of a queue
};

// A spec writes the names of its resources at these places.
struct NamePlaces {
  Span workload, node_pool, quota, queue, priority, new_cluster, priority_name;
};
std::vector<Resource> resources(const plan::Plan& plan, std::span<const yaml::Value> objects,
                                const NamePlaces& names);

// The resources of a run so far.
class Defined {
 public:
  // The resources of the next spec of `file`, whose name must outlive this. Nothing of a spec that
  // conflicts with an earlier one is added.
  std::optional<diag::Diagnostic> add(std::span<const Resource> resources, std::string_view file,
                                      const Source& source);
  // After the last spec, each with its spec: quotas that the node pools of the run cannot reach,
  // clusters that one spec creates and others use, disks that several mount, and workloads that the
  // queues of a spec without a workload never admit.
  std::vector<std::pair<Source, diag::Diagnostic>> late_findings() const;

 private:
  struct SpecPlace {
    std::uint32_t file;  // an index in files_
    Position position;
  };
  struct Definition {
    SpecPlace place;
    std::uint32_t shape;  // an index in shapes_
    bool creates, alone;
  };

  // The specs so far use a flavor together.
  struct FlavorUse {
    QuotaShare share;  // `admitted` is the largest, `available` the sum
    bool any_number = false;
    SpecPlace stated, admitted;
    Source source;  // that states it
  };

  // A cluster or a claim, which several specs may use.
  struct Shared {
    std::string name;
    std::optional<SpecPlace> other;  // who else uses it, at its workload's name
    std::optional<Source> source;    // of the spec that the finding is about
    Span where;
    bool is_made = false;  // the cluster is created, the claim is of a disk
  };

  void add_shared(const Resource& resource, const SpecPlace& place, const Source& source);
  void add_unreachable_quotas(std::vector<std::pair<Source, diag::Diagnostic>>& all) const;
  SpecPlace place_in(const Source& source, std::size_t at) const;
  std::uint32_t shape_number(const std::string& shape);
  std::optional<diag::Diagnostic> quota_conflict(const QuotaShare& share) const;
  // Returns whether all queues of the pool state quotas that fit together.
  bool shares_by_quotas(const Resource& resource) const;
  void add_share(const QuotaShare& share, bool is_new_pool, const Source& source);
  diag::Diagnostic conflict(const Resource& resource, const Definition& earlier,
                            std::string_view file, const Source& source) const;

  std::unordered_map<std::uint64_t, Definition> definitions_;  // by identity
  std::vector<std::string_view> files_;
  std::map<std::uint64_t, FlavorUse> flavors_;
  // Stated quotas of the queues of a node pool, 0 for one that states none.
  struct PoolQuotas {
    std::map<std::string, std::int64_t, std::less<>> of_queues;
    std::int64_t chips = 0;  // of the spec that creates the pool; 0: not known
  };
  std::map<std::uint64_t, PoolQuotas> quotas_of_pools_;
  Platforms platforms_;
  std::map<std::uint64_t, Shared> clusters_, claims_;
  std::vector<std::string> shapes_ = {""};  // as many as the catalog has
};

}  // namespace flexslice::plan
