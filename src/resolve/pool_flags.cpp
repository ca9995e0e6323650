#include "resolve/pool_flags.hpp"

#include "spec/spec_fields.hpp"

namespace flexslice::resolve {

std::vector<PassedField> passed_fields(const spec::Provisioning& claims,
                                       const catalog::Catalog& catalog) {
  std::vector<PassedField> given;
  for (const catalog::PoolFlag& row : catalog.pool_flags) {
    const schema::Field* field = schema::TableOf<spec::Provisioning>::table.find(row.field);
    if (field == nullptr) continue;
    const void* claim = field->of(&claims);
    const schema::Where& where = field->type->where(const_cast<void*>(claim));
    if (where.usable()) given.push_back({&row, &where, {field->type, claim}});
  }
  return given;
}

}  // namespace flexslice::resolve
