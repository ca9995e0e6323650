// Completion scripts for shells, made of the commands' manuals. Private to cli/.
#pragma once

#include <string>
#include <vector>

#include "cli/manual.hpp"

namespace flexslice::cli {

// One command with what each of its arguments can be.
struct Completed {
  Manual manual;
  std::vector<ArgumentWords> options;  // of manual.options, one for each
  ArgumentWords positional;
};

std::string bash_completion(const std::vector<Completed>& commands);
std::string zsh_completion(const std::vector<Completed>& commands);
std::string fish_completion(const std::vector<Completed>& commands);

}  // namespace flexslice::cli
