// Commands of scripts by their words: those that create node pools, clusters and workload policies,
// and the checks of compiled scripts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "extract/arguments.hpp"
#include "extract/shell.hpp"

namespace flexslice::imports {

using extract::create_autopilot, extract::create_cluster, extract::create_policy,
    extract::create_pool;
inline constexpr std::string_view describe_pool = "container node-pools describe",
                                  list_pools = "container node-pools list";

struct Flag {
  std::string name;   // `--num-nodes`
  std::string value;  // empty for one without
  Span where;
  std::string by_shell = {};        // `$(…)`, for which the value is a placeholder
  bool has_empty_variable = false;  // the value is empty since that of a variable is
};

// A command of a launcher, such as `xpk workload create`, which objects and commands come from.
struct Launch {
  struct Lost {
    std::string flag, why;
    Span where;
  };
  Span where;
  std::string title;    // `xpk workload create`
  std::string cluster;  // empty: not said
  std::string own;      // what compile makes otherwise on purpose
  std::vector<Lost> lost;
  std::vector<std::string> unused;  // flags that say nothing about the workload
  bool says_capacity = false;
  // How GKE provisions the nodes, where no pools are created; `model` is empty for on-demand.
  struct LaunchCapacity {
    std::string model, reservation;
  };
  std::optional<LaunchCapacity> capacity = {};
  Lost slices = {};  // the flag with their number; empty: there is none
  // Why nothing is made of it.
  enum class Refused : std::uint8_t { no, other_device };
  Refused refused = Refused::no;
};

struct NodeCommand {
  std::string name;     // `container node-pools create`
  std::string operand;  // what it is about, `my-pool`
  std::vector<Flag> flags;
  std::vector<extract::Unfilled> unread;  // variables that may hold options
  std::vector<std::string> conditions;    // that a script checks on pools: `config.spot=True`
  Span where;
  Span loop;  // see extract::Command
  extract::ResourceBlock block = {};
  bool claimed = false;                       // an earlier spec creates what it creates
  std::shared_ptr<const Launch> launch = {};  // null: the input has the command itself

  // The last, which is the one that gcloud takes, or null.
  const Flag* find(std::string_view flag) const;
  bool has(std::string_view flag) const { return find(flag) != nullptr; }
  std::string value(std::string_view flag) const;
};

// Programs whose commands are read, for extract::read_shell.
const std::vector<std::string_view>& programs();

// Nothing for commands that say nothing about a workload or its nodes.
std::optional<NodeCommand> node_command(const extract::Command& command);

}  // namespace flexslice::imports
