// THE field table: every field of the spec language, once. Decoding, `flexslice schema` and
// schemas/fields.md are made from it.
#include "spec/spec_fields.hpp"

#include <array>

#include "spec/foreign.hpp"
#include "spec/kinds.hpp"

namespace flexslice::schema {

namespace {

using namespace spec;
using enum Pattern;

constexpr std::string_view versions[] = {"flexslice/v1"};
constexpr std::string_view pull_policies[] = {"Always", "IfNotPresent", "Never"};
constexpr std::string_view restart_policies[] = {"Never", "OnFailure"};
constexpr std::string_view operators[] = {"Equal", "Exists"};
constexpr auto kind_words = [] {
  std::array<std::string_view, std::size(spec::kinds)> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = spec::kinds[i].word;
  return words;
}();

constexpr Constraint not_empty{.not_empty = true};
constexpr Constraint containers{.not_empty = true, .shape = "Container"};
constexpr Constraint env_sources_of_kubernetes{.not_empty = true, .shape = "EnvFromSource"};
constexpr Constraint probe{.shape = "Probe"};
constexpr Constraint amount{.pattern = Pattern::quantity, .any_scalar = true};
constexpr Constraint amount_of_money{
    .pattern = Pattern::dollars, .max = 999'999'999'999, .any_scalar = true};
constexpr Constraint whole_gibibytes{.pattern = Pattern::disk_size, .any_scalar = true};
constexpr Constraint known_to_catalog(NameSet set) {
  return {.choices_of = set, .not_empty = true};
}
constexpr Constraint one_of(std::span<const std::string_view> choices) {
  return {.choices = choices};
}
constexpr Constraint between(std::int64_t min, std::int64_t max) {
  return {.min = min, .max = max};
}
constexpr Constraint map_of(Pattern key, Pattern value) {
  return {.pattern = value, .key_pattern = key};
}

// What a row says of a value: a pattern, or a whole constraint.
struct Must : Constraint {
  constexpr Must(Pattern form) : Constraint{.pattern = form} {}
  constexpr Must(Constraint constraint) : Constraint(constraint) {}
};

template <auto member>
constexpr Field optional(std::string_view key, Must must, std::string_view doc,
                         std::string_view example, std::string_view fallback = {}) {
  return field<member>(key, Presence::optional, must, {doc, fallback, example});
}
template <auto member>
constexpr Field optional(std::string_view key, std::string_view doc, std::string_view example,
                         std::string_view fallback = {}) {
  return optional<member>(key, Constraint{}, doc, example, fallback);
}
template <auto member>
constexpr Field required(auto... cells) {
  Field row = optional<member>(cells...);
  row.presence = Presence::required;
  return row;
}

// Of a workload: a field of these kinds alone. `instead` is what others have in its place.
constexpr Field only_for(std::string_view kinds, Field row, std::string_view instead = {}) {
  row.kinds = kinds;
  row.instead = instead;
  return row;
}

constexpr std::string_view runs_command = "job jobset deployment leaderworkerset rayjob";

constexpr Field cluster_fields[] = {
    optional<&Cluster::name>("name", gke_name, "The GKE cluster. Required on Standard.",
                             "my-cluster"),
    optional<&Cluster::location>(
        "location", location,
        "Region or zone of the cluster's control plane, as in `--location`. Required on Standard.",
        "us-east5"),
    optional<&Cluster::project>("project", project, "Adds `--project` to every gcloud command.",
                                "my-project", "the project that gcloud is configured for"),
    optional<&Cluster::mode>("mode", one_of(words_of<ClusterMode>),
                             "Autopilot has no user-managed node pools: no pool commands are "
                             "generated, and other rules apply.",
                             "autopilot", "standard"),
    optional<&Cluster::version>("version", gke_version,
                                "The cluster's GKE version. If given, every feature in use is "
                                "checked against the version it needs.",
                                "1.33.2-gke.1240000"),
    optional<&Cluster::create>("create",
                               "true: the scripts also create the cluster, and delete it on "
                               "cleanup. false: they never modify it.",
                               "true", "false"),
};

constexpr Field tpu_fields[] = {
    required<&Tpu::type>("type", known_to_catalog(NameSet::generations),
                         "TPU generation, or an accelerator label value such as `tpu-v6e-slice`.",
                         "v6e"),
    required<&Tpu::topology>("topology", known_to_catalog(NameSet::topologies),
                             "Shape of one slice in chips, as in `--tpu-topology`. `flexslice "
                             "catalog` lists the available ones.",
                             "4x4"),
    optional<&Tpu::machine_type>("machineType", known_to_catalog(NameSet::machine_types),
                                 "Compute Engine machine type of the nodes. Required where several "
                                 "fit: 2x4 is one 8-chip host or two 4-chip hosts.",
                                 "ct6e-standard-4t", "the one that fits"),
    optional<&Tpu::slices>(
        "slices", between(1, 1000),
        "Number of slices of that shape. Those of a JobSet are joined by Multislice; other kinds "
        "have a replica on each. A multi-host slice is a node pool, single hosts share one.",
        "2", "1"),
};

constexpr Field provisioning_fields[] = {
    optional<&Provisioning::model>("model", known_to_catalog(NameSet::models),
                                   "How nodes are provisioned.", "spot", "flex-start"),
    optional<&Provisioning::fallback>(
        "fallback", known_to_catalog(NameSet::models),
        "Models to try, in this order, where `model` has no capacity. The pods select a "
        "ComputeClass, and GKE creates the node pools; nothing is created before they wait, and no "
        "script creates or deletes node pools. Not with a queue.",
        "[spot, on-demand]"),
    optional<&Provisioning::zones>(
        "zones", Constraint{.pattern = zone, .not_empty = true},
        "Zones of the nodes, as in `--node-locations`. A multi-host slice is in exactly one. "
        "Required on Standard when `cluster.location` is a region.",
        "[us-east5-b]", "the zone that `cluster.location` is"),
    optional<&Provisioning::node_pools>(
        "nodePool", Constraint{.pattern = gke_name, .not_empty = true, .or_one = true},
        "Name of the node pool. With several slices `-0`, `-1` and so on are added. With `create: "
        "false` the name of an existing pool or, with several slices, a list of one for each "
        "slice; without it the pods run on any pool that fits.",
        "tpu-pool", "`name` + `-pool`"),
    optional<&Provisioning::create>(
        "create",
        "false: the node pools already exist and belong to somebody else. The scripts never create "
        "or delete them, but check that they fit. `zones`, `maxNodes`, `maxRunDuration` and "
        "`reservation` are optional then, and only compared with the pools. `cluster.name` and "
        "`cluster.location` are required only for artifacts that call gcloud.",
        "false", "true"),
    optional<&Provisioning::max_nodes>(
        "maxNodes", between(1, 1000),
        "Maximum number of nodes in each zone of a single-host pool; where nothing scales the "
        "pool, their exact number, all billed. A multi-host pool always has as many as the slice "
        "has hosts.",
        "4", "slices / zones, rounded up"),
    optional<&Provisioning::pool_topology>(
        "poolTopology", known_to_catalog(NameSet::topologies),
        "Shape of each node pool, where `tpu.topology` is a part of it or several pools are one "
        "slice: dynamic slicing of tpu7x, whose pools are 4x4x4, and sub-slicing of v6e. Only with "
        "a queue.",
        "4x4x4", "`tpu.topology`"),
    optional<&Provisioning::disk_size>("diskSize", whole_gibibytes,
                                       "Size of each node's boot disk, as in `--disk-size`, in "
                                       "whole Gi. Container images, logs and "
                                       "the pods' ephemeral storage share it. Not on Autopilot.",
                                       "200Gi", "GKE's default, 100Gi"),
    optional<&Provisioning::max_run_duration>(
        "maxRunDuration", duration,
        "Lifetime of a node under flex-start, from `10m` to `7d`. A Job or JobSet ends with its "
        "node, because that is what a limit of 6 hours is meant to be: without that, Kubernetes "
        "would replace the pod up to six times, each on a new node for as long again. With a "
        "`backoffLimit`, `maxRestarts`, `podFailurePolicy` or `restartPolicy: OnFailure` pods are "
        "replaced as these say; `explain` multiplies. The wait for the node does not count.",
        "2h", "7d"),
    optional<&Provisioning::reservation>(
        "reservation", reservation,
        "The reservation to use, by name or path, with its block and sub-block. Required by, and "
        "only for, the model `reservation`.",
        "projects/my-project/reservations/my-tpus"),
    optional<&Provisioning::queue>("queue", dns_label,
                                   "Kueue LocalQueue that admits the workload. Compile all specs "
                                   "of a queue in one run: they share its ClusterQueue.",
                                   "team-a"),
    optional<&Provisioning::quota>(
        "quota", between(1, 1'000'000),
        "Chips that workloads in the queue may use together: `nominalQuota` of `google.com/tpu` in "
        "the queue's flavor for this generation, topology and model. Quota of other resources in "
        "the flavor grows or shrinks with it. One spec of a run is enough; several must agree.",
        "64", "what the specs of the run request on their node pools"),
};

constexpr std::string_view env_sources[] = {"value", "secret", "configMap", "field"};
constexpr Field env_fields[] = {
    optional<&EnvValue::value>("value", "The value. A plain string is the short form.", "\"1\""),
    optional<&EnvValue::secret>("secret", dns_subdomain,
                                "Name of the Secret that contains the value.", "hf-token"),
    optional<&EnvValue::config_map>("configMap", dns_subdomain,
                                    "Name of the ConfigMap that contains the value.", "settings"),
    optional<&EnvValue::key>("key", data_key, "Key in the Secret or ConfigMap.", "token"),
    optional<&EnvValue::field>("field", field_path,
                               "The field of the pod that is the value, as in `fieldRef`.",
                               "metadata.name"),
};

constexpr Field port_fields[] = {
    required<&Port::port>("port", between(1, 65535),
                          "Container port. A plain number is the short form.", "9000"),
    optional<&Port::name>("name", port_name, "Name of the port.", "metrics"),
};

constexpr Field local_name_fields[] = {
    required<&LocalName::name>("name", dns_subdomain,
                               "Name of the Secret. A plain name is the short form.",
                               "registry-key"),
};

constexpr Field toleration_fields[] = {
    optional<&Toleration::key>("key", label_key,
                               "Key of the taint. Without it, operator Exists matches all taints.",
                               "dedicated"),
    optional<&Toleration::op>("operator", one_of(operators), "How `value` is compared.", "Exists",
                              "Equal"),
    optional<&Toleration::value>("value", Constraint{.pattern = label_value}, "Value of the taint.",
                                 "tpu"),
    optional<&Toleration::effect>("effect", one_of(words_of<Effect>),
                                  "Effect of the taint. Default: all effects.", "NoSchedule"),
    optional<&Toleration::toleration_seconds>("tolerationSeconds", between(0, 1'000'000'000),
                                              "Seconds for which a NoExecute taint is tolerated.",
                                              "300"),
};

constexpr Field sized_volume_fields[] = {
    optional<&SizedVolume::size_limit>("sizeLimit", amount, "Largest size.", "16Gi",
                                       "no separate limit"),
};

constexpr Field gcs_volume_fields[] = {
    required<&GcsVolume::bucket>(
        "bucket", bucket, "Cloud Storage bucket, mounted through Cloud Storage FUSE.", "my-bucket"),
    optional<&GcsVolume::mount_options>("mountOptions", not_empty,
                                        "Mount options of Cloud Storage FUSE, separated by commas.",
                                        "implicit-dirs"),
};

constexpr std::string_view volume_sources[] = {"memory",    "emptyDir", "pvc",     "gcs",
                                               "configMap", "secret",   "hostPath"};
constexpr Field volume_fields[] = {
    required<&Volume::name>("name", dns_label, "Name of the volume.", "data"),
    required<&Volume::mount_path>("mountPath", absolute_path,
                                  "Mount path in the workload's container.", "/data"),
    optional<&Volume::read_only>("readOnly", "Mount it read-only.", "true", "false"),
    optional<&Volume::sub_path>("subPath", sub_path,
                                "The file or folder of the volume to mount, instead of all of it.",
                                "runs/7"),
    optional<&Volume::memory>("memory",
                              "An emptyDir in memory, for example for /dev/shm. It counts against "
                              "the container's memory.",
                              "{sizeLimit: 16Gi}"),
    optional<&Volume::empty_dir>("emptyDir", "An emptyDir on the node's disk.", "{}"),
    optional<&Volume::pvc>("pvc", dns_subdomain, "Name of a PersistentVolumeClaim.", "datasets"),
    optional<&Volume::gcs>("gcs", "A Cloud Storage bucket through the FUSE CSI driver.",
                           "{bucket: my-bucket}"),
    optional<&Volume::config_map>("configMap", dns_subdomain, "Name of a ConfigMap.", "settings"),
    optional<&Volume::secret>("secret", dns_subdomain, "Name of a Secret.", "credentials"),
    optional<&Volume::host_path>("hostPath", node_path,
                                 "A path on the node. Not supported on Autopilot.", "/tmp/cache"),
};

constexpr Field resources_fields[] = {
    optional<&Resources::cpu>("cpu", amount, "CPUs to request.", "\"8\""),
    optional<&Resources::memory>("memory", amount, "Memory to request and limit.", "64Gi"),
    optional<&Resources::ephemeral_storage>("ephemeral-storage", amount,
                                            "Node disk to request and limit.", "50Gi"),
};

constexpr Field leader_fields[] = {
    optional<&Leader::tpu>("tpu",
                           "false: the leader has no chips and runs on an ordinary node; the hosts "
                           "of the slice are its workers.",
                           "false", "true"),
    optional<&Leader::image>("image", image, "Container image.", "vllm/vllm-tpu:v0.11.0",
                             "`workload.image`"),
    optional<&Leader::command>("command", not_empty, "Entrypoint, as in Kubernetes.",
                               "[python, route.py]", "the image's"),
    optional<&Leader::args>("args", not_empty, "Arguments, as in Kubernetes.", "[\"8000\"]",
                            "the image's"),
    optional<&Leader::script>("script", not_empty,
                              "A bash script, run as `bash -c`. Excludes `command`.",
                              "python route.py"),
    optional<&Leader::ports>("ports", not_empty, "Container ports, which are those of the Service.",
                             "[8000]", "`workload.ports`"),
    optional<&Leader::resources>("resources", "CPU, memory and disk.", "{cpu: \"8\"}",
                                 "nothing; 1 CPU for a leader without TPUs"),
    optional<&Leader::startup_probe>("startupProbe", probe, "As `workload.startupProbe`.",
                                     "{httpGet: {path: /health, port: 8000}}"),
    optional<&Leader::readiness_probe>("readinessProbe", Constraint{.shape = "ReadinessProbe"},
                                       "As `workload.readinessProbe`.",
                                       "{httpGet: {path: /health, port: 8000}}"),
    optional<&Leader::liveness_probe>("livenessProbe", probe, "As `workload.livenessProbe`.",
                                      "{httpGet: {path: /health, port: 8000}}"),
};

constexpr Field ray_head_fields[] = {
    optional<&RayHead::cpu>("cpu", amount, "CPUs to request.", "\"4\"", "2"),
    optional<&RayHead::memory>("memory", amount, "Memory to request and limit.", "16Gi", "8Gi"),
};

constexpr Field ray_fields[] = {
    required<&Ray::version>("version", Constraint{.pattern = Pattern::data_key, .not_empty = true},
                            "Version of Ray in the image.", "\"2.51.0\""),
    optional<&Ray::head>("head", "What the head requests. It has no chips.",
                         "{cpu: \"4\", memory: 16Gi}"),
    only_for("rayservice",
             optional<&Ray::serve_config>("serveConfig",
                                          "Applications of Ray Serve, as a mapping or as YAML in a "
                                          "string.",
                                          "{applications: [{name: llm, import_path: "
                                          "\"serve:app\"}]}")),
};

constexpr Field workload_fields[] = {
    optional<&Workload::kind>(
        "kind", one_of(kind_words), "Kubernetes kind of the workload.", "jobset",
        "job for one slice and for single-host slices, jobset for several multi-host slices"),
    required<&Workload::image>("image", image, "Container image.",
                               "us-docker.pkg.dev/cloud-tpu-images/jax-ai-image/tpu:latest"),
    optional<&Workload::image_pull_policy>(
        "imagePullPolicy", one_of(pull_policies),
        "When a node pulls the image, as in Kubernetes. Default: Always for the tag `latest`, "
        "otherwise IfNotPresent.",
        "Always"),
    only_for(runs_command,
             optional<&Workload::command>("command", not_empty, "Entrypoint, as in Kubernetes.",
                                          "[python, train.py]", "the image's")),
    only_for(runs_command,
             optional<&Workload::args>("args", not_empty, "Arguments, as in Kubernetes.",
                                       "[\"3600s\"]", "the image's")),
    only_for(runs_command,
             optional<&Workload::script>("script", not_empty,
                                         "A bash script, run as `bash -c`. Excludes `command`.",
                                         "python train.py")),
    optional<&Workload::env>("env", map_of(env_name, any),
                             "Environment variables, each a string or a reference.",
                             "{LOG_LEVEL: debug}"),
    optional<&Workload::env_from>(
        "envFrom", env_sources_of_kubernetes,
        "Secrets and ConfigMaps of which every key becomes a variable, as in Kubernetes. Variables "
        "of `env` win.",
        "[{secretRef: {name: hf-token}}]"),
    optional<&Workload::ports>(
        "ports", not_empty,
        "Container ports, added to those that TPUs need. Of a Deployment and "
        "a LeaderWorkerSet they are also the ports of a Service for "
        "clients; without ports there is none.",
        "[9000]"),
    optional<&Workload::resources>(
        "resources", "CPU, memory and disk of each container, in addition to the TPU chips.",
        "{cpu: \"8\"}"),
    only_for("job jobset deployment leaderworkerset",
             optional<&Workload::containers_per_pod>(
                 "containersPerPod", between(1, 8),
                 "Number of equal containers that share the chips of a host. On tpu7x GKE binds "
                 "each of two to a NUMA node. Ports of the spec and probes are the first one's.",
                 "2", "1")),
    only_for(
        "deployment leaderworkerset",
        optional<&Workload::startup_probe>(
            "startupProbe", probe,
            "When the container has started, as in Kubernetes. The other probes wait for it; it "
            "gives a model the minutes that it takes to load.",
            "{httpGet: {path: /health, port: 8000}, periodSeconds: 10, failureThreshold: 120}")),
    only_for("deployment leaderworkerset",
             optional<&Workload::readiness_probe>(
                 "readinessProbe", Constraint{.shape = "ReadinessProbe"},
                 "When the container takes requests, as in Kubernetes.",
                 "{httpGet: {path: /health, port: 8000}}")),
    only_for("deployment leaderworkerset",
             optional<&Workload::liveness_probe>(
                 "livenessProbe", probe,
                 "When the container still works, as in Kubernetes; otherwise it is restarted.",
                 "{httpGet: {path: /health, port: 8000}, periodSeconds: 30}")),
    optional<&Workload::service_account>("serviceAccount", dns_subdomain,
                                         "Kubernetes service account of the pods.", "trainer",
                                         "default"),
    optional<&Workload::image_pull_secrets>("imagePullSecrets", not_empty,
                                            "Secrets for pulling the image.", "[registry-key]"),
    optional<&Workload::privileged>("privileged",
                                    "Run the container privileged. TPUs have not needed it since "
                                    "GKE 1.28; Autopilot rejects it.",
                                    "true", "false"),
    optional<&Workload::security_context>(
        "securityContext", Constraint{.shape = "PodSecurityContext"},
        "Security context of the pods, as in Kubernetes.", "{runAsUser: 1000}"),
    optional<&Workload::priority_class>("priorityClass", dns_subdomain,
                                        "PriorityClass of the pods.", "high"),
    optional<&Workload::termination_grace>(
        "terminationGrace", duration,
        "How long a pod may take to stop, for example to save a checkpoint.", "2m", "30s"),
    optional<&Workload::tolerations>("tolerations", not_empty,
                                     "Tolerations, added to the derived ones.",
                                     "[{key: dedicated, operator: Exists}]"),
    optional<&Workload::node_selector>("nodeSelector", map_of(label_key, label_value),
                                       "Node labels, added to the derived ones.", "{team: a}"),
    optional<&Workload::host_network>(
        "hostNetwork", "Use the node's network. Breaks Workload Identity and Cloud Storage FUSE.",
        "true", "false"),
    optional<&Workload::init_containers>("initContainers", containers,
                                         "Containers that run first, as in Kubernetes.",
                                         "[{name: fetch, image: busybox}]"),
    optional<&Workload::sidecars>(
        "sidecars", containers,
        "Containers that run alongside the workload and end with it, as in Kubernetes.",
        "[{name: logs, image: busybox}]"),
    optional<&Workload::volumes>(
        "volumes", not_empty,
        "Volumes, each with one source, mounted into the workload's container.",
        "[{name: shm, mountPath: /dev/shm, memory: {}}]"),
    only_for("job jobset rayjob",
             optional<&Workload::backoff_limit>(
                 "backoffLimit", between(0, 100'000),
                 "Number of failed pods that are replaced before the Job fails.", "3",
                 "0 for several hosts, Kubernetes' own 6 otherwise")),
    only_for("job jobset", optional<&Workload::restart_policy>(
                               "restartPolicy", one_of(restart_policies),
                               "Whether a failed container is restarted in the same pod.", "Never",
                               "Never for several hosts, with a `podFailurePolicy` or with "
                               "`maxRunDuration`, OnFailure "
                               "otherwise")),
    only_for(
        "job jobset",
        optional<&Workload::pod_failure_policy>(
            "podFailurePolicy", Constraint{.shape = "PodFailurePolicy"},
            "Which failures of a pod count, as in Kubernetes. It needs `restartPolicy: Never`.",
            "{rules: [{action: FailJob, onExitCodes: {operator: In, values: [42]}}]}",
            "on Spot, a reclaimed node is not counted as a failure of single-host workers and of a "
            "JobSet, unless `restartPolicy` is OnFailure; none otherwise")),
    only_for("job jobset rayjob",
             optional<&Workload::active_deadline>(
                 "activeDeadline", duration,
                 "Time after its start at which the workload is stopped. Waiting for nodes counts, "
                 "which for flex-start can be hours, unless a queue holds the workload back until "
                 "they are there. To limit the run alone, use `maxRunDuration`.",
                 "6h")),
    only_for("job jobset rayjob",
             optional<&Workload::ttl_after_finished>(
                 "ttlAfterFinished", duration,
                 "Time after its end at which the workload is deleted.", "1d", "never")),
    only_for("jobset",
             optional<&Workload::max_restarts>(
                 "maxRestarts", between(0, 1000),
                 "Number of times a JobSet restarts all its slices after a failure.", "3", "0"),
             "backoffLimit"),
    only_for("leaderworkerset",
             optional<&Workload::leader>(
                 "leader",
                 "What the leader of each group runs instead of what the others run. It has their "
                 "image, variables and volumes.",
                 "{script: serve, ports: [8000]}", "the same as the others")),
    only_for("raycluster rayjob rayservice",
             optional<&Workload::ray>("ray",
                                      "The Ray cluster. Its head and its workers have the same "
                                      "image, variables and volumes. Required.",
                                      "{version: \"2.51.0\"}")),
};

constexpr Field budget_fields[] = {
    optional<&Budget::per_hour>("perHour", amount_of_money,
                                "The most that all nodes may cost an hour, in US dollars.", "100"),
    optional<&Budget::per_run>("perRun", amount_of_money,
                               "The most that all nodes may cost until their lifetime ends, in US "
                               "dollars. Of nodes whose lifetime has a bound.",
                               "2000"),
};

constexpr std::string_view pod_roles[] = {spec::worker_pod, spec::leader_pod, spec::head_pod};

constexpr Field target_fields[] = {
    required<&Target::kind>("kind", not_empty,
                            "Kind of the generated object, `Job`, `Service` or another.", "Job"),
    optional<&Target::name>("name", dns_subdomain,
                            "Name of the object, if several of the kind are generated.", "train",
                            "every object of the kind"),
    optional<&Target::pod>("pod", one_of(pod_roles),
                           "Which pod template of the object. `merge` changes that template alone: "
                           "its `metadata` and `spec`.",
                           "worker", "the whole object"),
    optional<&Target::container>("container", dns_label,
                                 "Name of a container in the object's pods. `merge` changes that "
                                 "container alone, an init container or sidecar too.",
                                 "train", "the whole object"),
};

constexpr Field patch_fields[] = {
    required<&Patch::target>("target", "The generated objects to change.", "{kind: Job}"),
    required<&Patch::merge>(
        "merge",
        "A JSON merge patch (RFC 7386): mappings merge, null deletes, everything else replaces.",
        "{spec: {suspend: true}}"),
};

constexpr Field matrix_fields[] = {
    required<&Matrix::vary>("vary", not_empty,
                            "The values of each field that varies, by its path as in `--set`. The "
                            "first field varies slowest.",
                            "{workload.env.LR: [\"0.1\", \"0.01\"]}"),
    optional<&Matrix::exclude>(
        "exclude", not_empty, "Combinations to leave out: a point that has all values of an entry.",
        "[{workload.env.LR: \"0.1\", tpu.topology: 4x8}]"),
};

constexpr Field spec_fields[] = {
    required<&Claims::api_version>("apiVersion", one_of(versions), "Version of this language.",
                                   "flexslice/v1"),
    required<&Claims::name>(
        "name", workload_name,
        "Names the workload; the Service, the node pool and the pods are named after it.", "train"),
    optional<&Claims::name_space>("namespace", dns_label, "Kubernetes namespace of all objects.",
                                  "team-a", "the one kubectl uses"),
    optional<&Claims::labels>(
        "labels", map_of(label_key, label_value),
        "Labels on every Kubernetes object, and on the node pool where Google Cloud can have them.",
        "{team: a}"),
    optional<&Claims::annotations>("annotations", map_of(label_key, any),
                                   "Annotations on every Kubernetes object.", "{owner: me}"),
    optional<&Claims::cluster>("cluster", "The cluster to run on.",
                               "{name: my-cluster, location: us-east5}"),
    required<&Claims::tpu>("tpu", "The TPUs of the workload.", "{type: v6e, topology: 4x4}"),
    optional<&Claims::provisioning>("provisioning", "How nodes are provisioned.",
                                    "{model: flex-start}"),
    required<&Claims::workload>("workload", "What runs.", "{image: busybox}"),
    optional<&Claims::budget>("budget",
                              "Limits of what the workload costs by the catalog's list prices, or "
                              "by those of `--catalog`.",
                              "{perHour: 100}"),
    optional<&Claims::patches>(
        "patches", not_empty,
        "Changes to generated objects, for fields that the spec does not have.",
        "[{target: {kind: Job}, merge: {spec: {suspend: true}}}]"),
    optional<&Claims::matrix>(
        "matrix",
        "Makes a sweep of the spec: one point for each combination of values, "
        "at most 1000. `flexslice explain matrix` says more.",
        "{vary: {workload.env.LR: [\"0.1\", \"0.01\"]}}"),
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
const Table TableOf<Leader>::table{.name = "leader", .fields = leader_fields};
const Table TableOf<RayHead>::table{
    .name = "head", .fields = ray_head_fields, .foreign = ray_head_foreign};
const Table TableOf<Ray>::table{.name = "ray", .fields = ray_fields};
const Table TableOf<Workload>::table{.name = "workload",
                                     .fields = workload_fields,
                                     .foreign = workload_foreign,
                                     .otherwise = workload_otherwise};
const Table TableOf<Budget>::table{"budget", budget_fields};
const Table TableOf<Target>::table{"target", target_fields};
const Table TableOf<Patch>::table{"patch", patch_fields};
const Table TableOf<Matrix>::table{"matrix", matrix_fields};
const Table TableOf<Claims>::table{.name = "spec", .fields = spec_fields, .foreign = spec_foreign};

}  // namespace flexslice::schema
