// The text of a scalar of YAML or JSON, as an excerpt that knows where each byte is in the file.
#pragma once

#include "extract/excerpt.hpp"
#include "yaml/node.hpp"

namespace flexslice::extract {

// `scalar` is of the tree of `document`. No segments: nothing is written there.
Excerpt text_of_scalar(const Excerpt& document, const yaml::Node& scalar);

}  // namespace flexslice::extract
