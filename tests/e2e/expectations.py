"""What the scripts of every example are meant to do at Google and in the cluster, written by hand from the facts.

A new example needs a row here.  The bodies are whole, but for `oauthScopes`, which gcloud adds by itself.
"""

from dataclasses import dataclass, field

from fake_google import PROJECT, region_of

API = "container.googleapis.com"
CLUSTER_SCOPED = {"ComputeClass", "CheckpointConfiguration"}


@dataclass
class Meant:
    """What one spec's scripts do.

    `pools` are the node pools that are created, in order; `policies` and `new_cluster` the other things, where there
    are any.  `existing` are node pools of somebody else, which have to be there.  `objects` are the Kubernetes objects that cleanup deletes, in order, as `kind/name`.
    """
    location: str
    objects: list[str]
    pods: str
    pools: list[dict] = field(default_factory=list)
    policies: list[dict] = field(default_factory=list)
    cluster: str = "my-cluster"
    new_cluster: dict | None = None
    project: str = PROJECT
    namespace: str | None = None
    existing: list[dict] = field(default_factory=list)
    sweep: str = ""  # its objects are those of its points, which are deleted by its label

    def __post_init__(self):
        # What is billed is labeled as the workload's own; gcloud gives a cluster's labels to its default pool too.
        clusters = [self.new_cluster] if self.new_cluster else []
        pools = self.pools + [pool for cluster in clusters for pool in cluster["nodePools"]]
        for policy_of_own in self.policies:
            policy_of_own["description"] = f"flexslice={self.workload} flexslice-namespace={self.namespace or 'default'}"
        for labeled in clusters + [pool["config"] for pool in pools]:
            labeled["resourceLabels"] = labeled.get("resourceLabels", {}) | {
                "flexslice": self.workload, "flexslice-namespace": self.namespace or "default"}

    @property
    def workload(self):
        return self.sweep or self.objects[0].split("/")[1]

    @property
    def cluster_path(self):
        return f"/v1/projects/{self.project}/locations/{self.location}/clusters/{self.cluster}"

    @property
    def policy_folder(self):
        return f"/compute/v1/projects/{self.project}/regions/{region_of(self.location)}/resourcePolicies"

    def creations(self):
        """The POST requests of provision.sh on empty ground, as (path, body)."""
        parent = f"projects/{self.project}/locations/{self.location}"
        made = []
        if self.new_cluster:
            made.append((f"/v1/projects/{self.project}/services/{API}:enable", {}))
            made.append((f"/v1/{parent}/clusters", {"parent": parent, "cluster": self.new_cluster}))
        made += [(self.policy_folder, policy) for policy in self.policies]
        made += [(f"{self.cluster_path}/nodePools", {"parent": self.cluster_path[4:], "nodePool": pool})
                 for pool in self.pools]
        return made

    def deletions(self):
        """The paths of the DELETE requests of cleanup.sh, in order."""
        paths = [f"{self.cluster_path}/nodePools/{pool['name']}" for pool in self.pools]
        paths += [self.cluster_path] if self.new_cluster else []
        return paths + [f"{self.policy_folder}/{policy['name']}" for policy in self.policies]

    def kinds_and_names(self):
        """The objects as (kind, name), in the order in which they are deleted."""
        kinds = {kind.lower(): kind for kind in ("Job", "CronJob", "JobSet", "Deployment", "LeaderWorkerSet", "RayCluster", "RayJob",
                                                 "RayService", "Service", "PodDisruptionBudget", "ConfigMap", "ComputeClass",
                                                 "HorizontalPodAutoscaler", "PodMonitoring", "Gateway", "HTTPRoute", "InferencePool",
                                                 "CheckpointConfiguration", "CapacityBuffer", "PodTemplate")}
        return [(kinds[each.split("/")[0]], each.split("/")[1]) for each in self.objects]

    def nothing_left(self, namespace):
        """What cleanup.sh says of objects that are gone."""
        if self.sweep:
            return ["    No resources found\n"]
        where = f" in namespace {namespace}; if you applied it to another one, it is still there"
        return [f"    no {kind} {name}{'' if kind in CLUSTER_SCOPED else where}\n" for kind, name in self.kinds_and_names()]

    def _in_namespace(self, *argv, namespace=None):
        return [*argv, f"--namespace={namespace or self.namespace or 'default'}"]

    def shows(self, namespace=None):
        """The kubectl calls of verify.sh."""
        starts = self._in_namespace("get", "jobs", f"--selector={self.pods}", namespace=namespace)
        return [*([starts] if self.pods.startswith("flexslice-schedule=") else []), self.shows_pods(namespace)]

    def shows_pods(self, namespace=None):
        """The last of them."""
        return self._in_namespace("get", "pods", f"--selector={self.pods}", "--output=wide", namespace=namespace)

    def kubectl_deletions(self, namespace=None):
        """The kubectl calls of cleanup.sh, without questions."""
        named = [["job", f"--selector=flexslice-sweep={self.sweep}"]] if self.sweep else [[each] for each in self.objects]
        deletions = [["delete", *words, "--ignore-not-found", "--timeout=5m"] for words in named]
        scoped = tuple(f"{kind.lower()}/" for kind in CLUSTER_SCOPED)
        return [words if words[1].startswith(scoped) else self._in_namespace(*words, namespace=namespace) for words in deletions]


