// Commands of scripts by their words: those that create node pools, clusters and workload policies,
// the checks of compiled scripts, and those of xpk, which import refuses. input.cpp calls it.
#pragma once

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
                                  list_pools = "container node-pools list",
                                  xpk_workload = "workload create",
                                  xpk_pathways = "workload create-pathways";

struct Flag {
  std::string name;   // `--num-nodes`
  std::string value;  // empty for one without
  Span where;
  std::string by_shell = {};        // `$(…)`, for which the value is a placeholder
  bool has_empty_variable = false;  // the value is empty since that of a variable is
};

struct Command {
  std::string name;     // `container node-pools create`
  std::string operand;  // what it is about, `my-pool`
  std::vector<Flag> flags;
  std::vector<extract::Unfilled> unread;  // variables that may hold options
  std::vector<std::string> conditions;    // that a script checks on pools: `config.spot=True`
  Span where;
  Span loop;  // see extract::Command
  extract::ResourceBlock block = {};
  bool claimed = false;  // an earlier spec creates what it creates

  // The last, which is the one that gcloud takes, or null.
  const Flag* find(std::string_view flag) const;
  bool has(std::string_view flag) const { return find(flag) != nullptr; }
  std::string value(std::string_view flag) const;
};

// Programs whose commands are read, for extract::read_shell.
const std::vector<std::string_view>& programs();

// Nothing for commands that say nothing about a workload or its nodes.
std::optional<Command> read_command(const extract::Command& command);

}  // namespace flexslice::imports
