// Resources of Terraform as the gcloud commands that create the same, so that one reader and one
// set of rules serve both.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "extract/shell.hpp"
#include "yaml/frozen.hpp"
#include "yaml/node.hpp"

namespace flexslice::extract {

// How Terraform reads a file of a folder, which is one module. Later ones set variables again, and
// so do files of the same role that come later by their names.
enum class ModuleRole : std::uint8_t {
  none,
  code,          // `.tf`, `.tf.json`
  values,        // `terraform.tfvars`
  auto_values,   // `*.auto.tfvars`
  named_values,  // another `.tfvars`: only where the command line names it
};
ModuleRole module_role(std::string_view path);
// Its blocks replace parts of those that other files of the module have.
bool is_override(std::string_view path);
// Returns whether the text of a module may create node pools, by its resources or by modules that
// it includes.
bool may_create_nodes(std::string_view text);
// The files of a folder, read once for all of them.
struct Module {
  // A place in a file of the module has this number and that of the file as its source, so that it
  // is never taken for a place in the document.
  static constexpr std::uint32_t first_source = 1u << 31;
  static constexpr bool has(Span where) { return where.source >= first_source; }

  Sources files;
  std::vector<yaml::Node> trees;  // whose places are such
  using Values = std::map<std::string, const yaml::Node*, std::less<>>;
  Values values;      // `var.NAME`, `local.NAME`, …, as files of code say them
  Values set;         // `var.NAME`, as files of values and callers set them
  Values overriding;  // as `values`, of files of overrides
  // The bodies of files of overrides by `google_container_node_pool.NAME`, in their order.
  std::map<std::string, std::vector<const yaml::Node*>> overridden;
  using Names = std::set<std::string, std::less<>>;
  Names declared;              // `var.NAME`, `google_container_cluster.NAME`, …
  bool is_read = true;         // each of its files
  bool mentions_tpus = false;  // set by lint
};
// Variables of a module that others set, so that their defaults do not count.
struct GivenVariables {
  std::set<std::string, std::less<>> names;
  bool is_any = false;  // nobody knows which
  // The file with the only call of the module, and the call's name. What it says literally is
  // known.
  std::optional<Source> caller = {};
  std::string call = {};
};
Module read_module(std::vector<Source> files, const GivenVariables& given = {});

// Stands among the words of a command for the arguments that its module adds.
inline constexpr std::string_view by_module = "${module}";

// A module checks this itself, so that `terraform plan` fails.
struct RefusedModule {
  Span where;
  std::string name, says, help;
  bool is_resource = false;  // of the provider, not of the toolkit
  bool rolls = false;        // it is not refused, but changes at each apply
  bool is_missing = false;   // what is not here may be left out on a page
  bool is_likely = false;    // a later release may take it
};

struct TerraformResources {
  std::vector<Command> commands;            // of node pools, workload policies and clusters
  std::vector<Command> copies;              // of others that a module makes like one of these
  std::vector<Span> unread;                 // arguments of them that no command has
  std::vector<const yaml::Member*> others;  // modules whose resources are not known
  std::vector<RefusedModule> refused;
};

// Returns the row of terraform.yaml for modules of that source; empty: there is none.
yaml::View kind_of_module(std::string_view source);

// Reads a document in JSON syntax, or the tree that read_hcl makes. Each value is where the
// document says it. Variables have their defaults, or the values that the module sets; names of
// locals and of arguments of these resources have their values; other expressions are unknown. The
// result is empty for a document that is not Terraform's. `module` is the one that the document is
// in; null: it is alone.
TerraformResources read_terraform(const yaml::Node& document, const Module* module);

// The same about the block, in Terraform's words: its arguments for the flags of gcloud, and types
// of resources for commands.
std::string in_terraform(std::string_view text, const ResourceBlock& block);

}  // namespace flexslice::extract
