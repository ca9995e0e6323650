// Blueprints and cluster configs of Google's Cluster Toolkit, as the Terraform that `gcluster
// create` makes of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

// A call of gcluster that names the blueprint.
struct BlueprintCall {
  std::string deployment;  // the text of the deployment file that it names; empty: it names none
  std::vector<std::pair<std::string, std::string>> variables;
  bool is_open = false;           // it may set any variable
  bool skips_validators = false;  // some of them
};

// The value of a variable that is not known: an expression of nothing that a blueprint has.
inline constexpr std::string_view open_value = "((each.call))";

// Returns the calls of `gcluster create`, `deploy` or `expand` in a script, Makefile or page that
// name the blueprint, and with `any` those of a blueprint that is not known. `read` gets the names
// of deployment files as the call says them.
std::vector<BlueprintCall> calls_of_blueprint(std::string_view text, std::string_view path,
                                              const ReadBeside& read, bool any);
// True where the text may have such calls.
bool may_call_blueprints(std::string_view text);
// True where the text may be a blueprint or a cluster config.
bool may_be_blueprint(std::string_view text);

struct Blueprint {
  yaml::Node terraform;  // each value where the blueprint says it
  std::vector<LostReference> lost;
  std::vector<RefusedEntry> refused;
  bool is_compiled = false;  // of a cluster config
};

// Returns nothing if the document is no blueprint, and no cluster config that is compiled to one.
// `path` is that of the file. Variables have the values that all of `calls` give them; without
// calls, those of the deployment file in the same folder, `NAME-deployment.yaml` or
// `deployment.yaml`, at their places in the blueprint. A deployment file may be elsewhere too, so
// that variables without a value stay open.
std::optional<Blueprint> read_blueprint(const yaml::Node& document, std::string_view path,
                                        const ReadBeside& beside,
                                        const std::vector<BlueprintCall>& calls = {});

}  // namespace flexslice::extract
