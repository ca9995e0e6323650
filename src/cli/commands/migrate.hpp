// The script by which what one side of a comparison describes becomes what the other describes:
// `diff --emit migrate`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "change/change.hpp"
#include "driver/driver.hpp"

namespace flexslice::cli {

// By the keys of change::Side.
using CompiledSide = std::map<std::string, Compiled>;

struct Migration {
  const std::vector<change::SpecChange>& changes;
  const CompiledSide &before, &after;
  std::map<std::string, std::vector<yaml::Value>> queues;  // of the second side, by cluster
  std::string from, to;                                    // as the user calls the sides
  const catalog::Catalog& catalog;
  bool deletes_first = false;
};

// New node pools come first, so that a lack of capacity takes nothing away; then old workloads that
// end and pools of the same names go, new workloads come, and at last what served until now goes.
// With `deletes_first` all deletions come first. Each step does nothing where it is done already.
// Throws Failure where a script cannot make the change.
std::string migration_script(const Migration& migration, const templates::Set& templates);

}  // namespace flexslice::cli
