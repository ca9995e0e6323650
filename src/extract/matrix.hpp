// Values of a GitHub workflow that stand in its scripts as `${{ … }}`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "extract/excerpt.hpp"
#include "yaml/node.hpp"

namespace flexslice::extract {

using Expressions = std::map<std::string, std::string, std::less<>>;  // by `matrix.hosts`

// The runs of a job by its `strategy.matrix`; one without values where there is no matrix, or where
// the workflow does not say all of it.
std::vector<Expressions> matrix_of(const yaml::Node& job);

// Returns nothing if one of the expressions in the text is not known.
std::optional<std::string> fill_expressions(std::string_view text, const Expressions& values);
// The script with the values in place; expressions that are not known stay.
Excerpt fill_expressions(const Excerpt& script, const Expressions& values);

}  // namespace flexslice::extract