def pool(name, zones, machine, *, topology=None, policy=None, auto_repair=True, config=None, **more):
    """The nodePool that a create request carries."""
    placement = {"tpuTopology": topology} if topology else {"policyName": policy} if policy else None
    return {"name": name, "locations": zones.split(","), "config": {"machineType": machine} | (config or {}),
            "management": {"autoRepair": auto_repair, "autoUpgrade": True}, "upgradeSettings": {"maxSurge": 1},
            **({"placementPolicy": placement} if placement else {}), **more}


def flex(name, zones, machine, nodes, *, config=None, **more):
    """A pool in flex-start mode: from zero to `nodes` in each zone, no reservation, no auto-repair."""
    return pool(name, zones, machine, auto_repair=False, initialNodeCount=0, config={
        "flexStart": True, "reservationAffinity": {"consumeReservationType": "NO_RESERVATION"}} | (config or {}),
        autoscaling={"enabled": True, "minNodeCount": 0, "maxNodeCount": nodes, "locationPolicy": "ANY"}, **more)


def queued(name, zones, machine, nodes, **more):
    """A flex-start pool that only a ProvisioningRequest makes grow.  GKE sets the taint by itself, but not the label."""
    return flex(name, zones, machine, nodes, config={"labels": {"cloud.google.com/gke-queued": "true"}},
                queuedProvisioning={"enabled": True}, **more)


def on_demand(name, zones, machine, nodes, **more):
    """A pool of so many nodes in each zone."""
    return pool(name, zones, machine, initialNodeCount=nodes, **more)


def spot(name, zones, machine, nodes, **more):
    """The same of Spot VMs."""
    return on_demand(name, zones, machine, nodes, config={"spot": True}, **more)


def reserved(name, zones, machine, nodes, reservation, *, disk=None, **more):
    """The same from one reservation, given by name or path."""
    return on_demand(name, zones, machine, nodes, config={"reservationAffinity": reservation_affinity(reservation)} |
                     ({"diskSizeGb": disk} if disk else {}), **more)


def reservation_affinity(reservation):
    """What a pool of a reservation says of it."""
    return {"consumeReservationType": "SPECIFIC_RESERVATION", "key": "compute.googleapis.com/reservation-name", "values": [reservation]}


def scaled(name, zones, machine, nodes, **more):
    """A pool from zero to so many nodes in each zone."""
    return pool(name, zones, machine, initialNodeCount=0, autoscaling={"enabled": True, "minNodeCount": 0, "maxNodeCount": nodes}, **more)


def policy(name, region, topology):
    """The body of a workload policy."""
    return {"name": name, "region": region,
            "workloadPolicy": {"type": "HIGH_THROUGHPUT", "acceleratorTopology": topology}}


def standard_cluster(name, machine=None, **more):
    """A cluster of gcloud's defaults, with one ordinary node in each zone."""
    return {"name": name, "nodePools": [{
        "name": "default-pool", "initialNodeCount": 1, "config": {"machineType": machine} if machine else {}, "upgradeSettings": {"maxSurge": 1},
        "management": {"autoRepair": True, "autoUpgrade": True}}], **more}


