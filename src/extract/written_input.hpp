// Tells whether kubectl gets a text of a script as it is written there.
#pragma once

#include <string_view>

#include "extract/shell.hpp"

namespace flexslice::extract {

// No: a program of its line, or one that gets the file or the variable which takes it, writes
// another text; or the text is a part, a comment, or meant to be refused.
bool is_applied_as_written(std::string_view script, const HereText& here);

}  // namespace flexslice::extract
