// The workload kinds: for each word of spec/kinds.def a function, in a file of its own. Private to lower/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lower/lower.hpp"

namespace flexslice::lower {

#define FS_KIND(word, kind, pod_label) std::vector<yaml::Value> lower_##word(const Inputs& inputs);
#include "spec/kinds.def"
#undef FS_KIND

// The pods of the workload, as `--selector` takes it.
std::string pod_selector(const plan::Plan& plan);

// Expands a template with the inputs' document.
yaml::Value expand(const Inputs& inputs, std::string_view name);

}  // namespace flexslice::lower
