// The dep file of -MD and -MF: what make has to look at to know whether an output is current.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flexslice::cli {

// Says whether make can have a file of that name at all: it cannot have control characters, `;` or
// `|` in it, nor `&`, a backslash, a space or `(…)` at its end.
bool make_can_name(std::string_view name);

// One rule: every target depends on every prerequisite.
std::string make_rule(std::span<const std::string> targets,
                      std::span<const std::string> prerequisites);
// A target without a rule for each, so that make does not stop when one of these files is gone
// (gcc's -MP).
std::string make_phony(const std::set<std::string>& names);

// `build/job.d` for `build/job.yaml`, as gcc has it.
std::string dep_file_of(const std::string& output);

}  // namespace flexslice::cli
