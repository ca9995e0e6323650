// The tables by which a spec is decoded into claims. The driver decodes with them; the schema, the
// field reference and `explain` print them.
#pragma once

#include "schema/table.hpp"
#include "spec/claims.hpp"

namespace flexslice::schema {

#define FS_TABLE(type)        \
  template <>                 \
  struct TableOf<type> {      \
    static const Table table; \
  };
FS_TABLE(spec::Cluster)
FS_TABLE(spec::Tpu)
FS_TABLE(spec::Controllers)
FS_TABLE(spec::Queue)
FS_TABLE(spec::Priority)
FS_TABLE(spec::BorrowPreemption)
FS_TABLE(spec::QueuePreemption)
FS_TABLE(spec::TeamQueue)
FS_TABLE(spec::Provisioning)
FS_TABLE(spec::EnvValue)
FS_TABLE(spec::Port)
FS_TABLE(spec::LocalName)
FS_TABLE(spec::Toleration)
FS_TABLE(spec::SizedVolume)
FS_TABLE(spec::GcsVolume)
FS_TABLE(spec::ClaimVolume)
FS_TABLE(spec::Volume)
FS_TABLE(spec::Checkpoints)
FS_TABLE(spec::Resources)
FS_TABLE(spec::Leader)
FS_TABLE(spec::Autoscaling)
FS_TABLE(spec::Gateway)
FS_TABLE(spec::RayHead)
FS_TABLE(spec::Ray)
FS_TABLE(spec::Pathways)
FS_TABLE(spec::Schedule)
FS_TABLE(spec::Workload)
FS_TABLE(spec::Budget)
FS_TABLE(spec::Target)
FS_TABLE(spec::Patch)
FS_TABLE(spec::Matrix)
FS_TABLE(spec::Place)
FS_TABLE(spec::Claims)
#undef FS_TABLE

}  // namespace flexslice::schema
