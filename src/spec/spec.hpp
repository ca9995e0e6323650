// A user's file as structs: what was written, with the place of each value, nothing derived. The field tables stand in fields.cpp;
// resolve (plan/) turns a Spec into a Plan. The meaning of each field is its row's `doc`.
#pragma once

#include <span>
#include <string_view>

#include "record/record.hpp"

namespace flexslice::spec {

using record::Flag;
using record::Integer;
using record::List;
using record::Map;
using record::Text;
using record::Tree;
using record::Where;

struct Cluster {
  Where where;
  Text name, location, project, mode, version;
  Flag create;
};

struct Tpu {
  Where where;
  Text type, topology, machine_type;
  Integer slices;
};

struct Provisioning {
  Where where;
  Text model;
  List<Text> zones;
  Text node_pool;
  Integer max_nodes;
  Text max_run_duration, reservation, queue;
};

// Exactly one of value, secret and config_map; `key` belongs to the latter two.
struct EnvValue {
  Where where;
  Text value, secret, config_map, key;
};

struct Port {
  Where where;
  Integer port;
  Text name;
};

struct LocalName {
  Where where;
  Text name;
};

struct Toleration {
  Where where;
  Text key, op, value, effect;
  Integer toleration_seconds;
};

struct SizedVolume {
  Where where;
  Text size_limit;
};

struct GcsVolume {
  Where where;
  Text bucket, mount_options;
};

// Exactly one source.
struct Volume {
  Where where;
  Text name, mount_path;
  Flag read_only;
  SizedVolume memory, empty_dir;
  Text pvc;
  GcsVolume gcs;
  Text config_map, secret, host_path;
};

struct Resources {
  Where where;
  Text cpu, memory, ephemeral_storage;
};

struct Workload {
  Where where;
  Text kind, image;
  List<Text> command, args;
  Text script;
  Map<EnvValue> env;
  List<Port> ports;
  Resources resources;
  Text service_account;
  List<LocalName> image_pull_secrets;
  Flag privileged;
  Tree security_context;
  Text priority_class, termination_grace;
  List<Toleration> tolerations;
  Map<Text> node_selector;
  Flag host_network;
  List<Tree> init_containers, sidecars;
  List<Volume> volumes;
  Integer backoff_limit;
  Text restart_policy, active_deadline, ttl_after_finished;
  Integer max_restarts;
};

struct Target {
  Where where;
  Text kind, name;
};

struct Patch {
  Where where;
  Target target;
  Tree merge;
};

struct Spec {
  Where where;
  Text api_version, name, name_space;
  Map<Text> labels, annotations;
  Cluster cluster;
  Tpu tpu;
  Provisioning provisioning;
  Workload workload;
  List<Patch> patches;
};

// The words of spec/kinds.def.
std::span<const std::string_view> workload_kinds();

}  // namespace flexslice::spec

namespace flexslice::record {

#define FS_TABLE(type)         \
  template <>                  \
  struct TableOf<spec::type> { \
    static const Table table;  \
  };
FS_TABLE(Cluster)
FS_TABLE(Tpu)
FS_TABLE(Provisioning)
FS_TABLE(EnvValue)
FS_TABLE(Port)
FS_TABLE(LocalName)
FS_TABLE(Toleration)
FS_TABLE(SizedVolume)
FS_TABLE(GcsVolume)
FS_TABLE(Volume)
FS_TABLE(Resources)
FS_TABLE(Workload)
FS_TABLE(Target)
FS_TABLE(Patch)
FS_TABLE(Spec)
#undef FS_TABLE

}  // namespace flexslice::record
