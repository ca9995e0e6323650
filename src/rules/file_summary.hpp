// A file leaves this to be judged with the other files of the folder, or of the run.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "diag/suppress.hpp"
#include "rules/kueue_config.hpp"
#include "rules/programs.hpp"
#include "rules/queue_rules.hpp"
#include "rules/references.hpp"
#include "rules/release_rules.hpp"
#include "rules/run_rules.hpp"
#include "rules/world.hpp"

namespace flexslice::rules {

// Values that programs get by their environment.
struct ConfigMap {
  std::string name, name_space;
  Values values = {};
};

// Labels by which objects of other files may select pods. A value that nobody knows is empty.
using PodLabels = std::map<std::string, std::string>;

// Objects that the other files of the run may contradict.
struct RunObjects {
  // A level of a topology of Kueue that is a partition of a slice.
  struct PartitionLevel {
    std::string topology, label;
    Span where;
  };
  struct BucketMount {
    std::string bucket, object;
    Span where;
  };
  std::vector<PartitionLevel> partitions = {};
  std::vector<Text> legacy_buckets = {};  // that are created with access by object
  std::vector<BucketMount> mounts = {};   // that write
  KueueConfigs kueue = {};
  std::vector<QueuedKind> queued_kinds = {};

  template <class Self>
  static auto lists(Self& self) {
    return std::tie(self.partitions, self.legacy_buckets, self.mounts, self.kueue.managed,
                    self.kueue.problems, self.queued_kinds);
  }
  bool empty() const { return are_empty(lists(*this)); }
  void add(RunObjects other) {
    append_lists(lists(*this), lists(other), [](auto&) {});
  }
  void judge(std::span<const view::FlavorClaims> flavors, const Catalog& catalog, Sink& sink) const;
};

struct FileSummary {
  World world = {};
  std::vector<PodLabels> labels = {};
  diag::AllowedLines allowed = {};     // by comments, of findings that come later
  std::vector<NamedHosts> hosts = {};  // no Service of the file has the name
  std::vector<view::ServiceClaims> services = {};
  std::vector<UnselectedPods> unselected = {};
  std::vector<MountedDisk> disks = {};
  std::vector<NetworkedPods> networked = {};
  std::vector<view::DiskClaims> disk_claims = {};
  std::vector<view::DiskClass> disk_classes = {};
  std::vector<view::PolicyClaims> policies = {};
  std::vector<view::NamespaceClaims> namespaces = {};
  std::vector<ReleaseNeed> release_needs = {};
  Queues queues = {};
  RunObjects objects = {};
  ObjectNames names = {};
  std::vector<ConfigMap> configs = {};
  std::vector<Program> programs = {};  // that take values of ConfigMaps
  bool uses_tpus = false;

  // Others are judged by these.
  template <class Self>
  static auto givens(Self& self) {
    return std::tie(self.services, self.disk_claims, self.disk_classes, self.policies,
                    self.namespaces, self.names.made, self.queues.local_queues);
  }
  // These are judged by others.
  template <class Self>
  static auto needs(Self& self) {
    return std::tie(self.hosts, self.unselected, self.disks, self.networked, self.release_needs,
                    self.queues.flavors, self.queues.cluster_queues, self.queues.queued,
                    self.programs);
  }
  bool is_open() const {
    return !are_empty(needs(*this)) || !objects.empty() || !names.references.empty();
  }
  // Takes what is judged by others, so that a run keeps nothing else of the file.
  FileSummary take_open() {
    FileSummary open;
    const auto take = [](auto& own, auto& kept) { kept = std::move(own); };
    std::apply(
        [&](auto&... own) {
          std::apply([&](auto&... kept) { (take(own, kept), ...); }, needs(open));
        },
        needs(*this));
    take(objects, open.objects);
    take(names.references, open.names.references);
    return open;
  }
  bool empty() const {
    return world.empty() && labels.empty() && are_empty(givens(*this)) && queues.pods.empty() &&
           !is_open();
  }
};

}  // namespace flexslice::rules
