"""The table of changes against the real control plane: what becomes of an object and its pods when each field of a row changes.

For each field of each row of changes.yaml an object is applied, its pods run, and it is applied again with another value
there.  The row says what must become of it: refused, or accepted, and then its pods go on, are replaced, or stop.  A field
without a case is a failure.  Each new object is valid by itself, so that what is refused is the change and not the value.
"""

import copy
import json
import os
import time
import unittest
from dataclasses import dataclass, field

import yaml

import integrations
import report
import workloads
from control_plane import ALL, SECONDS, ApiError, ControlPlane, eventually
from gke import DISKS, Gke
from nodes import ordinary_node
from workloads import ROOT, compile_spec, merged

TABLE = report.Table("changes")
ROWS = yaml.safe_load((ROOT / "src/catalog/data/changes.yaml").read_text(encoding="utf-8"))["changes"]
OF_OTHERS = {"unscaled"}  # conditions whose rows test_autoscaling.py proves
OF_GOOGLE = {"cluster", "workload policy", "node pool", "ComputeClass", "CheckpointConfiguration", "CapacityBuffer", "PodTemplate"}  # which only GKE judges
QUIET_SECONDS = 15
KUEUE = tuple(int(part) for part in os.environ.get("FLEXSLICE_KUEUE", "0.19").split("."))  # the release that runs here
CLASS = "of-disks"  # whose volumes can grow
BATCH = 24  # cases at a time, each with a few pods

SPEC = {
    "apiVersion": "flexslice/v1", "namespace": "changes", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "2x2"}, "provisioning": {"model": "on-demand", "zones": ["us-east5-b"]},
    "workload": {"image": "run:1", "command": ["run"], "resources": {"cpu": "1", "memory": "1Gi"}},
}
QUEUED = {"provisioning": {"queue": "q"}}
SUSPENDED = {"spec": {"suspend": True}}
HOSTS = {"tpu": {"topology": "2x4", "machineType": "ct6e-standard-4t"}}
JOB = {"workload": {"kind": "job"}}
JOBSET = {"workload": {"kind": "jobset"}}
DEPLOYMENT = merged({"workload": {"kind": "deployment"}}, {"tpu": {"slices": 2}})
LWS = merged(HOSTS, {"tpu": {"slices": 2}, "workload": {"kind": "leaderworkerset"}})
ROUTED = merged(LWS, {"workload": {"leader": {"tpu": False, "resources": {"cpu": "1", "memory": "1Gi"}}}})
SCALED = {"workload": {"kind": "deployment", "ports": [8000], "autoscaling": {"max": 2, "metric": "m", "target": 5}, "gateway": {"model": "m", "class": "gke-l7-rilb"}}}
RAY = {"tpu": {"slices": 2}, "workload": {"command": None, "ray": {"version": "2.51.0"}}}
RAYCLUSTER = merged(RAY, {"workload": {"kind": "raycluster"}})
RAYJOB = merged(RAY, {"workload": {"kind": "rayjob", "script": "run"}})
RAYSERVICE = merged(RAY, {"workload": {"kind": "rayservice", "ray": {"serveConfig": {"applications": [{"import_path": "a:b"}]}}}})


def tearDownModule():
    TABLE.finish()


@dataclass
class Case:
    """A change of an object: `first` is laid over what compile makes of the spec, `then` over that."""
    spec: dict
    then: dict
    first: dict = field(default_factory=dict)


def each(spec, changes, first=None):
    """{field: Case} of fields with one spec; a change that is a pair has its own `first`."""
    return {name: Case(spec, change[1], merged(first or {}, change[0])) if isinstance(change, tuple) else Case(spec, change, first or {})
            for name, change in changes.items()}


def at(path, value):
    """{"a": {0: value}} of `a.0`; numbers are places in a list."""
    for step in reversed(path.split(".")):
        value = {int(step) if step.isdigit() else step: value}
    return value


IMAGE = {"image": "run:2"}
TOLERATION = [{"key": "spare", "operator": "Exists"}]
NODE_AFFINITY = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [
    {"weight": 1, "preference": {"matchExpressions": [{"key": "x", "operator": "Exists"}]}}]}}
