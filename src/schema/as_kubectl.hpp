// kubectl reads the flags and numbers of a manifest as YAML 1.1. lint and import read manifests by
// it; specs are YAML 1.2.
#pragma once

#include "yaml/node.hpp"

namespace flexslice::schema {

// Writes `true` or `false` for `yes`, `N` and the like, and decimal for `0o400`, `0x1F`, `2_5` or
// `20.0`, where the type of an object has a flag or a number there. Elsewhere they stay.
void read_as_kubectl(yaml::Node& document);

}  // namespace flexslice::schema
