// Blueprints and cluster configs of Google's Cluster Toolkit, as the Terraform that `gcluster
// create` makes of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "extract/cluster_config.hpp"
#include "extract/shell.hpp"
#include "yaml/node.hpp"

namespace flexslice::extract {

// A reference to what the blueprint does not have, which `gcluster create` refuses.
struct LostReference {
  enum class To : unsigned char { module, variable, itself, source };
  Span where;
  To to = To::module;
  std::string name;
  std::vector<std::string> others;  // names that the blueprint has, or the toolkit
  bool is_judged = false;           // a module that is judged needs it
};

struct Blueprint {
  yaml::Node terraform;  // each value where the blueprint says it
  std::vector<LostReference> lost;
  std::vector<RefusedEntry> refused;
  bool is_compiled = false;  // of a cluster config
};

// Returns nothing if the document is no blueprint, and no cluster config that is compiled to one.
// `path` is that of the file. Variables have the values of the deployment file in the same folder,
// `NAME-deployment.yaml` or `deployment.yaml`, at their places in the blueprint. A deployment file
// may be elsewhere too, so that variables without a value stay open.
std::optional<Blueprint> read_blueprint(const yaml::Node& document, std::string_view path,
                                        const ReadBeside& beside);

}  // namespace flexslice::extract
