// Command lines of xpk as specs: `xpk workload create` makes a JobSet on the pools that
// `xpk cluster create` has made. import.cpp calls it.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "import/input.hpp"

namespace flexslice::imports {

struct XpkSpec {
  yaml::Value spec;
  std::vector<std::string> todo;            // required facts that the command lacks, in words
  std::vector<Flag> lost;                   // flags that a spec has no field for
  std::vector<extract::Unfilled> unfilled;  // what is text in the spec, and only the shell knows
};

std::string device_of(const Command& workload);  // `v6e-16`
// Not those on GPUs or CPUs.
bool uses_tpus(const Command& workload);

XpkSpec spec_of_xpk(const Command& workload, const Material& input,
                    const catalog::Catalog& catalog);

}  // namespace flexslice::imports
