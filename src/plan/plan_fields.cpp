// THE field table of the plan: every value once, with its key and what it holds. `--emit plan`,
// plan.schema.json, and the paths that templates name are made from it. Internal rows are for
// templates alone: they repeat, in another form, what the document already says.
#include "plan/plan.hpp"

namespace flexslice::schema {

namespace {

using namespace plan;

template <auto member>
constexpr Field always(std::string_view key, std::string_view doc) {
  return field<member>(key, Presence::required, {}, {doc});
}
template <auto member>
constexpr Field maybe(std::string_view key, std::string_view doc) {
  return field<member>(key, Presence::optional, {}, {doc});
}
constexpr Field cluster_fields[] = {
    maybe<&Cluster::name>("name", "Name of the cluster; absent only on Autopilot."),
    maybe<&Cluster::location>("location", "Region or zone of the control plane."),
    maybe<&Cluster::region>("region", "The region of the location."),
    maybe<&Cluster::project>("project", "Project ID; absent: the one gcloud is configured for."),
    maybe<&Cluster::version>("version", "Stated GKE version."),
    always<&Cluster::autopilot>("autopilot", "Whether it is an Autopilot cluster."),
    always<&Cluster::standard>("standard", "Whether it is a Standard cluster."),
    always<&Cluster::create>("create", "Whether the scripts create and delete the cluster."),
    maybe<&Cluster::addons>(
        "addons",
        "Add-ons the workload needs, separated by commas, for a cluster that is created."),
    maybe<&Cluster::workload_pool>(
        "workloadPool", "Workload Identity pool, for a cluster that is created and needs it."),
    maybe<&Cluster::machine_type>(
        "machineType",
        "Machine type of the default node pool of a cluster that is created, "
        "where gcloud's default does not exist or is too small."),
    internal<&Cluster::nodes>("nodes", Presence::required),
    internal<&Cluster::ray_operator>("rayOperator"),
};

constexpr Field tpu_fields[] = {
    always<&Tpu::generation>("generation", "Generation, `v6e`."),
    always<&Tpu::accelerator>("accelerator", "Value of the accelerator label."),
    always<&Tpu::machine_type>("machineType", "Machine type of the nodes."),
    always<&Tpu::topology>("topology", "Shape of a slice."),
    always<&Tpu::chips>("chips", "Chips of a slice."),
    always<&Tpu::chips_per_host>("chipsPerHost", "Chips of a node."),
    always<&Tpu::request>("request", "Chips of a container, as a Kubernetes quantity."),
    always<&Tpu::hosts>("hosts", "Nodes of a slice."),
    always<&Tpu::multi_host>("multiHost", "Whether a slice has several nodes."),
    always<&Tpu::slices>("slices", "Slices."),
    always<&Tpu::multislice>("multislice", "Whether there are several slices."),
    always<&Tpu::total_chips>("totalChips", "Chips of all slices."),
    always<&Tpu::total_hosts>("totalHosts", "Nodes of all slices."),
    always<&Tpu::devices>("devices", "Devices of all slices as JAX counts them."),
};

constexpr Field reservation_fields[] = {
    always<&Reservation::path>("path", "The path in the form that gcloud takes."),
    always<&Reservation::name>("name", "Its name."),
    maybe<&Reservation::project>("project", "Owner's project of a shared reservation."),
    maybe<&Reservation::block>("block", "Its block."),
    maybe<&Reservation::sub_block>("subBlock", "Its sub-block."),
};

constexpr Field toleration_fields[] = {
    maybe<&Toleration::key>("key", "Key of the taint; absent: all taints."),
    maybe<&Toleration::op>("operator", "How the value is compared."),
    maybe<&Toleration::value>("value", "Value of the taint."),
    maybe<&Toleration::effect>("effect", "Effect of the taint; absent: all effects."),
    maybe<&Toleration::seconds>("tolerationSeconds",
                                "Seconds for which a NoExecute taint is tolerated."),
};

constexpr Field provisioning_fields[] = {
    always<&Provisioning::create>("create",
                                  "Whether the scripts create and delete the node pools."),
    always<&Provisioning::model>("model", "Name of the model in specs."),
    always<&Provisioning::title>("title", "Name of the model in prose."),
    always<&Provisioning::idle>("idle", "What stays billed when no workload runs."),
    always<&Provisioning::lifetime>("lifetime", "Lifetime of a node."),
    internal<&Provisioning::serving>("serving"),
    always<&Provisioning::quota>("quota",
                                 "The kind of Compute Engine quota that the chips count against: "
                                 "`preemptible`, `on-demand` or `reserved`."),
    maybe<&Provisioning::quota_name>("quotaName",
                                     "Name of the quota in the console; absent: unknown."),
    always<&Provisioning::quota_chips>("quotaChips", "Maximum number of chips of all nodes."),
    always<&Provisioning::zones>("zones", "Zones of the nodes; empty on Autopilot."),
    maybe<&Provisioning::zone_list>("zoneList", "Zones of the nodes, separated by commas."),
    maybe<&Provisioning::zone>("zone", "The zone, if there is only one."),
    maybe<&Provisioning::max_run_seconds>("maxRunSeconds",
                                          "Lifetime of a node, when the spec limits it."),
    maybe<&Provisioning::autopilot_run_seconds>(
        "autopilotRunSeconds", "Lifetime of a node on Autopilot, where pods request it."),
    maybe<&Provisioning::reservation>("reservation", "The reservation; absent for other models."),
    internal<&Provisioning::takes_reservation>("takesReservation"),
    maybe<&Provisioning::queue>("queue", "Kueue LocalQueue."),
    maybe<&Provisioning::resource_labels>(
        "resourceLabels", "Labels of the node pools as Google Cloud resources, `a=1,b=2`."),
    internal<&Provisioning::resource_label_map>("resourceLabelMap"),
    maybe<&Provisioning::node_labels>("nodeLabels",
                                      "Node labels that the pods' selectors require."),
    maybe<&Provisioning::pool_topology>(
        "poolTopology", "Shape of the node pools; absent: a multi-host slice is a node pool."),
    internal<&Provisioning::node_selector>("nodeSelector"),
    internal<&Provisioning::tolerations>("tolerations"),
};

constexpr Field cost_fields[] = {
    maybe<&Cost::region>("region", "Region whose list prices count; absent: it is not known."),
    always<&Cost::per_chip_hour>(
        "perChipHour",
        "US dollars for a chip and hour, or `unknown` when no source gives a price."),
    always<&Cost::per_hour>("perHour", "The most that all nodes cost an hour, or `unknown`."),
    maybe<&Cost::per_run>("perRun",
                          "The most that a run costs; absent where its nodes have no lifetime, or "
                          "the workload does not end."),
};

constexpr Field class_step_fields[] = {
    always<&ClassStep::model>("model", "Name of the model in specs."),
    always<&ClassStep::title>("title", "Name of the model in prose."),
    internal<&ClassStep::rank>("rank", Presence::required),
    internal<&ClassStep::pool>("pool", Presence::required),
    maybe<&ClassStep::reservation>("reservation", "The reservation; absent for other models."),
    maybe<&ClassStep::run_seconds>("maxRunSeconds", "Lifetime of a node, when the spec limits it."),
    always<&ClassStep::per_hour>("perHour", "The most that all nodes cost an hour, or `unknown`."),
};

constexpr Field compute_class_fields[] = {
    always<&ComputeClass::name>("name", "Name of the ComputeClass."),
    always<&ComputeClass::steps>("steps", "The models in the order in which GKE tries them."),
};

constexpr Field queue_resource_fields[] = {
    always<&QueueResource::name>("name", "Name of the resource."),
    always<&QueueResource::quota>("quota", "Amount for the whole workload."),
};

constexpr Field queue_fields[] = {
    always<&Queue::flavor>("flavor", "ResourceFlavor."),
    maybe<&Queue::topology>("topology", "Topology; absent when Kueue does not place the pods."),
    internal<&Queue::levels>("levels"),
    maybe<&Queue::check>("check",
                         "AdmissionCheck, and ProvisioningRequestConfig of nodes that need a "
                         "ProvisioningRequest; absent when nodes and slices exist."),
    internal<&Queue::controller>("controller"),
    internal<&Queue::requests_nodes>("requestsNodes"),
    maybe<&Queue::quota>("quota", "Chips that the flavor has, where the spec says so."),
    always<&Queue::resource_names>("resourceNames", "Names of the resources with a quota."),
    always<&Queue::resources>("resources", "Resources with a quota, and their amounts."),
};

constexpr Field scaling_fields[] = {
    internal<&Scaling::from_zero>("fromZero"),
    internal<&Scaling::queued>("queued"),
};

constexpr Field node_label_fields[] = {
    internal<&NodeLabel::key>("key", Presence::required),
    internal<&NodeLabel::value>("value", Presence::required),
};

constexpr Field pool_fields[] = {
    always<&NodePool::name>("name", "Name of the pool."),
    always<&NodePool::nodes>(
        "nodes", "Nodes of a multi-host pool; maximum nodes in each zone of a single-host pool."),
    maybe<&NodePool::tpu_topology>("tpuTopology",
                                   "Value of --tpu-topology; absent: the flag is not allowed."),
    maybe<&NodePool::disk_size>("diskSize",
                                "Value of --disk-size, whose GB are GiB; absent: GKE's default."),
    internal<&NodePool::disk_gigabytes>("diskGigabytes"),
    maybe<&NodePool::placement_policy>("placementPolicy",
                                       "Value of --placement-policy; absent: none."),
    internal<&NodePool::flex_start>("flexStart"),
    internal<&NodePool::spot>("spot"),
    internal<&NodePool::scaling>("scaling", Presence::required),
    internal<&NodePool::initial_nodes>("initialNodes", Presence::required),
    internal<&NodePool::nodes_certain>("nodesCertain"),
    internal<&NodePool::nodes_by_topology>("nodesByTopology"),
    internal<&NodePool::auto_repair>("autoRepair"),
    internal<&NodePool::reservation_affinity>("reservationAffinity"),
    internal<&NodePool::location_policy>("locationPolicy"),
    internal<&NodePool::max_run_duration>("maxRunDuration"),
    internal<&NodePool::labels>("labels"),
    internal<&NodePool::label_list>("labelList"),
};

constexpr Field policy_fields[] = {
    always<&WorkloadPolicy::name>("name", "Name of the policy."),
    always<&WorkloadPolicy::region>("region", "Region of the policy."),
    always<&WorkloadPolicy::topology>("topology", "Its accelerator topology."),
    maybe<&WorkloadPolicy::mode>("mode",
                                 "Its accelerator topology mode; absent: gcloud's default."),
};

constexpr Field placement_fields[] = {
    internal<&Placement::pools>("pools", Presence::required),
    internal<&Placement::node_pool>("nodePool"),
    internal<&Placement::node_pools>("nodePools"),
    internal<&Placement::pool_label>("poolLabel"),
    internal<&Placement::machine_type>("machineType"),
    internal<&Placement::topology>("topology"),
    internal<&Placement::slice_topology>("sliceTopology"),
    internal<&Placement::mode>("mode"),
    internal<&Placement::level>("level"),
    internal<&Placement::together>("together"),
    internal<&Placement::exclusive>("exclusive"),
    internal<&Placement::by_queue>("byQueue"),
    internal<&Placement::slices_in_one>("slicesInOne"),
    internal<&Placement::slices_apart>("slicesApart"),
    internal<&Placement::slice_size>("sliceSize"),
};

constexpr Field variable_fields[] = {
    always<&EnvVariable::name>("name", "Its name."),
    maybe<&EnvVariable::value>("value", "Its value."),
    maybe<&EnvVariable::secret>("secret", "The Secret that contains its value."),
    maybe<&EnvVariable::config_map>("configMap", "The ConfigMap that contains its value."),
    maybe<&EnvVariable::key>("key", "Key in the Secret or ConfigMap."),
    maybe<&EnvVariable::field>("field", "The field of the pod that is its value."),
};

constexpr Field port_fields[] = {
    always<&Port::number>("number", "Its number."),
    maybe<&Port::name>("name", "Its name."),
};

constexpr Field resources_fields[] = {
    maybe<&Resources::cpu>("cpu", "CPUs."),
    maybe<&Resources::memory>("memory", "Memory."),
    maybe<&Resources::ephemeral_storage>("ephemeralStorage", "Node disk."),
};

constexpr Field volume_fields[] = {
    always<&Volume::name>("name", "Its name."),
    always<&Volume::mount_path>("mountPath", "Mount path in the container."),
    maybe<&Volume::sub_path>("subPath", "The file or folder of it that is mounted."),
    maybe<&Volume::read_only>("readOnly", "Whether it is mounted read-only."),
    maybe<&Volume::memory>("memory", "Whether it is an emptyDir in memory."),
    maybe<&Volume::empty_dir>("emptyDir", "Whether it is an emptyDir."),
    maybe<&Volume::size_limit>("sizeLimit", "Size limit of an emptyDir."),
    maybe<&Volume::pvc>("pvc", "PersistentVolumeClaim."),
    maybe<&Volume::bucket>("bucket", "Cloud Storage bucket."),
    maybe<&Volume::mount_options>("mountOptions", "Options of Cloud Storage FUSE."),
    maybe<&Volume::config_map>("configMap", "ConfigMap."),
    maybe<&Volume::secret>("secret", "Secret."),
    maybe<&Volume::host_path>("hostPath", "Path of the node."),
};

constexpr Field secret_name_fields[] = {always<&SecretName::name>("name", "Its name.")};

constexpr Field container_fields[] = {
    internal<&Container::name>("name", Presence::required),
    internal<&Container::ports>("ports"),
    internal<&Container::startup_probe>("startupProbe"),
    internal<&Container::readiness_probe>("readinessProbe"),
    internal<&Container::liveness_probe>("livenessProbe"),
};

constexpr Field workload_fields[] = {
    always<&Workload::image>("image", "Container image."),
    maybe<&Workload::image_pull_policy>("imagePullPolicy", "When a node pulls the image."),
    maybe<&Workload::command>("command", "Entrypoint."),
    maybe<&Workload::args>("args", "Arguments."),
    maybe<&Workload::env>(
        "env", "Variables with name and value, secret or configMap and key, or field of the pod."),
    maybe<&Workload::env_from>("envFrom", "Secrets and ConfigMaps whose keys are variables."),
    internal<&Workload::containers>("containers", Presence::required),
    maybe<&Workload::containers_per_pod>(
        "containersPerPod", "Containers of a pod that share the chips of its host; absent: one."),
    always<&Workload::ports>("ports", "Container ports with number and optional name."),
    maybe<&Workload::service_ports>("servicePorts", "Ports of the Service for clients."),
    maybe<&Workload::resources>("resources", "Resources other than the chips."),
    maybe<&Workload::startup_probe>("startupProbe", "Probe of the start of the container."),
    maybe<&Workload::readiness_probe>("readinessProbe", "Probe of whether it takes requests."),
    maybe<&Workload::liveness_probe>("livenessProbe", "Probe of whether it still works."),
    maybe<&Workload::gcs_fuse>("gcsFuse", "Whether any volume is a Cloud Storage bucket."),
    maybe<&Workload::volumes>("volumes", "Volumes with name, mountPath and their source."),
    always<&Workload::node_selector>("nodeSelector", "Node labels of the spec."),
    maybe<&Workload::tolerations>("tolerations", "Tolerations of the spec."),
    maybe<&Workload::restart_policy>("restartPolicy",
                                     "Restart policy of the pods; absent where they always are."),
    maybe<&Workload::backoff_limit>("backoffLimit", "Number of failed pods that are replaced."),
    maybe<&Workload::pod_failure_rules>("podFailureRules",
                                        "Rules of the spec's pod failure policy."),
    maybe<&Workload::on_disruption>(
        "onDisruption",
        "Action of the pod failure policy for a reclaimed node, `Ignore` or `FailJob`."),
    maybe<&Workload::on_node_end>("onNodeEnd",
                                  "Action of the pod failure policy for a node that has lived as "
                                  "long as it may, `FailJob` or `FailIndex`."),
    maybe<&Workload::backoff_limit_per_index>(
        "backoffLimitPerIndex", "Number of failed pods of each worker that are replaced."),
    maybe<&Workload::node_lives>(
        "nodeLives",
        "Nodes of a limited lifetime that a host can have one after another; absent: no known "
        "number."),
    maybe<&Workload::max_restarts>("maxRestarts", "Number of restarts of a JobSet."),
    maybe<&Workload::active_deadline>("activeDeadlineSeconds", "Deadline of the workload."),
    maybe<&Workload::ttl_after_finished>("ttlSecondsAfterFinished",
                                         "When a finished workload is deleted."),
    maybe<&Workload::termination_grace>("terminationGracePeriodSeconds", "Grace period of a pod."),
    maybe<&Workload::service_account>("serviceAccount", "Kubernetes service account."),
    maybe<&Workload::priority_class>("priorityClass", "PriorityClass."),
    maybe<&Workload::privileged>("privileged", "Whether the container is privileged."),
    maybe<&Workload::host_network>("hostNetwork", "Whether the pods use the node's network."),
    maybe<&Workload::security_context>("securityContext", "Security context of the pods."),
    maybe<&Workload::image_pull_secrets>("imagePullSecrets", "Secrets for pulling the image."),
    maybe<&Workload::init_containers>("initContainers", "Containers that run first."),
    maybe<&Workload::sidecars>("sidecars", "Containers that run alongside the workload."),
    maybe<&Workload::completions>("completions", "Pods of a Job; absent for one pod."),
    maybe<&Workload::completion_mode>("completionMode", "`Indexed`; absent for one pod."),
    always<&Workload::kind>("kind", "Workload kind, as `workload.kind`."),
    internal<&Workload::app>("app"),
    internal<&Workload::tpu>("tpu"),
    maybe<&Workload::service>("service",
                              "Headless Service and subdomain of the pods; absent on one host."),
    maybe<&Workload::host_names>(
        "hostNames", "Host names of the first and last pod; absent if not known in advance."),
};

constexpr Field rollout_fields[] = {
    always<&Rollout::max_surge>("maxSurge", "Replicas that may exist in addition."),
    always<&Rollout::max_unavailable>("maxUnavailable", "Replicas that may be missing."),
    always<&Rollout::progress_deadline>("progressDeadlineSeconds",
                                        "Seconds in which a new replica should be ready."),
};

constexpr Field group_fields[] = {
    always<&Group::size>("size", "Pods of a group."),
    maybe<&Group::leader_apart>("leaderApart",
                                "Whether one of them is a leader without chips, elsewhere."),
};

constexpr Field ray_fields[] = {
    always<&Ray::version>("version", "Version of Ray."),
    maybe<&Ray::entrypoint>("entrypoint", "What a RayJob runs on the head."),
    maybe<&Ray::script>("script", "The script that it runs."),
    maybe<&Ray::serve_config>("serveConfig", "Applications of a RayService, as YAML."),
};

constexpr Field plan_fields[] = {
    always<&Plan::name>("name", "Name of the workload."),
    maybe<&Plan::sweep>("sweep",
                        "The sweep that the workload is a point of. Its scripts make the node "
                        "pools."),
    internal<&Plan::owner>("owner", Presence::required),
    always<&Plan::summary>("summary", "One-line summary of the plan."),
    maybe<&Plan::name_space>("namespace",
                             "Kubernetes namespace of all objects; absent: the one kubectl uses."),
    always<&Plan::labels>("labels", "Labels of all objects, sorted."),
    always<&Plan::annotations>("annotations", "Annotations of all objects, sorted."),
    always<&Plan::cluster>("cluster", "The cluster."),
    always<&Plan::tpu>("tpu", "The TPUs. All slices are identical."),
    always<&Plan::provisioning>("provisioning", "How nodes are provisioned."),
    always<&Plan::cost>("cost", "What the nodes cost by list prices."),
    maybe<&Plan::queue>("queue", "Kueue objects; absent without a queue."),
    maybe<&Plan::compute_class>("computeClass",
                                "The ComputeClass whose node pools GKE makes; absent without "
                                "models to fall back to."),
    always<&Plan::pools>(
        "pools",
        "Node pools, one for each multi-host slice; none on Autopilot or with a ComputeClass, nor "
        "where they exist and are not named."),
    internal<&Plan::any_pools>("anyPools"),
    always<&Plan::policies>("policies",
                            "Workload policies, for generations whose multi-host pools need one."),
    internal<&Plan::placement>("placement", Presence::required),
    maybe<&Plan::leader>("leader",
                         "The pod that leads the others, with the members of workload: of a group, "
                         "or the head of a Ray cluster. Absent where all are alike."),
    internal<&Plan::ordinary_pods>("ordinaryPods"),
    maybe<&Plan::group>("group", "The pods of a slice that restart together."),
    maybe<&Plan::ray>("ray", "The Ray cluster."),
    maybe<&Plan::rollout>("rollout", "How replicas are replaced; absent where they end."),
    internal<&Plan::creates>("creates"),
    internal<&Plan::source>("source", Presence::required),
    always<&Plan::workload>("workload", "The pods, with the field names of Kubernetes."),
};

}  // namespace

const Table TableOf<Cluster>::table{"cluster", cluster_fields};
const Table TableOf<Tpu>::table{"tpu", tpu_fields};
const Table TableOf<Scaling>::table{"scaling", scaling_fields};
const Table TableOf<NodeLabel>::table{"label", node_label_fields};
const Table TableOf<NodePool>::table{"pool", pool_fields};
const Table TableOf<WorkloadPolicy>::table{"policy", policy_fields};
const Table TableOf<Reservation>::table{"reservation", reservation_fields};
const Table TableOf<Toleration>::table{"toleration", toleration_fields};
const Table TableOf<Provisioning>::table{"provisioning", provisioning_fields};
const Table TableOf<Cost>::table{"cost", cost_fields};
const Table TableOf<QueueResource>::table{"resource", queue_resource_fields};
const Table TableOf<Queue>::table{"queue", queue_fields};
const Table TableOf<ClassStep>::table{"step", class_step_fields};
const Table TableOf<ComputeClass>::table{"computeClass", compute_class_fields};
const Table TableOf<Placement>::table{"placement", placement_fields};
const Table TableOf<EnvVariable>::table{"variable", variable_fields};
const Table TableOf<Port>::table{"port", port_fields};
const Table TableOf<Resources>::table{"resources", resources_fields};
const Table TableOf<Volume>::table{"volume", volume_fields};
const Table TableOf<SecretName>::table{"secret", secret_name_fields};
const Table TableOf<Group>::table{"group", group_fields};
const Table TableOf<Ray>::table{"ray", ray_fields};
const Table TableOf<Rollout>::table{"rollout", rollout_fields};
const Table TableOf<Container>::table{"container", container_fields};
const Table TableOf<Workload>::table{"workload", workload_fields};
const Table TableOf<Plan>::table{"plan", plan_fields};

}  // namespace flexslice::schema
