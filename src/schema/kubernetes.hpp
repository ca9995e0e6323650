// Tables of Kubernetes' own types, where a spec or a manifest writes them as they are: decode
// judges such pieces by them, and the JSON Schema has them as definitions. Each is made of
// kubernetes.yaml when it is first asked for, since most specs need none.
#pragma once

#include "schema/table.hpp"

namespace flexslice::schema::kubernetes {

// The table of a type of that file, such as `Container`.
const Table& table(std::string_view type);

}  // namespace flexslice::schema::kubernetes
