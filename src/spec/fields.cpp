// THE field table: every field of the spec language, once. Decoding, `flexslice schema` and
// schemas/fields.md are made from it.
#include "spec/fields.hpp"

#include <array>

#include "claims/kinds.hpp"
#include "spec/foreign.hpp"

namespace flexslice::schema {

namespace {

using namespace claims;
using namespace spec;
using enum Presence;

constexpr std::string_view versions[] = {"flexslice/v1"};
constexpr std::string_view modes[] = {"standard", "autopilot"};
constexpr std::string_view restart_policies[] = {"Never", "OnFailure"};
constexpr std::string_view operators[] = {"Equal", "Exists"};
constexpr std::string_view effects[] = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
constexpr auto kind_words = [] {
  std::array<std::string_view, std::size(claims::kinds)> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = claims::kinds[i].word;
  return words;
}();

constexpr Rule pattern(Pattern pattern) {
  return {.pattern = pattern, .not_empty = pattern == Pattern::any};
}
constexpr Rule one_of(std::span<const std::string_view> choices) { return {.choices = choices}; }
constexpr Rule known_to_catalog(std::string_view set) {
  return {.choices_of = set, .not_empty = true};
}
constexpr Rule between(std::int64_t min, std::int64_t max) { return {.min = min, .max = max}; }
constexpr Rule map_of(Pattern key, Pattern value) { return {.pattern = value, .key_pattern = key}; }

constexpr Field cluster_fields[] = {
    field<&Cluster::name>("name", optional, pattern(Pattern::gke_name),
                          {"The GKE cluster. Required on Standard.", {}, "my-cluster"}),
    field<&Cluster::location>(
        "location", optional, pattern(Pattern::location),
        {"Region or zone of the cluster's control plane, as in `--location`. Required on Standard.",
         {},
         "us-east5"}),
    field<&Cluster::project>("project", optional, pattern(Pattern::project),
                             {"Adds `--project` to every gcloud command.",
                              "the project that gcloud is configured for", "my-project"}),
    field<&Cluster::mode>("mode", optional, one_of(modes),
                          {"Autopilot has no node pools of one's own: no pool commands are "
                           "written, and other rules hold.",
                           "standard", "autopilot"}),
    field<&Cluster::version>("version", optional, pattern(Pattern::gke_version),
                             {"The cluster's GKE version. If given, every feature in use is "
                              "checked against the version it needs.",
                              {},
                              "1.33.2-gke.1240000"}),
    field<&Cluster::create>("create", optional, {},
                            {"true: the scripts also create the cluster, and delete it on "
                             "clean-up. false: they never touch it.",
                             "false", "true"}),
};

constexpr Field tpu_fields[] = {
    field<&Tpu::type>(
        "type", required, known_to_catalog("generations"),
        {"TPU generation. An accelerator label value such as `tpu-v6e-slice` is taken as well.",
         {},
         "v6e"}),
    field<&Tpu::topology>("topology", required, known_to_catalog("topologies"),
                          {"Shape of one slice in chips, as in `--tpu-topology`. `flexslice "
                           "catalog` lists those that exist.",
                           {},
                           "4x4"}),
    field<&Tpu::machine_type>("machineType", optional, known_to_catalog("machine types"),
                              {"Compute Engine machine type of the nodes. Required where several "
                               "fit: 2x4 is one 8-chip host or two 4-chip hosts.",
                               "the one that fits", "ct6e-standard-4t"}),
    field<&Tpu::slices>("slices", optional, between(1, 1000),
                        {"How many slices work together. More than one is Multislice: a node pool "
                         "for each, and a JobSet.",
                         "1", "2"}),
};

constexpr Field provisioning_fields[] = {
    field<&Provisioning::model>("model", optional, known_to_catalog("models"),
                                {"How the nodes are had.", "flex-start", "spot"}),
    field<&Provisioning::zones>("zones", optional, {.pattern = Pattern::zone, .not_empty = true},
                                {"Zones of the nodes, as in `--node-locations`. A multi-host slice "
                                 "lives in exactly one. Required on Standard "
                                 "when `cluster.location` is a region.",
                                 "the zone that `cluster.location` is", "[us-east5-b]"}),
    field<&Provisioning::node_pool>(
        "nodePool", optional, pattern(Pattern::gke_name),
        {"Name of the node pool. With several slices `-0`, `-1` and so on are added.",
         "`name` + `-pool`", "tpu-pool"}),
    field<&Provisioning::max_nodes>(
        "maxNodes", optional, between(1, 1000),
        {"Largest number of nodes in each zone of a single-host pool; where nothing scales the "
         "pool, the number of them, all billed. A "
         "multi-host pool always has as many as the slice has hosts.",
         "1", "4"}),
    field<&Provisioning::max_run_duration>("maxRunDuration", optional, pattern(Pattern::duration),
                                           {"How long a node lives under flex-start, from `10m` to "
                                            "`7d`. It is a limit of the node, not of the workload.",
                                            "7d", "2h"}),
    field<&Provisioning::reservation>(
        "reservation", optional, pattern(Pattern::reservation),
        {"The reservation to use, by name or path, with its block and sub-block. Required by, and "
         "only for, the model `reservation`.",
         {},
         "projects/my-project/reservations/my-tpus"}),
    field<&Provisioning::queue>("queue", optional, pattern(Pattern::dns_label),
                                {"Kueue LocalQueue that admits the workload. Compile all specs of "
                                 "a queue in one run: they share its ClusterQueue.",
                                 {},
                                 "team-a"}),
};

constexpr std::string_view env_sources[] = {"value", "secret", "configMap"};
constexpr Field env_fields[] = {
    field<&EnvValue::value>(
        "value", optional, {},
        {"The value itself; the mapping can be left out and just the string written.",
         {},
         "\"1\""}),
    field<&EnvValue::secret>("secret", optional, pattern(Pattern::dns_subdomain),
                             {"Name of the Secret that holds the value.", {}, "hf-token"}),
    field<&EnvValue::config_map>("configMap", optional, pattern(Pattern::dns_subdomain),
                                 {"Name of the ConfigMap that holds the value.", {}, "settings"}),
    field<&EnvValue::key>("key", optional, pattern(Pattern::data_key),
                          {"Key in the Secret or ConfigMap.", {}, "token"}),
};

constexpr Field port_fields[] = {
    field<&Port::port>(
        "port", required, between(1, 65535),
        {"Container port; the mapping can be left out and just the number written.", {}, "9000"}),
    field<&Port::name>("name", optional, pattern(Pattern::port_name),
                       {"Name of the port.", {}, "metrics"}),
};

constexpr Field local_name_fields[] = {
    field<&LocalName::name>(
        "name", required, pattern(Pattern::dns_subdomain),
        {"Name of the Secret; the mapping can be left out and just the name written.",
         {},
         "registry-key"}),
};

constexpr Field toleration_fields[] = {
    field<&Toleration::key>(
        "key", optional, pattern(Pattern::label_key),
        {"Key of the taint; left out, with operator Exists, it tolerates all.", {}, "dedicated"}),
    field<&Toleration::op>("operator", optional, one_of(operators),
                           {"How `value` is compared.", "Equal", "Exists"}),
    field<&Toleration::value>("value", optional, {.pattern = Pattern::label_value},
                              {"Value of the taint.", {}, "tpu"}),
    field<&Toleration::effect>("effect", optional, one_of(effects),
                               {"Effect of the taint; left out, all effects.", {}, "NoSchedule"}),
    field<&Toleration::toleration_seconds>(
        "tolerationSeconds", optional, between(0, 1'000'000'000),
        {"Seconds for which a NoExecute taint is tolerated.", {}, "300"}),
};

constexpr Field sized_volume_fields[] = {
    field<&SizedVolume::size_limit>("sizeLimit", optional,
                                    {.pattern = Pattern::quantity, .any_scalar = true},
                                    {"Largest size.", "no limit of its own", "16Gi"}),
};

constexpr Field gcs_volume_fields[] = {
    field<&GcsVolume::bucket>(
        "bucket", required, pattern(Pattern::bucket),
        {"Cloud Storage bucket, mounted through Cloud Storage FUSE.", {}, "my-bucket"}),
    field<&GcsVolume::mount_options>(
        "mountOptions", optional, pattern(Pattern::any),
        {"Options of Cloud Storage FUSE, separated by commas.", {}, "implicit-dirs"}),
};

constexpr std::string_view volume_sources[] = {"memory",    "emptyDir", "pvc",     "gcs",
                                               "configMap", "secret",   "hostPath"};
constexpr Field volume_fields[] = {
    field<&Volume::name>("name", required, pattern(Pattern::dns_label),
                         {"Name of the volume.", {}, "data"}),
    field<&Volume::mount_path>("mountPath", required, pattern(Pattern::absolute_path),
                               {"Where the workload's container sees it.", {}, "/data"}),
    field<&Volume::read_only>("readOnly", optional, {}, {"Mount it read-only.", "false", "true"}),
    field<&Volume::memory>("memory", optional, {},
                           {"An emptyDir in memory, for example for /dev/shm. It counts against "
                            "the container's memory.",
                            {},
                            "{sizeLimit: 16Gi}"}),
    field<&Volume::empty_dir>("emptyDir", optional, {},
                              {"An emptyDir on the node's disk.", {}, "{}"}),
    field<&Volume::pvc>("pvc", optional, pattern(Pattern::dns_subdomain),
                        {"Name of a PersistentVolumeClaim.", {}, "datasets"}),
    field<&Volume::gcs>(
        "gcs", optional, {},
        {"A Cloud Storage bucket through the FUSE CSI driver.", {}, "{bucket: my-bucket}"}),
    field<&Volume::config_map>("configMap", optional, pattern(Pattern::dns_subdomain),
                               {"Name of a ConfigMap.", {}, "settings"}),
    field<&Volume::secret>("secret", optional, pattern(Pattern::dns_subdomain),
                           {"Name of a Secret.", {}, "credentials"}),
    field<&Volume::host_path>("hostPath", optional, pattern(Pattern::node_path),
                              {"A path of the node. Not on Autopilot.", {}, "/tmp/cache"}),
};

constexpr Rule quantity{.pattern = Pattern::quantity, .any_scalar = true};
constexpr Field resources_fields[] = {
    field<&Resources::cpu>("cpu", optional, quantity, {"CPUs to request.", {}, "\"8\""}),
    field<&Resources::memory>("memory", optional, quantity,
                              {"Memory to request and limit.", {}, "64Gi"}),
    field<&Resources::ephemeral_storage>("ephemeral-storage", optional, quantity,
                                         {"Node disk to request and limit.", {}, "50Gi"}),
};

constexpr Field workload_fields[] = {
    field<&Workload::kind>(
        "kind", optional, one_of(kind_words),
        {"Kubernetes kind of the workload.", "job for one slice, jobset for more", "jobset"}),
    field<&Workload::image>(
        "image", required, pattern(Pattern::image),
        {"Container image.", {}, "us-docker.pkg.dev/cloud-tpu-images/jax-ai-image/tpu:latest"}),
    field<&Workload::command>(
        "command", optional, {.not_empty = true},
        {"Entrypoint, as in Kubernetes.", "the image's", "[python, train.py]"}),
    field<&Workload::args>("args", optional, {.not_empty = true},
                           {"Arguments, as in Kubernetes.", "the image's", "[\"3600s\"]"}),
    field<&Workload::script>(
        "script", optional, pattern(Pattern::any),
        {"A bash script, run as `bash -c`. Excludes `command`.", {}, "python train.py"}),
    field<&Workload::env>(
        "env", optional, map_of(Pattern::env_name, Pattern::any),
        {"Environment variables, each a string or a reference.", {}, "{LOG_LEVEL: debug}"}),
    field<&Workload::ports>("ports", optional, {.not_empty = true},
                            {"Container ports, added to those that TPUs need.", {}, "[9000]"}),
    field<&Workload::resources>("resources", optional, {},
                                {"CPU, memory and disk beside the TPU chips.", {}, "{cpu: \"8\"}"}),
    field<&Workload::service_account>(
        "serviceAccount", optional, pattern(Pattern::dns_subdomain),
        {"Kubernetes service account of the pods.", "default", "trainer"}),
    field<&Workload::image_pull_secrets>("imagePullSecrets", optional, {.not_empty = true},
                                         {"Secrets for pulling the image.", {}, "[registry-key]"}),
    field<&Workload::privileged>("privileged", optional, {},
                                 {"Run the container privileged. TPUs have not needed it since GKE "
                                  "1.28; Autopilot refuses it.",
                                  "false", "true"}),
    field<&Workload::security_context>(
        "securityContext", optional, {},
        {"Security context of the pods, as in Kubernetes.", {}, "{runAsUser: 1000}"}),
    field<&Workload::priority_class>("priorityClass", optional, pattern(Pattern::dns_subdomain),
                                     {"PriorityClass of the pods.", {}, "high"}),
    field<&Workload::termination_grace>(
        "terminationGrace", optional, pattern(Pattern::duration),
        {"How long a pod may take to stop, for example to save a checkpoint.", "30s", "2m"}),
    field<&Workload::tolerations>(
        "tolerations", optional, {.not_empty = true},
        {"Tolerations, added to the derived ones.", {}, "[{key: dedicated, operator: Exists}]"}),
    field<&Workload::node_selector>("nodeSelector", optional,
                                    map_of(Pattern::label_key, Pattern::label_value),
                                    {"Node labels, added to the derived ones.", {}, "{team: a}"}),
    field<&Workload::host_network>(
        "hostNetwork", optional, {},
        {"Use the node's network. Breaks Workload Identity and Cloud Storage FUSE.", "false",
         "true"}),
    field<&Workload::init_containers>(
        "initContainers", optional, {.not_empty = true},
        {"Containers that run first, as in Kubernetes.", {}, "[{name: fetch, image: busybox}]"}),
    field<&Workload::sidecars>(
        "sidecars", optional, {.not_empty = true},
        {"Containers that run beside the workload and end with it, as in Kubernetes.",
         {},
         "[{name: logs, image: busybox}]"}),
    field<&Workload::volumes>(
        "volumes", optional, {.not_empty = true},
        {"Volumes, each with one source, mounted into the workload's container.",
         {},
         "[{name: shm, mountPath: /dev/shm, memory: {}}]"}),
    field<&Workload::backoff_limit>("backoffLimit", optional, between(0, 100'000),
                                    {"How many failed pods are replaced before the Job fails.",
                                     "0 for several hosts, Kubernetes' own 6 for one", "3"}),
    field<&Workload::restart_policy>("restartPolicy", optional, one_of(restart_policies),
                                     {"Whether a failed container is restarted in its pod.",
                                      "Never for several hosts, OnFailure for one", "Never"}),
    field<&Workload::active_deadline>(
        "activeDeadline", optional, pattern(Pattern::duration),
        {"When to give the workload up, counted from its start.", {}, "6h"}),
    field<&Workload::ttl_after_finished>(
        "ttlAfterFinished", optional, pattern(Pattern::duration),
        {"When to delete the workload after it has finished.", "never", "1d"}),
    field<&Workload::max_restarts>(
        "maxRestarts", optional, between(0, 1000),
        {"How often a JobSet starts all its slices anew after a failure.", "0", "3"}),
};

constexpr Field target_fields[] = {
    field<&Target::kind>("kind", required, pattern(Pattern::any),
                         {"Kind of the generated object, `Job`, `Service` or another.", {}, "Job"}),
    field<&Target::name>("name", optional, pattern(Pattern::dns_subdomain),
                         {"Name of the object, where several of a kind are generated.",
                          "every object of the kind", "train"}),
};

constexpr Field patch_fields[] = {
    field<&Patch::target>("target", required, {},
                          {"The generated objects to change.", {}, "{kind: Job}"}),
    field<&Patch::merge>(
        "merge", required, {},
        {"A JSON merge patch (RFC 7386): mappings merge, null deletes, everything else replaces.",
         {},
         "{spec: {suspend: true}}"}),
};

constexpr Field spec_fields[] = {
    field<&Claims::api_version>("apiVersion", required, one_of(versions),
                                {"Version of this language.", {}, "flexslice/v1"}),
    field<&Claims::name>(
        "name", required, pattern(Pattern::workload_name),
        {"Names the workload; the Service, the node pool and the pods are named after it.",
         {},
         "train"}),
    field<&Claims::name_space>(
        "namespace", optional, pattern(Pattern::dns_label),
        {"Kubernetes namespace of all objects.", "the one kubectl uses", "team-a"}),
    field<&Claims::labels>("labels", optional, map_of(Pattern::label_key, Pattern::label_value),
                           {"Labels on every Kubernetes object, and on the node pool where Google "
                            "Cloud can have them.",
                            {},
                            "{team: a}"}),
    field<&Claims::annotations>("annotations", optional, map_of(Pattern::label_key, Pattern::any),
                                {"Annotations on every Kubernetes object.", {}, "{owner: me}"}),
    field<&Claims::cluster>(
        "cluster", optional, {},
        {"The cluster to run on.", {}, "{name: my-cluster, location: us-east5}"}),
    field<&Claims::tpu>("tpu", required, {},
                        {"The TPUs of the workload.", {}, "{type: v6e, topology: 4x4}"}),
    field<&Claims::provisioning>("provisioning", optional, {},
                                 {"How the nodes are had.", {}, "{model: flex-start}"}),
    field<&Claims::workload>("workload", required, {}, {"What runs.", {}, "{image: busybox}"}),
    field<&Claims::patches>(
        "patches", optional, {.not_empty = true},
        {"Changes to generated objects, the way out for every field not named here.",
         {},
         "[{target: {kind: Job}, merge: {spec: {suspend: true}}}]"}),
};

}  // namespace

const Table TableOf<Cluster>::table{
    .name = "cluster", .fields = cluster_fields, .foreign = cluster_foreign};
const Table TableOf<Tpu>::table{.name = "tpu", .fields = tpu_fields, .foreign = tpu_foreign};
const Table TableOf<Provisioning>::table{
    .name = "provisioning", .fields = provisioning_fields, .foreign = provisioning_foreign};
const Table TableOf<EnvValue>::table{"env value", env_fields, "value", env_sources, env_foreign};
const Table TableOf<Port>::table{"port", port_fields, "port"};
const Table TableOf<LocalName>::table{"name", local_name_fields, "name"};
const Table TableOf<Toleration>::table{"toleration", toleration_fields};
const Table TableOf<SizedVolume>::table{"emptyDir", sized_volume_fields};
const Table TableOf<GcsVolume>::table{"gcs", gcs_volume_fields};
const Table TableOf<Volume>::table{"volume", volume_fields, {}, volume_sources, volume_foreign};
const Table TableOf<Resources>::table{
    .name = "resources", .fields = resources_fields, .foreign = resources_foreign};
const Table TableOf<Workload>::table{.name = "workload",
                                     .fields = workload_fields,
                                     .foreign = workload_foreign,
                                     .otherwise = workload_otherwise};
const Table TableOf<Target>::table{"target", target_fields};
const Table TableOf<Patch>::table{"patch", patch_fields};
const Table TableOf<Claims>::table{.name = "spec", .fields = spec_fields, .foreign = spec_foreign};

}  // namespace flexslice::schema
