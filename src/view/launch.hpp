// Commands of programs that make a workload of flags, as view/launchers.yaml describes them.
// read_launch.cpp fills these, lint judges them, and import makes the object and the node commands
// of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "extract/shell.hpp"
#include "spec/claims.hpp"
#include "yaml/frozen.hpp"
#include "yaml/node.hpp"

namespace flexslice::view {

struct LaunchFlag {
  spec::Text name;   // as it is written
  yaml::View row;    // of the table; empty: the command has no such flag
  spec::Text value;  // not given for a switch
  std::vector<extract::Unfilled> unfilled = {};  // of the value
  Span set_at = {};            // where a variable in the value is set; empty: there is none
  bool is_unfinished = false;  // a quote in it has no end
  bool is_ambiguous = false;   // the beginning of several flags
  std::vector<std::string_view> meant = {};  // those

  std::string_view key() const { return row ? row.key() : std::string_view(name.value); }
  bool is(std::string_view role) const {
    const yaml::View as = row ? row.find("as") : yaml::View();
    return as && as.text() == role;
  }
  std::string text() const;  // `--num-slices=2`
};

// The flags answer which device is meant.
enum class DeviceAnswer : std::uint8_t {
  none,       // nothing, or a placeholder
  known,      // generation and topology
  open,       // a generation; the topology is not said
  other,      // a GPU or CPU
  unknown,    // there is none of this name
  ambiguous,  // the name has two readings
};

struct LaunchDevice {
  DeviceAnswer answer = DeviceAnswer::none;
  const catalog::Generation* generation = nullptr;
  const catalog::MachineType* machine = nullptr;
  std::optional<catalog::Topology> topology = {};
  std::int64_t hosts = 0;                    // of a slice
  std::optional<catalog::Device> name = {};  // as it reads
  std::vector<catalog::Topology> readings = {};
  bool contradicts = false;  // --topology has another number of chips, and counts
};

// A duration, as Go's programs read it.
struct LaunchSeconds {
  std::int64_t seconds;
  bool is_duration;  // false: they take the digits before something else
};

struct LaunchClaims {
  yaml::View launcher, command;
  std::string title;     // `xpk workload create`
  spec::Where where;     // of the program
  bool complete = true;  // false: there may be flags that are not known
  std::vector<LaunchFlag> flags;
  std::vector<spec::Text> operands;  // that belong to no flag
  LaunchDevice device;
  spec::Claims claims;  // what the flags say of nodes

  // argparse and cobra take the last of several.
  const LaunchFlag* find(std::string_view key) const;
  const LaunchFlag* find_as(std::string_view role) const;
  std::string value_as(std::string_view role) const;
  bool has_text(std::string_view key) const { return command.find(key) || launcher.find(key); }
  // A flag says how nodes are provisioned.
  bool says_capacity() const {
    return find_as("on-demand") != nullptr || find_as("model") != nullptr ||
           find_as("reservation") != nullptr;
  }
  // For chips of Pathways, which another kind of JobSet uses.
  bool is_pathways() const;
  // Returns whether the program creates a workload.
  bool has_object() const { return is_pathways() || command.find("object"); }
};

// The words of a row, such as the names of `devices`.
std::vector<std::string_view> words_of(yaml::View row, std::string_view key);

// Programs of the table, for extract::read_shell.
const std::vector<std::string_view>& launcher_names();
std::optional<LaunchSeconds> launch_seconds(std::string_view text);
// Returns nothing for a command that the table lacks, or prose that only names one.
std::optional<LaunchClaims> read_launch(const extract::Command& command,
                                        const catalog::Catalog& catalog);
// The object that the program creates, whose values are where the flags have them; null: none.
yaml::Node launched_object(const LaunchClaims& launch);
// gcloud's commands for the nodes that the program creates, or, of a workload, one that names the
// cluster.
std::vector<extract::Command> launched_nodes(const LaunchClaims& launch);
// Places of the table, for all flags that can be given to a command.
std::vector<yaml::View> flag_rows(const LaunchClaims& launch);

}  // namespace flexslice::view
