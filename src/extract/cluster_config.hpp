// Cluster configs of Google's Cluster Toolkit v2, as the blueprints that `gcluster create` compiles
// them to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "yaml/embedded.hpp"
#include "yaml/node.hpp"

namespace flexslice::extract {

// A part that gcluster refuses.
struct RefusedEntry {
  Span where;
  std::string says;
  std::string name;                // empty: no name is near
  std::vector<std::string> names;  // what it may be
  std::string help = {};
  bool is_likely = false;  // another release, or a file elsewhere, may make it right
};

struct ClusterConfig {
  yaml::Node blueprint;  // each value where the config says it, or where the pool names its machine
  std::vector<RefusedEntry> refused;
};

// Returns nothing if the document is no cluster config.
std::optional<ClusterConfig> read_cluster_config(const yaml::Node& document);

// Returns the table of what the toolkit is known to have.
yaml::View toolkit();

}  // namespace flexslice::extract
