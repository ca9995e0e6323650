// PersistentVolumeClaims of the input as fields of the volumes that mount them.
#pragma once

#include <string_view>
#include <vector>

#include "import/compare.hpp"
#include "import/input.hpp"
#include "import/path.hpp"
#include "import/trial.hpp"
#include "import/workload.hpp"

namespace flexslice::imports {

// The kinds of volumes.yaml, whose objects no patch reaches.
bool is_of_volumes(std::string_view kind);

// Says class and size of each claim that the input has once and only this workload mounts.
void add_claims(const FoundWorkload& workload, const std::vector<FoundObject>& objects,
                yaml::Value& fields);

// Says whether compile makes the claim of the input: labels and annotations may be added.
bool is_same_claim(const std::vector<Difference>& differences);

// The volumes' `pvc` of the draft about which the trial has an error, but for their names.
std::vector<Path> refused_claims(const Trial& trial);

// Says the claim of that name, or the one that the trial refuses, by its name alone, so that it
// stays somebody else's. Returns whether there was one.
bool leave_claim(std::string_view name, yaml::Value& spec);
bool leave_refused_claims(const Trial& trial, yaml::Value& spec);

}  // namespace flexslice::imports
