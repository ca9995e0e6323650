// The promise that no generated command has a flag which the stated gcloud lacks. driver calls it
// on the scripts.
#pragma once

#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "yaml/value.hpp"

namespace flexslice::gcloud {

// Reports each unknown flag of the gcloud commands in `script` once, at `where`.
void check_flags(const yaml::Value& script, const catalog::Catalog& catalog, Span where,
                 diag::Sink& sink);

}  // namespace flexslice::gcloud
