// This compares the commands that create a node pool or cluster as it was and as it is to be, and
// gives the commands of gcloud that change one into the other while it exists.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "yaml/value.hpp"

namespace flexslice::cli {

struct InPlace {
  // Each with a title, and none does anything where it is done already.
  std::vector<yaml::Value> steps;
  std::vector<std::string> refused;  // flags that no command changes
  bool shrinks = false;              // nodes go, so that pods have to go before
};

// `before` and `after` are the steps of provision.sh that create it.
InPlace change_in_place(const yaml::Value& before, const yaml::Value& after,
                        const catalog::Catalog& catalog);

}  // namespace flexslice::cli
