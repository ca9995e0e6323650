// Commands of kubectl that take objects from a here-document.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "extract/shell.hpp"

namespace flexslice::extract {

// `-n` of the command within `where` that creates the objects of its standard input; empty: it has
// none. A value that is not known is a placeholder. Returns nothing if no command creates them.
std::optional<std::string> namespace_of_input(std::span<const Command> commands, Span where);

}  // namespace flexslice::extract
