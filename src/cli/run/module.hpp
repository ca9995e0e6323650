// Files that Terraform reads together. lint and import call it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/source.hpp"

namespace flexslice::cli {

// The other files of a module: those of its folder that Terraform reads by itself, if it is
// `whole`, and those of it that are among `named`. Of a folder that is too large, or of a file that
// cannot be read, nothing.
std::vector<Source> module_of(const std::string& path, std::span<const std::string> named,
                              bool whole);

// All that is named, `-` for stdin: files, and of a directory those that lint reads, with those
// that Terraform reads with them.
Sources read_paths(std::span<const std::string> named);

}  // namespace flexslice::cli
