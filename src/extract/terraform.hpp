// Resources of Terraform as the gcloud commands that create the same, so that one
// reader and one set of rules serve both. lint/ and import/ call it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "extract/shell.hpp"
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
// Terraform reads both files as parts of one module, as far as their paths tell.
bool share_module(std::string_view path, std::string_view other);

struct ModuleFile {
  ModuleRole role;
  std::string name;
  yaml::Node tree;
};
// The other files of a module, which are the sources from `begin` on, in the order in which they
// count; without those that are not readable.
std::vector<ModuleFile> read_module(const Sources& sources, std::uint32_t begin);

struct TerraformResources {
  std::vector<Command> commands;  // of node pools, workload policies and clusters
  std::vector<Span> unread;       // arguments of them that no command has
};

// Of a document in JSON syntax, or the tree that read_hcl makes. Each value is where the document
// says it. Variables have their defaults, or what the module sets; names of locals and of arguments
// of these resources have their values; other expressions are unknown. Empty for a document that
// is not Terraform's.
TerraformResources read_terraform(const yaml::Node& document, std::span<const ModuleFile> module);

// The same about the block, in Terraform's words: its arguments for the flags of gcloud, and types
// of resources for commands.
std::string in_terraform(std::string_view text, const ResourceBlock& block);

}  // namespace flexslice::extract
