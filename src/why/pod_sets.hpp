// The sets of pods in a cluster: what they are doing, and where they are not, why.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "why/causes.hpp"
#include "why/cluster.hpp"

namespace flexslice::why {

// A spec says this about one of its objects with pods.
struct Expected {
  ObjectName object;  // the namespace is empty where the spec has none
  std::int64_t pods = 0;
  std::string accelerator, topology;     // labels that its pods select
  std::string cluster, location;         // as the spec names them
  std::vector<std::string> images;       // of its containers with chips
  std::vector<std::string> pools;        // node pools of the spec
  std::string machine, pool_topology;    // of them
  bool spot = false;                     // its pods select Spot nodes
  std::string model = {};                // of its nodes
  std::vector<std::string> zones = {};   // of its node pools
  std::vector<std::int64_t> nodes = {};  // of each of `pools` at most; 0: not known
};

enum class SetState : std::uint8_t { runs, done, idle, waits, failed, missing };
constexpr auto words(SetState) {
  return word_list("runs", "done", "idle", "waits", "failed", "missing");
}

struct PodSet {
  ObjectName object;
  SetState state = SetState::waits;
  // Pods by what they do; those that wait have no node, or their containers have not started.
  std::int64_t pods = 0, ready = 0, running = 0, starting = 0, without_node = 0, succeeded = 0,
               failed = 0;
  std::int64_t restarts = 0;       // of containers, and of a JobSet as a whole
  std::int64_t most_restarts = 0;  // of a JobSet; 0: the dump does not say
  std::vector<PodCause> causes;    // the most telling first, each code once
  std::string since;               // of the state; empty: the dump does not say
  std::string billed;              // `4 nodes of ct6e-standard-4t, $43.20 an hour`; empty: unknown
  std::vector<std::string> differs;  // from the spec
};

// Sets of pods with chips and what the specs describe; where the dump has none of these, all sets.
std::vector<PodSet> pod_sets(const ClusterView& cluster, const std::vector<Expected>& expected,
                             const catalog::Catalog& catalog);

}  // namespace flexslice::why