def autopilot_cluster(name, **more):
    """A cluster whose nodes GKE makes; gcloud names a default pool all the same."""
    return {"name": name, "autopilot": {"enabled": True},
            "ipAllocationPolicy": {"createSubnetwork": False, "useIpAliases": True},
            "nodePools": [{"name": "default-pool", "initialNodeCount": 1, "config": {}}], **more}


def addons(**more):
    """With --addons gcloud names all of them; the two that are on by default must stay on."""
    return {"addonsConfig": {
        "horizontalPodAutoscaling": {"disabled": False}, "httpLoadBalancing": {"disabled": False},
        "kubernetesDashboard": {"disabled": True}, "networkPolicyConfig": {"disabled": True}, **more}}


WITH_BUCKETS = addons(gcsFuseCsiDriverConfig={"enabled": True}) | {
    "workloadIdentityConfig": {"workloadPool": "my-project.svc.id.goog"}}
WITH_RAY = addons(rayOperatorConfig={"enabled": True})

CT6E, CT5P = "ct6e-standard-4t", "ct5p-hightpu-4t"
JOB_1 = {"objects": ["job/job-1", "service/job-1"], "pods": "job-name=job-1"}
SLEEP_1 = {"objects": ["job/sleep-1"], "pods": "job-name=sleep-1"}

# Of the examples, for tests that run each of them.
SAMPLE = ("multislice", "new-cluster")

