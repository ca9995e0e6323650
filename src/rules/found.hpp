// The rules for files that people already have: manifests, gcloud commands, pages. They judge what
// is written, by the catalog and by what else the file has; what a file does not say is never a
// fault. lint calls them.
#pragma once

#include "found/found.hpp"
#include "rules/rules.hpp"

namespace flexslice::rules {

// All of one file. `gcloud_version`: stated by the user; empty: flags are not judged by it.
void judge_found(const found::Found& found, const Catalog& catalog, std::string_view gcloud_version,
                 Sink& sink);

// One pod template, with the facts of its claims.
void judge_pod(const found::PodClaims& pod, const Facts& facts, Sink& sink);
// One command.
void judge_pool(const found::PoolClaims& pool, const Facts& facts, std::string_view gcloud_version,
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
std::vector<NamedNodes> named_pools(const found::Found& found, const Catalog& catalog);
std::vector<NamedNodes> named_by_pods(const found::Found& found, const Catalog& catalog);

// What two things of a file say of each other.
void judge_pairs(const found::Found& found, const Catalog& catalog, Sink& sink);
// Kueue's objects, with the pods that use them.
void judge_queues(const found::Found& found, Sink& sink);

// The machine types that can be a node of this pod, as far as it says; empty: none, or nothing is
// said. Those of its topology, if it selects one.
struct Candidate {
  const Generation* generation;
  const MachineType* machine;
};
std::vector<Candidate> candidates(const found::PodClaims& pod, const Facts& facts);

}  // namespace flexslice::rules
