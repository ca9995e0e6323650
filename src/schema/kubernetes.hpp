// Tables of Kubernetes' own types, where a spec or a manifest writes them as they are: decode
// judges such pieces by them, and the JSON Schema has them as definitions. tools/embed makes them
// of kubernetes.yaml.
#pragma once

#include "schema/table.hpp"

namespace flexslice::schema::kubernetes {

extern const Table container, pod_security_context;

}  // namespace flexslice::schema::kubernetes
