// Upgrades that `check --upgrade` asks for, and what the catalog knows of them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "yaml/node.hpp"

namespace flexslice::rules {

struct Upgrade {
  std::string program;  // the word of a controller, or `gke`
  std::string release;
  std::string from = {};  // what the cluster has now; empty: not known
};

// `Kueue`, or `GKE`.
std::string_view program_title(const catalog::Catalog& catalog, std::string_view program);
// The rows of the catalog between both releases.
std::vector<const catalog::UpgradeEffect*> effects_of(const catalog::Catalog& catalog,
                                                      const Upgrade& upgrade);
// Reports what the upgrades do to objects that compile made. Findings about what no text of the
// spec says are at `otherwise`.
void judge_upgrades(std::span<const yaml::Node> objects, const catalog::Catalog& catalog,
                    std::span<const Upgrade> upgrades, Span otherwise, diag::Sink& sink);

}  // namespace flexslice::rules
