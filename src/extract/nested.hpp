// Scripts that the commands of a script run: `bash -c "…"`, `eval "$CMD"`, `ssh host "…"`. Which
// programs run what says wrappers.yaml.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "extract/excerpt.hpp"
#include "extract/shell.hpp"

namespace flexslice::extract {

// Names for read_shell.
const std::vector<std::string_view>& wrapper_names();

// Scripts in the words of these commands of the script, as the shell has expanded them.
std::vector<Excerpt> nested_scripts(const Excerpt& script, std::span<const Command> commands);

// A command within `where` reads the here-document there as a script.
bool runs_input(std::span<const Command> commands, Span where);

}  // namespace flexslice::extract
