// The fields of `provisioning` that compile only passes on to node pools, by the table of the
// catalog. Rules and the plan read them without knowing one of them.
#pragma once

#include <vector>

#include "catalog/catalog.hpp"
#include "schema/read.hpp"
#include "spec/claims.hpp"

namespace flexslice::resolve {

struct PassedField {
  const catalog::PoolFlag* row;
  const schema::Where* where;
  schema::Ref value;
};

// Returns those that the spec gives, in the order of the table.
std::vector<PassedField> passed_fields(const spec::Provisioning& claims,
                                       const catalog::Catalog& catalog);

}  // namespace flexslice::resolve