SPREAD = [{"maxSkew": 5, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": {"matchLabels": {"x": "z"}}}]
HELPER = [{"name": "init", "image": "init", "resources": {"requests": {"cpu": "100m"}}}]
INDEXED = {"spec": {"completionMode": "Indexed", "completions": 2, "parallelism": 1, "podFailurePolicy": None,
                    "template": {"spec": {"restartPolicy": "Never"}}}}
POLICY = [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}]
SCHEDULING = {"metadata": {"labels": {"more": "x"}}, "spec.nodeSelector": {"more": "x"}, "spec.affinity.nodeAffinity": NODE_AFFINITY["nodeAffinity"],
              "spec.tolerations": TOLERATION, "spec.schedulingGates": [{"name": "example.com/wait"}]}
JOBS = "spec.replicatedJobs.template.spec.template"
LEADER, WORKER = "spec.leaderWorkerTemplate.leaderTemplate", "spec.leaderWorkerTemplate.workerTemplate"


def of_pods(prefix):
    """{field: change} of what Kueue counts or places by in a LeaderWorkerSet's pods."""
    spec = f"{prefix}.spec"
    with_helper = at(f"{spec}.initContainers", HELPER)
    return {
        f"{spec}.nodeSelector": at(f"{spec}.nodeSelector", {"more": "x"}), f"{spec}.affinity": at(f"{spec}.affinity", NODE_AFFINITY),
        f"{spec}.tolerations": at(f"{spec}.tolerations", TOLERATION),
        f"{spec}.topologySpreadConstraints": at(f"{spec}.topologySpreadConstraints", SPREAD),
        f"{spec}.runtimeClassName": at(f"{spec}.runtimeClassName", "other"), f"{spec}.overhead": at(f"{spec}.overhead", {"cpu": "100m"}),
        f"{spec}.resourceClaims": at(f"{spec}.resourceClaims", [{"name": "x", "resourceClaimName": "x"}]),
        f"{spec}.containers.resources": at(f"{spec}.containers.0.resources.requests.cpu", "500m"),
        f"{spec}.containers.ports": at(f"{spec}.containers.0.ports", [{"containerPort": 9999, "protocol": "TCP"}]),
        f"{spec}.initContainers.resources": (with_helper, at(f"{spec}.initContainers.0.resources.requests.cpu", "200m")),
        f"{spec}.initContainers.ports": (with_helper, at(f"{spec}.initContainers.0.ports", [{"containerPort": 9998, "protocol": "TCP"}])),
    }


def claims(size):
    """volumeClaimPolicies of a JobSet with a claim of that size."""
    return [{"templates": [{"metadata": {"name": "x"}, "spec": {
        "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}}}]}]


def counts(prefix):
    return {f"{prefix}.{name}": (at(f"{prefix}.0.maxReplicas", 3), at(f"{prefix}.0.{name}", value))
            for name, value in (("replicas", 3), ("minReplicas", 1), ("maxReplicas", 4))}


def mounting(volume):
    """The spec of a Job with that volume."""
    return merged(JOB, {"workload": {"serviceAccount": "reader", "volumes": [{"name": "a", "mountPath": "/a"} | volume]}})


DISK = mounting({"pvc": {"name": "disk", "class": CLASS, "size": "10Gi"}})
BUCKET = mounting({"gcs": {"bucket": "my-bucket", "profile": "training"}})
PROVISIONED = merged(JOB, HOSTS, QUEUED, {"provisioning": {"model": "flex-start-queued"}})
# The rule of the API compares with the value that was there.
MANAGED_BY = (at("spec.managedBy", "ray.io/kuberay-operator"), at("spec.managedBy", "kueue.x-k8s.io/multikueue"))
SERVICE = {"spec": {"clusterIP": None, "ports": [{"name": "http", "port": 80, "protocol": "TCP"}]}}
# {(resource, condition): {field: Case}}
CASES = {
    ("Job", "queued"): each(merged(JOB, QUEUED, {"tpu": {"slices": 2}}), {"spec.parallelism": at("spec.parallelism", 1)}),
    ("Job", ""): {
        **each(JOB, {
            "spec.suspend": SUSPENDED, "spec.parallelism": at("spec.parallelism", 2), "spec.activeDeadlineSeconds": at("spec.activeDeadlineSeconds", 9999),
            "spec.backoffLimit": at("spec.backoffLimit", 3), "spec.ttlSecondsAfterFinished": at("spec.ttlSecondsAfterFinished", 9999),
            "spec.podReplacementPolicy": ({"spec": {"podFailurePolicy": None}}, at("spec.podReplacementPolicy", "Failed")),
            "spec.maxFailedIndexes": (merged(INDEXED, {"spec": {"backoffLimitPerIndex": 1, "maxFailedIndexes": 2}}), at("spec.maxFailedIndexes", 1)),
            "spec.completions": (INDEXED, at("spec.completions", 3)), "spec.completionMode": (merged(INDEXED, {"spec": {"completionMode": None}}), at("spec.completionMode", "Indexed")),
            "spec.selector": ({"spec": {"suspend": True, "manualSelector": True, "selector": {"matchLabels": {"a": "x"}}, "template": {"metadata": {"labels": {"a": "x", "b": "x"}}}}},
                              at("spec.selector.matchLabels", {"a": None, "b": "x"})),
            "spec.podFailurePolicy": (merged(INDEXED, {"spec": {"podFailurePolicy": {"rules": POLICY}}}), at("spec.podFailurePolicy.rules.0.action", "FailJob")),
            "spec.backoffLimitPerIndex": (merged(INDEXED, {"spec": {"backoffLimitPerIndex": 1}}), at("spec.backoffLimitPerIndex", 2)),
            "spec.managedBy": at("spec.managedBy", "example.com/other"),
            "spec.successPolicy": (INDEXED, at("spec.successPolicy", {"rules": [{"succeededCount": 1}]})),
            "spec.template": at("spec.template.spec.containers.0", IMAGE)}),
    },
    ("Job", "elastic"): each(merged(JOB, HOSTS), {"spec.completions": {"spec": {"completions": 4, "parallelism": 4}}}),
    ("Job", "suspended"): each(JOB, {f"spec.template.{name}": at(f"spec.template.{name}", value) for name, value in SCHEDULING.items()}, SUSPENDED),
    ("PersistentVolumeClaim", "grows"): each(DISK, {"spec.resources.requests.storage": at("spec.resources.requests.storage", "20Gi")}),
    ("PersistentVolumeClaim", ""): {"spec": [
        Case(DISK, at("spec.resources.requests.storage", "5Gi")), Case(DISK, at("spec.storageClassName", "other")),
        Case(DISK, at("spec.accessModes", ["ReadWriteMany"])), Case(BUCKET, at("spec.accessModes", ["ReadOnlyMany"])),
        Case(BUCKET, at("spec.storageClassName", "gcsfusecsi-serving")), Case(BUCKET, at("spec.volumeName", "other"))]},
    ("PersistentVolume", ""): each(BUCKET, {
        "spec.csi": at("spec.csi.volumeHandle", "other"), "spec.storageClassName": at("spec.storageClassName", "gcsfusecsi-serving"),
        "spec.accessModes": at("spec.accessModes", ["ReadOnlyMany"]), "spec.mountOptions": at("spec.mountOptions", ["implicit-dirs"])}),
    ("CronJob", ""): each(merged(JOB, {"workload": {"schedule": "* * * * *"}}), {"spec": at("spec.jobTemplate.spec.template.spec.containers.0", IMAGE)}),
    ("JobSet", ""): each(JOBSET, {
        "spec.suspend": SUSPENDED, "spec.coordinator": at("spec.coordinator", {"replicatedJob": "slice", "jobIndex": 0, "podIndex": 0}),
        "spec.ttlSecondsAfterFinished": at("spec.ttlSecondsAfterFinished", 9999),
        "spec.replicatedJobs": at("spec.replicatedJobs.0.template.spec.template.spec.containers.0", IMAGE),
        "spec.network": at("spec.network", {"enableDNSHostnames": False}), "spec.successPolicy": at("spec.successPolicy", {"operator": "Any"}),
        "spec.failurePolicy": (at("spec.failurePolicy.maxRestarts", 3), at("spec.failurePolicy.maxRestarts", 7)), "spec.startupPolicy": at("spec.startupPolicy", {"startupPolicyOrder": "InOrder"}),
        "spec.volumeClaimPolicies": (merged(SUSPENDED, at("spec.replicatedJobs.0.template.spec.template.spec.containers.0.volumeMounts", [
            {"name": "x", "mountPath": "/x"}]), at("spec.volumeClaimPolicies", claims("1Gi"))), at("spec.volumeClaimPolicies", claims("2Gi"))),
        "spec.managedBy": at("spec.managedBy", "example.com/other")}),
    ("JobSet", "suspended"): each(JOBSET, {
        f"{JOBS}.{name}": at(f"{JOBS.replace('Jobs', 'Jobs.0')}.{name}", value) for name, value in SCHEDULING.items()
        if name != "spec.affinity.nodeAffinity"}, SUSPENDED),
    ("Deployment", ""): each(DEPLOYMENT, {
        "spec.selector": ({"spec": {"template": {"metadata": {"labels": {"b": "x"}}}}}, at("spec.selector.matchLabels", {"b": "x"})),
        "spec.template": at("spec.template.spec.containers.0", IMAGE), "spec.replicas": at("spec.replicas", 3),
        "spec.strategy": at("spec.strategy", {"rollingUpdate": {"maxUnavailable": 2}}), "spec.minReadySeconds": at("spec.minReadySeconds", 7),
        "spec.paused": at("spec.paused", True), "spec.progressDeadlineSeconds": at("spec.progressDeadlineSeconds", 9999),
        "spec.revisionHistoryLimit": at("spec.revisionHistoryLimit", 3)}),
    ("LeaderWorkerSet", ""): {
        **each(LWS, {
            "spec.replicas": at("spec.replicas", 3), "spec.rolloutStrategy": at("spec.rolloutStrategy.rollingUpdateConfiguration", {"maxUnavailable": 2}),
            "spec.startupPolicy": at("spec.startupPolicy", "LeaderReady"),
            "spec.leaderWorkerTemplate": at(f"{WORKER}.spec.containers.0", IMAGE), "spec.networkConfig": at("spec.networkConfig", {"subdomainPolicy": "UniquePerReplica"})}),
        **each(ROUTED, {
            "spec.leaderWorkerTemplate.subGroupPolicy": at("spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize", 1),
            "spec.leaderWorkerTemplate.subGroupPolicy.subGroupPolicyType": at("spec.leaderWorkerTemplate.subGroupPolicy.subGroupPolicyType", "LeaderWorker")})},
    ("LeaderWorkerSet", "queued"): each(merged(ROUTED, QUEUED), {
        "spec.leaderWorkerTemplate.size": at("spec.leaderWorkerTemplate.size", 5), LEADER: at("spec.leaderWorkerTemplate.leaderTemplate", None),
        **of_pods(LEADER), **of_pods(WORKER),
        f"{LEADER}.spec": at(f"{LEADER}.spec.containers.0", IMAGE), f"{LEADER}.metadata": at(f"{LEADER}.metadata.annotations", {"more": "x"})}),
    ("Service", ""): each(merged(JOB, HOSTS), {
        "spec.clusterIP": (SERVICE, at("spec.clusterIP", "None")), "spec.type": (SERVICE, at("spec.type", "NodePort")),
        "spec.ports": (SERVICE, at("spec.ports.0.port", 81)), "spec.selector": at("spec.selector", {"more": "x"}),
        "spec.publishNotReadyAddresses": at("spec.publishNotReadyAddresses", None), "spec.sessionAffinity": (SERVICE, at("spec.sessionAffinity", "ClientIP"))}),
    ("HorizontalPodAutoscaler", ""): each(SCALED, {"spec": at("spec.maxReplicas", 3)}),
    ("PodMonitoring", ""): each(SCALED, {"spec": at("spec.endpoints.0.interval", "30s")}),
    ("InferencePool", ""): each(SCALED, {"spec": at("spec.endpointPickerRef.name", "other")}),
    ("HTTPRoute", ""): each(SCALED, {"spec": at("spec.rules.0.backendRefs.0.weight", 2)}),
    ("Gateway", ""): each(SCALED, {"spec.listeners": at("spec.listeners.0.port", 81)}),
    ("PodDisruptionBudget", ""): each(DEPLOYMENT, {"spec": at("spec.maxUnavailable", 2)}),
    ("RayCluster", ""): each(RAYCLUSTER, {
        "spec.managedBy": MANAGED_BY,
        "spec.gcsFaultToleranceOptions.backend": (at("spec.gcsFaultToleranceOptions", {"redisAddress": "redis:6379", "backend": "redis"}),
                                                  at("spec.gcsFaultToleranceOptions", {"redisAddress": None, "backend": "rocksdb"})),
        "spec.suspend": SUSPENDED, **counts("spec.workerGroupSpecs"),
        "spec": at("spec.workerGroupSpecs.0.template.spec.containers.0", IMAGE)}),
    ("RayCluster", "queued"): each(merged(RAYCLUSTER, QUEUED), {
        "spec.headGroupSpec": at("spec.headGroupSpec.template.spec.containers.0", IMAGE),
        "spec.workerGroupSpecs": at("spec.workerGroupSpecs.0.template.spec.containers.0", IMAGE),
        "spec.workerGroupSpecs.replicas": counts("spec.workerGroupSpecs")["spec.workerGroupSpecs.replicas"]}),
    ("RayJob", ""): each(RAYJOB, {"spec.suspend": SUSPENDED, "spec": at("spec.rayClusterSpec.workerGroupSpecs.0.template.spec.containers.0", IMAGE)}),
    # compile refuses it in a queue; with this upgradeStrategy KubeRay does the same outside.
    ("RayService", "queued"): each(RAYSERVICE, {"spec": at("spec.rayClusterConfig.workerGroupSpecs.0.template.spec.containers.0", IMAGE)},
                                   at("spec.upgradeStrategy.type", "None")),
    ("RayService", ""): each(RAYSERVICE, {
        "spec.serveConfigV2": at("spec.serveConfigV2", "applications: []"), **counts("spec.rayClusterConfig.workerGroupSpecs"),
        "spec.managedBy": MANAGED_BY,
        "spec": at("spec.rayClusterConfig.workerGroupSpecs.0.template.spec.containers.0", IMAGE)}),
    ("ConfigMap", ""): each(RAYJOB, {"data": {"data": {"more": "x"}}, "binaryData": {"binaryData": {"more": "eA=="}}}),
    ("ClusterQueue", ""): each(merged(JOB, QUEUED), {
        "spec.concurrentAdmissionPolicy": at("spec.concurrentAdmissionPolicy", {"migration": {"mode": "TryPreferredFlavors"}}),
        "spec": at("spec.resourceGroups.0.flavors.0.resources.0.nominalQuota", "90")}),
    ("WorkloadPriorityClass", ""): each(merged(JOB, QUEUED, {"provisioning": {"priority": {"name": "first", "value": 1000}}}), {"value": at("value", 2000)}),
    ("LocalQueue", ""): each(merged(JOB, QUEUED), {"spec.clusterQueue": at("spec.clusterQueue", "other")}),
    ("ResourceFlavor", ""): {
        **each(merged(JOB, QUEUED), {"spec": at("spec.nodeLabels", {"more": "x"})}),
        **each(merged(JOB, HOSTS, QUEUED), {"spec.topologyName": at("spec.topologyName", "other")})},
    ("ResourceFlavor", "topology"): each(merged(JOB, HOSTS, QUEUED), {
        "spec.nodeLabels": at("spec.nodeLabels", {"kubernetes.io/os": "linux"}), "spec.tolerations": at("spec.tolerations", TOLERATION)}),
    # Of another shape than the rest, whose flavors share a topology.
    ("Topology", ""): each(merged(JOB, HOSTS, QUEUED, {"tpu": {"topology": "4x4"}}), {"spec.levels": (
        at("spec.levels", [{"nodeLabel": "cloud.google.com/gke-nodepool"}]), at("spec.levels.0.nodeLabel", "example.com/block"))}),
    ("Topology", "hostname"): each(merged(JOB, HOSTS, QUEUED, {"tpu": {"topology": "4x8"}}), {"spec.levels": at("spec.levels", [
        {"nodeLabel": "kubernetes.io/os"}, {"nodeLabel": "cloud.google.com/gke-nodepool"}, {"nodeLabel": "kubernetes.io/hostname"}])}),
    ("AdmissionCheck", ""): each(PROVISIONED, {"spec.parameters": at("spec.parameters.name", "other"), "spec.controllerName": at("spec.controllerName", "example.com/other")}),
    ("ProvisioningRequestConfig", ""): each(PROVISIONED, {"spec": at("spec.retryStrategy", {"backoffLimitCount": 2})}),
}
LABELED = (JOB, JOBSET, DEPLOYMENT, LWS, RAYCLUSTER, RAYJOB, RAYSERVICE)


def every_object():
    """Cases of the rows about every Kubernetes object, for each kind: {field: [Case]}."""
    queue, priority = "kueue.x-k8s.io/queue-name", "kueue.x-k8s.io/priority-class"
    labeled = {"metadata": {"labels": {"more": "x"}}}
    return {
        "metadata.labels": [Case(spec, labeled) for spec in LABELED],
        "metadata.annotations": [Case(spec, {"metadata": {"annotations": {"more": "x"}}}) for spec in LABELED],
        f"metadata.labels.{queue}": [Case(merged(spec, QUEUED), {"metadata": {"labels": {queue: "other"}}}) for spec in LABELED[:-1]],
        f"metadata.labels.{priority}": [Case(merged(spec, QUEUED), {"metadata": {"labels": {priority: "other"}}}) for spec in LABELED[:-1]],
    }


def lay_over(target, change):
    """Merges mappings, and elements of lists by number; None removes."""
    for key, value in change.items():
        if isinstance(value, dict) and isinstance(key, int):
            lay_over(target[key], value)
        elif isinstance(value, dict):
            if not isinstance(target.get(key), (dict, list)):
                target[key] = {}
            lay_over(target[key], value)
        elif value is None:
            target.pop(key, None)
        else:
            target[key] = value


class Try:
    """A case on its way: an object that runs, and what became of its change."""

    def __init__(self, title, row, case, number):
        self.title, self.row, self.problem = title, row, None
        spec = merged(SPEC, case.spec, {"name": f"t{number}", "namespace": f"changes-{number}"})
        if "queue" in spec["provisioning"]:
            spec = merged(spec, {"provisioning": {"queue": f"q{number}"}})
        self.made = compile_spec(spec)
        kind = row["resource"] if row["resource"] != "*" else self.made.controller["kind"]
        self.objects = [each for name in workloads.FILES if self.made.has(name) for each in self.made.objects(name)]
        if kind == "Topology":
            self.objects = json.loads(json.dumps(self.objects).replace('"tpu-slices"', f'"tpu-slices-{number}"'))
        [self.old] = [each for each in self.objects if each["kind"] == kind]
        lay_over(self.old, case.first)
        self.new = copy.deepcopy(self.old)
        lay_over(self.new, case.then)

    def step(self, work):
        if self.problem is None:
            try:
                work()
            except (AssertionError, ApiError) as error:
                self.problem = str(error)

    def uids(self, plane):
        return {pod["metadata"]["uid"] for pod in self.made.pods(plane)}

    def judge(self, plane, seconds):
        """Whether that became of the object and its pods which the row says."""
        result, refused = self.row["result"], bool(self.done.returncode)
        ignored = result == "recreate" and "ignores" in self.row["why"]
        assert refused == (result == "recreate" and not ignored), f"{result}, and {self.done.stderr or 'it is accepted'}"
        if result == "stop":
            eventually(lambda: not self.uids(plane) & self.pods, "its pods go on", seconds)
        elif result == "rollout":
            eventually(lambda: self.uids(plane) != self.pods, "its pods stay as they are", seconds)
        else:
            now = self.uids(plane)
            assert self.pods <= now, f"{result}, and its pods ended"
            assert not ignored or now == self.pods, "there are new pods"

    def apply(self, plane, objects, *options):
        """Server-side, as provision.sh says for a queue: the list of a custom resource is then not replaced as a whole."""
        return plane.kubectl("apply", "--server-side", "--force-conflicts", *options, "-f", "-", stdin=yaml.safe_dump_all(objects), check=False)


class Changes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane(ALL))
        integrations.add(cls.plane, "deployment")
        cls.plane.create("nodes", ordinary_node("spare", None, None))
        cls.plane.kubectl("apply", "-f", "-", stdin=yaml.safe_dump({
            "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": CLASS}, "provisioner": DISKS, "allowVolumeExpansion": True}))

    def cases(self):
        """(title, row, Case) of every field of every row that an API server judges, and that holds for this release of Kueue."""
        everywhere, newer = every_object(), set()
        for row in ROWS:
            if row.get("when") in OF_OTHERS:
                continue
            key = (row["resource"], row.get("when", ""))
            if row["resource"] in OF_GOOGLE or tuple(int(part) for part in row.get("kueue", "0.0").split(".")) > KUEUE:
                continue
            if "kueue" in row:
                newer |= {(*key, name) for name in row["fields"]}
            for name in row["fields"]:
                if "kueue" not in row and (*key, name) in newer:
                    continue
                found = everywhere[name] if key[0] == "*" else CASES[key][name]
                found = found if isinstance(found, list) else [found]
                for case in found:
                    kind = case.spec["workload"]["kind"] if key[0] == "*" else " ".join(key).strip()
                    yield f"{kind}: {name}", row, case

    def test_every_row_has_its_cases_and_every_case_a_row(self):
        rows = {(row["resource"], row.get("when", ""), name) for row in ROWS for name in row["fields"]
                if row["resource"] not in OF_GOOGLE and row.get("when") not in OF_OTHERS}
        cases = {("*", "", name) for name in every_object()} | {(*key, name) for key, found in CASES.items() for name in found}
        self.assertEqual(rows, cases)

    def test_table(self):
        tries = [Try(*each, number) for number, each in enumerate(self.cases())]
        for start in range(0, len(tries), BATCH):
            self.check_batch(tries[start:start + BATCH])

    def check_batch(self, tries):
        plane = self.plane
        with Gke(plane) as gke:
            ordinary = []

            def start(each):
                ordinary.extend(workloads.prepare(plane, each.made))
                gke.provision(each.made.commands())
                done = each.apply(plane, each.objects)
                assert not done.returncode, f"the first object: {done.stderr}"

            def running(each):
                if not each.old.get("spec", {}).get("suspend"):
                    each.made.wait_started(plane, left())
                each.pods = each.uids(plane)

            def change(each):
                fresh = copy.deepcopy(each.new)
                fresh["metadata"]["name"] += "-x"
                done = each.apply(plane, [fresh], "--dry-run=server")
                assert not done.returncode, f"the new object is refused by itself: {done.stderr}"
                each.done = each.apply(plane, [each.new])

            try:
                for step in (start, running, change, lambda each: time.sleep(QUIET_SECONDS / len(tries)), lambda each: each.judge(plane, left())):
                    end = time.monotonic() + SECONDS  # all have been waiting since the step began

                    def left(end=end):
                        return max(1, end - time.monotonic())

                    for each in tries:
                        each.step(lambda step=step, each=each: step(each))
                self.assertEqual(gke.trouble, [])
            finally:
                for each in tries:
                    gke.finish(each.made.namespace, f"{each.made.name}-redis-cleanup")
                    plane.kubectl("delete", "--ignore-not-found", "--wait=false", "-f", "-", stdin=yaml.safe_dump_all(each.objects), check=False)
                # What Kueue holds back until its queue is gone would go under the next batch.
                for each in tries:
                    plane.kubectl("wait", "--for=delete", f"--timeout={SECONDS}s", "-f", "-", stdin=yaml.safe_dump_all(each.objects), check=False)
                eventually(lambda: not plane.list("pods"), lambda: f"still there: {[pod['metadata']['name'] for pod in plane.list('pods')]}")
                gke.remove_pools()
                for node in ordinary:
                    plane.delete("nodes", None, node)
        for each in tries:
            with self.subTest(each.title):
                TABLE.row(each.title, f"{each.row['result']}{' DISAGREE' if each.problem else ''}")
                self.assertIsNone(each.problem)


if __name__ == "__main__":
    unittest.main(verbosity=2)
