// Files of `gcloud --flags-file=FILE`, whose flags take its place.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "extract/variables.hpp"

namespace flexslice::extract {

// The flags of the file as words of the command, all at the place of `flag`. Nothing: it is not
// such a file, or it names another one.
std::optional<std::vector<Word>> flags_in_file(std::string_view text, const Word& flag);

}  // namespace flexslice::extract