SWEEP_POINTS = ("0-1--batch-256", "0-03--batch-128", "0-03--batch-256", "0-01--batch-128", "0-01--batch-256", "0-003--batch-128")
EXAMPLES = {
    "single-host": Meant("us-east5", pools=[flex("sleep-1-pool", "us-east5-b", CT6E, 1)], **SLEEP_1),
    "v5e-one-chip": Meant("us-west4", pools=[flex("sleep-1-pool", "us-west4-a", "ct5lp-hightpu-1t", 1)], **SLEEP_1),
    "multi-host": Meant("us-east5", pools=[flex("job-1-pool", "us-east5-b", CT6E, 4, topology="4x4")], **JOB_1),
    "v5p-multi-host": Meant("us-east5", ["job/train-v5p", "service/train-v5p"], "job-name=train-v5p", [
        flex("train-v5p-pool", "us-east5-a", CT5P, 2, topology="2x2x2", config={"maxRunDuration": "7200s"})]),
    "autopilot-single-host": Meant("", cluster="", **SLEEP_1),
    "autopilot-multi-host": Meant("us-east5", cluster="my-autopilot", **JOB_1),
    "autopilot-multislice": Meant(
        "us-central1", ["jobset/two-slices"], "jobset.sigs.k8s.io/jobset-name=two-slices", cluster="my-autopilot",
        new_cluster=autopilot_cluster("my-autopilot")),
    "fallback": Meant(
        "us-east5", ["job/evaluate", "computeclass/tpu-evaluate"], "job-name=evaluate", cluster="research"),
    "new-cluster": Meant(
        "us-east5", ["job/experiment"], "job-name=experiment", [flex("experiment-pool", "us-east5-a", CT5P, 1)],
        cluster="experiment", project="my-project",
        new_cluster=standard_cluster("experiment", initialClusterVersion="1.35.2-gke.1962000", **WITH_BUCKETS)),
    "ironwood": Meant(
        "us-central1", ["job/ironwood", "service/ironwood"], "job-name=ironwood",
        [flex("ironwood-pool", "us-central1-c", "tpu7x-standard-4t", 16, policy="ironwood-my-cluster-policy")],
        [policy("ironwood-my-cluster-policy", "us-central1", "4x4x4")], project="my-project"),
    "fine-tune": Meant(
        "us-east5", ["job/fine-tune"], "job-name=fine-tune",
        [flex("fine-tune-pool", "us-east5-a,us-east5-b", "ct6e-standard-8t", 2,
              config={"maxRunDuration": "21600s", "resourceLabels": {"team": "research"}})], namespace="research"),
    "pre-train": Meant(
        "us-east5", ["job/pre-train", "service/pre-train"], "job-name=pre-train",
        [flex("pre-train-pool", "us-east5-b", CT6E, 4, topology="4x4",
              config={"maxRunDuration": "259200s", "resourceLabels": {"team": "research"}})],
        project="my-project", namespace="research"),
    "multislice": Meant(
        "us-east5", ["jobset/big-run"], "jobset.sigs.k8s.io/jobset-name=big-run",
        [on_demand(f"big-run-pool-{i}", "us-east5-b", CT6E, 8, topology="4x8") for i in range(2)]),
    "checkpoints": Meant(
        "us-east5", ["jobset/long-run", "checkpointconfiguration/long-run"], "jobset.sigs.k8s.io/jobset-name=long-run",
        [on_demand(f"long-run-pool-{i}", "us-east5-b", CT6E, 8, topology="4x8", config={"labels": {"flexslice/workload": "long-run"}})
         for i in range(2)], project="my-project"),
    "pathways": Meant(
        "us-east5", ["jobset/pathways-train"], "jobset.sigs.k8s.io/jobset-name=pathways-train",
        [on_demand(f"pathways-train-pool-{i}", "us-east5-b", CT6E, 8, topology="4x8") for i in range(2)]),
    "pathways-headless": Meant(
        "us-east5", ["jobset/pathways-lab"], "jobset.sigs.k8s.io/jobset-name=pathways-lab",
        [on_demand("pathways-lab-pool", "us-east5-a", CT5P, 2, topology="2x2x2")], namespace="research", cluster="lab-cluster",
        new_cluster=standard_cluster("lab-cluster", machine="n2-standard-64", locations=["us-east5-a"])),
    "queued": Meant(
        "us-east5", ["job/nightly", "service/nightly"], "job-name=nightly",
        [queued("nightly-pool", "us-east5-b", CT6E, 4, topology="4x4")], namespace="team-a"),
    "team-queue": Meant(
        "us-west4", ["job/sweep-1", "service/sweep-1"], "job-name=sweep-1",
        existing=[spot("team-a", "us-west4-a", "ct5lp-hightpu-4t", 4, topology="4x4")], namespace="team-a"),
    "shared-queue": Meant(
        "us-east5", ["jobset/pre-train"], "jobset.sigs.k8s.io/jobset-name=pre-train",
        existing=[on_demand(f"my-cluster-np-{i}", "us-east5-b", CT6E, 4, topology="4x4") for i in range(2)]),
    "dynamic-slices": Meant(
        "us-central1", ["jobset/tune"], "jobset.sigs.k8s.io/jobset-name=tune",
        existing=[reserved("sub-block-0", "us-central1-c", "tpu7x-standard-4t", 16, "ironwood", policy="sub-blocks")], namespace="team-a"),
    "sweep": Meant(
        "us-east5", [f"job/tune-lr-{point}" for point in SWEEP_POINTS], "flexslice-sweep=tune",
        [flex("tune-pool", "us-east5-b", "ct6e-standard-8t", 2,
              config={"maxRunDuration": "14400s", "resourceLabels": {"flexslice-sweep": "tune"}})], namespace="team-a", sweep="tune"),
    "reservation": Meant(
        "us-east5-a", ["job/reserved", "service/reserved"], "job-name=reserved",
        [reserved("reserved-pool", "us-east5-a", CT5P, 4, topology="2x2x4",
                  reservation="projects/capacity-project/reservations/v5p-2026/reservationBlocks/block-1")],
        project="my-project"),
    "nightly": Meant(
        "us-east5", ["cronjob/nightly-eval", "service/nightly-eval"], "flexslice-schedule=nightly-eval",
        [flex("nightly-eval-pool", "us-east5-b", CT6E, 4, topology="4x4", config={"maxRunDuration": "10800s"})]),
    "batch-shards": Meant(
        "us-east5", ["job/batch-shards"], "job-name=batch-shards",
        [spot("batch-shards-pool", "us-east5-a,us-east5-b", CT6E, 4)]),
    "two-containers": Meant(
        "us-central1", ["job/two-containers", "service/two-containers"], "job-name=two-containers",
        [flex("two-containers-pool", "us-central1-c", "tpu7x-standard-4t", 2, policy="two-containers-my-cluster-policy")],
        [policy("two-containers-my-cluster-policy", "us-central1", "2x2x2")]),
    "serve": Meant(
        "us-east5", ["deployment/chat", "poddisruptionbudget/chat", "service/chat"], "app=chat",
        [on_demand("chat-pool", "us-east5-b", "ct6e-standard-8t", 2, config={"diskSizeGb": 500})]),
    "autoscaling": Meant(
        "us-east5", [f"{kind}/elastic-chat" for kind in ("deployment", "horizontalpodautoscaler", "podmonitoring", "poddisruptionbudget", "service")],
        "app=elastic-chat", [scaled("elastic-chat-pool", "us-east5-b", "ct6e-standard-8t", 3, config={"diskSizeGb": 500})]),
    "warm": Meant(
        "us-east5", [f"{kind}/ready-chat" for kind in ("deployment", "horizontalpodautoscaler", "podmonitoring", "poddisruptionbudget", "service")]
        + ["capacitybuffer/ready-chat-warm", "podtemplate/ready-chat-warm"],
        "app=ready-chat", [scaled("ready-chat-pool", "us-east5-b", "ct6e-standard-8t", 4, config={"spot": True, "diskSizeGb": 500})]),
    "gateway": Meant(
        "us-east5",
        ["leaderworkerset/routed",
         *[f"{kind}/routed" for kind in ("httproute", "inferencepool", "gateway", "horizontalpodautoscaler", "podmonitoring", "poddisruptionbudget")],
         "service/routed-leader"], "leaderworkerset.sigs.k8s.io/name=routed",
        [scaled(f"routed-pool-{i}", "us-east5-b", CT6E, 4, topology="4x4",
                config={"diskSizeGb": 500, "reservationAffinity": reservation_affinity("serving")}) for i in range(2)]),
    "shared-gateway": Meant(
        "us-west4", [f"{kind}/small-chat" for kind in ("deployment", "httproute", "inferencepool", "poddisruptionbudget", "service")],
        "app=small-chat", [spot("small-chat-pool", "us-west4-a", "ct5lp-hightpu-1t", 2)]),
    "serve-multi-host": Meant(
        "us-east5", ["leaderworkerset/big-chat", "service/big-chat-leader"], "leaderworkerset.sigs.k8s.io/name=big-chat",
        [reserved(f"big-chat-pool-{i}", "us-east5-b", CT6E, 4, "serving", topology="4x4", disk=500) for i in range(2)]),
    # The router runs on an ordinary node, which is there or not: no script makes one.
    "serve-with-router": Meant(
        "us-central1", ["leaderworkerset/routed-chat", "service/routed-chat-leader"], "leaderworkerset.sigs.k8s.io/name=routed-chat",
        [reserved("routed-chat-pool", "us-central1-c", "tpu7x-standard-4t", 4, "serving", policy="routed-chat-my-cluster-policy")],
        [policy("routed-chat-my-cluster-policy", "us-central1", "2x2x4")]),
    "ray-serve": Meant(
        "us-central1", ["rayservice/assistant"], "app=assistant",
        [flex("assistant-pool", "us-central1-c", "tpu7x-standard-4t", 2)], cluster="ray-cluster",
        new_cluster=standard_cluster("ray-cluster", machine="e2-standard-8", **WITH_RAY)),
    "ray-fine-tune": Meant(
        "us-east5", ["rayjob/tune-gemma", "configmap/tune-gemma-script"], "app=tune-gemma",
        [spot("tune-gemma-pool", "us-east5-b", CT6E, 4, topology="4x4")], namespace="research"),
    "everything": Meant(
        "us-east5", ["jobset/everything"], "jobset.sigs.k8s.io/jobset-name=everything",
        [flex("everything", "us-east5-b", CT6E, 2, topology="2x4", config={
            "diskSizeGb": 200, "diskType": "hyperdisk-balanced", "serviceAccount": "nodes@my-project.iam.gserviceaccount.com",
            "maxRunDuration": "129600s", "labels": {"example.com/pool": "big"}, "resourceLabels": {"team": "a"}},
            maxPodsConstraint={"maxPodsPerNode": "32"})],
        project="my-project", namespace="team-a"),
}
