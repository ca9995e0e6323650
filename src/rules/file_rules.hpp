// The rules for files that people already have: manifests, gcloud commands, pages. They judge what
// is written, by the catalog and by what else the file has; what a file does not say is never a
// fault. lint calls them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rules/rules.hpp"
#include "view/view.hpp"

namespace flexslice::rules {

// One pod template, with the facts of its claims.
void judge_pod(const view::PodClaims& pod, const Facts& facts, Sink& sink);
// One command.
void judge_pool(const view::PoolClaims& pool, const Facts& facts, std::string_view gcloud_version,
                Sink& sink);
// What a node pool has, or pods want, as far as it is said.
struct NodeShape {
  const Generation* generation = nullptr;
  std::optional<Topology> topology;
  std::int64_t chips = 0;  // of a node; 0: not known

  std::string text() const;  // `v6e, 4x4, 4 chips a node`
  bool agrees(const NodeShape& other) const;
  bool same_chips(const NodeShape& other) const {
    return chips == 0 || other.chips == 0 || chips == other.chips;
  }
};

// A node pool by its name: one that a file creates, or that its pods select.
struct NamedNodes {
  std::string pool;
  NodeShape shape;
  Span where;  // of the name
};

// Judges a file part by part, and in the end what its parts say of each other. Of each part it
// keeps only what others are compared with: a file may have thousands.
class FileJudge {
 public:
  // `gcloud_version`: stated by the user; empty: flags are not judged by it.
  // `made_of`: of a spec that compile made objects of.
  FileJudge(const Catalog& catalog, std::string_view gcloud_version, Sink& sink,
            const Facts* made_of = nullptr)
      : catalog_(catalog), gcloud_version_(gcloud_version), sink_(sink), made_of_(made_of) {}

  // A document, or a script.
  void judge(view::Found part);
  void finish();

  // For the other files of the folder.
  std::vector<NamedNodes> named_pools() const;
  std::vector<NamedNodes> named_by_pods() const;

 private:
  struct PodNodes {
    Text pool;  // that the pods select by name
    Span chips;
    NodeShape wanted;
  };
  struct PoolNodes {
    Text name, cluster;
    Span where;
    NodeShape has;
    bool complete;
  };
  struct NewCluster {
    Text name;
    Span where;
  };
  // What the pods of a queue say, and so those of its flavors.
  struct QueuePods {
    bool seen = false, tolerate = false;

    void add(const QueuePods& other) {
      seen = seen || other.seen;
      tolerate = tolerate || other.tolerate;
    }
  };

  void judge_pod_claims(view::PodClaims pod);
  void judge_tree(const view::PodClaims& pod, bool is_whole);
  void judge_pool_claims(const view::PoolClaims& pool);
  void judge_named(const PodNodes& pods);
  void judge_unnamed(const PodNodes& pods);
  void judge_on_autopilot();
  void judge_flavors();
  std::map<std::string_view, QueuePods> pods_of_flavors() const;

  const Catalog& catalog_;
  std::string_view gcloud_version_;
  Sink& sink_;
  const Facts* made_of_;
  std::vector<PodNodes> pods_;
  std::vector<PoolNodes> pools_;
  std::vector<NewCluster> clusters_;
  std::vector<view::PodClaims> privileged_;  // pods that Autopilot may refuse
  bool has_autopilot_ = false, has_standard_ = false;
  std::map<std::string, QueuePods> local_queues_;  // by their names
  view::Found kueue_;                              // flavors and queues
};

// What compile made of a spec and its patches; every value has the place that it comes from. What
// is derived alone cannot be wrong, and what the sink has is not reported again.
void judge_made(std::span<const yaml::Node> objects, const Facts& facts, Sink& sink);

// The machine types that can be a node of this pod, as far as it says; empty: none, or nothing is
// said. Those of its topology, if it selects one.
struct Candidate {
  const Generation* generation;
  const MachineType* machine;
};
std::vector<Candidate> candidates(const view::PodClaims& pod, const Facts& facts);

}  // namespace flexslice::rules
