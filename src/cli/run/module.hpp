// Files that Terraform reads together. lint and import call it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/source.hpp"

namespace flexslice::cli {

// The other files of the module that a file of Terraform belongs to: those among `named`, and, if
// `whole`, all of the folder that Terraform reads by itself. A folder that is too large has none,
// and a file that cannot be read is left out.
std::vector<Source> module_of(const std::string& path, std::span<const std::string> named,
                              bool whole);

// All that is named, `-` for stdin: files, and of a directory those that lint reads, with those
// that Terraform reads with them.
Sources read_paths(std::span<const std::string> named);

}  // namespace flexslice::cli
