// Patches that are written in a kustomization itself.
#pragma once

#include <vector>

#include "extract/excerpt.hpp"

namespace flexslice::extract {

std::vector<Excerpt> inline_patches(const Excerpt& document);

}  // namespace flexslice::extract
