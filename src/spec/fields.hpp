// The tables by which a spec is decoded into claims. The driver decodes with them; the schema, the
// field reference and `explain` print them.
#pragma once

#include "claims/claims.hpp"
#include "schema/table.hpp"

namespace flexslice::schema {

#define FS_TABLE(type)        \
  template <>                 \
  struct TableOf<type> {      \
    static const Table table; \
  };
FS_TABLE(claims::Cluster)
FS_TABLE(claims::Tpu)
FS_TABLE(claims::Provisioning)
FS_TABLE(claims::EnvValue)
FS_TABLE(claims::Port)
FS_TABLE(claims::LocalName)
FS_TABLE(claims::Toleration)
FS_TABLE(claims::SizedVolume)
FS_TABLE(claims::GcsVolume)
FS_TABLE(claims::Volume)
FS_TABLE(claims::Resources)
FS_TABLE(claims::Leader)
FS_TABLE(claims::RayHead)
FS_TABLE(claims::Ray)
FS_TABLE(claims::Workload)
FS_TABLE(claims::Target)
FS_TABLE(claims::Patch)
FS_TABLE(claims::Claims)
#undef FS_TABLE

}  // namespace flexslice::schema
