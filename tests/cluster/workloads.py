"""Specs compiled by the program under test ($FLEXSLICE), and what becomes of them in a cluster."""

import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import yaml

from control_plane import SECONDS, eventually
import prerequisites
from nodes import GKE, TPU, chips_of, default_pool

ROOT = Path(__file__).resolve().parents[2]
FLEXSLICE = os.environ.get("FLEXSLICE", str(ROOT / "build/dev/flexslice"))
FILES = ("queues.yaml", "volumes.yaml", "manifests.yaml")
# Examples with objects whose types GKE alone has: a CheckpointConfiguration, a CapacityBuffer.
EXAMPLES_OF_GKE = {"checkpoints", "warm"}
POD_LABELS = {"Job": "job-name", "CronJob": "flexslice-schedule", "JobSet": "jobset.sigs.k8s.io/jobset-name", "Deployment": "app",
              "LeaderWorkerSet": "leaderworkerset.sigs.k8s.io/name", "RayCluster": "app", "RayJob": "app", "RayService": "app"}
# The label that tells the slices of several hosts apart.
SLICE_LABELS = {"Job": "job-name", "CronJob": "job-name", "JobSet": "job-name", "LeaderWorkerSet": "leaderworkerset.sigs.k8s.io/group-key",
                **dict.fromkeys(("RayCluster", "RayJob", "RayService"), "ray.io/worker-group-replica-name")}
POD_TEMPLATES = {"CronJob": ("jobTemplate", "spec", "template"),
                 "JobSet": ("replicatedJobs", 0, "template", "spec", "template"),
                 "LeaderWorkerSet": ("leaderWorkerTemplate", "workerTemplate"),
                 "RayCluster": ("workerGroupSpecs", 0, "template"),
                 "RayJob": ("rayClusterSpec", "workerGroupSpecs", 0, "template"),
                 "RayService": ("rayClusterConfig", "workerGroupSpecs", 0, "template")}


class Refused(Exception):
    """The program reported errors; `text` has them."""

    def __init__(self, text):
        super().__init__(text)
        self.text = text


@dataclass
class Artifacts:
    """The files of one compiled spec."""
    folder: Path
    spec: dict
    warnings: str
    source: Path

    def path(self, name):
        return self.folder / name

    def has(self, name):
        return (self.folder / name).exists()

    def files(self):
        """What is applied, in order."""
        return [self.path(name) for name in FILES if self.has(name)]

    def objects(self, name="manifests.yaml"):
        """The Kubernetes objects of a file."""
        return [each for each in yaml.safe_load_all(self.path(name).read_text(encoding="utf-8")) if each]

    def ways_to_apply(self):
        """The words after kubectl with which its files may be applied: by the first lines of manifests.yaml, or else by provision.sh, too."""
        said = re.search(r"`kubectl (apply[^`]*)`", self.path("manifests.yaml").read_text(encoding="utf-8").partition("---")[0])
        return [said[1].split()] if said else [["apply"], self.next_words()]

    def next_words(self):
        """The words after kubectl with which provision.sh says to apply the files of a queue."""
        return re.search(r"kubectl (apply --[a-z -]+), then", self.path("provision.sh").read_text(encoding="utf-8"))[1].split()

    def commands(self):
        """The gcloud commands that create what the workload runs on."""
        script = self.path("provision.sh")
        run = subprocess.run(["bash", script, "--dry-run"], capture_output=True, encoding="utf-8", check=False)
        assert run.returncode == 0, run.stderr
        return run.stdout

    @cached_property
    def controller(self):
        """The object that makes the pods, read once: the tests ask for it several times a second."""
        [found] = [each for each in self.objects() if each["kind"] in POD_LABELS]
        return found

    @property
    def name(self):
        return self.controller["metadata"]["name"]

    @property
    def namespace(self):
        return self.spec.get("namespace", "default")

    @property
    def slices(self):
        return self.spec["tpu"].get("slices", 1)

    @property
    def queued(self):
        return self.has("queues.yaml")

    def pod_template(self):
        """The template of the workload's pods with chips."""
        found = self.controller["spec"]
        if self.spec["workload"].get("kind") == "pathways":
            return found["replicatedJobs"][1]["template"]["spec"]["template"]
        for step in POD_TEMPLATES.get(self.controller["kind"], ("template",)):
            found = found[step]
        return found

    def pods_wanted(self):
        """How many pods the spec means: a pod for each host of each slice."""
        requests = [each.get("resources", {}).get("requests", {}) for each in self.pod_template()["spec"]["containers"]]
        chips = sum(int(each.get(TPU, 0)) for each in requests)
        return chips_of(self.spec["tpu"]["topology"]) // chips * self.slices

    def pods(self, plane):
        """The workload's pods in the cluster, without those that go away."""
        found = plane.list("pods", self.namespace, labels=f"{POD_LABELS[self.controller['kind']]}={self.name}")
        return [pod for pod in found if "deletionTimestamp" not in pod["metadata"]]

    @property
    def ends(self):
        return self.controller["kind"] in ("Job", "JobSet")

    def bound(self, plane):
        """Those with chips that run on a node, or have run; empty while another pod of the workload does not."""
        pods = self.pods(plane)
        if any(pod["status"]["phase"] == "Pending" for pod in pods):
            return []
        return [pod for pod in pods if with_chips(pod) and pod["status"]["phase"] != "Failed"]

    def published(self, plane, service):
        """The host names that a Service of the workload's publishes."""
        slices = plane.list("endpointslices", self.namespace, labels=f"kubernetes.io/service-name={service}")
        return {point.get("hostname") for each in slices for point in each.get("endpoints") or []}

    def suspended(self, plane):
        """Whether Kueue holds the workload."""
        resource = self.controller["kind"].lower() + "s"
        found = plane.get(resource, self.namespace, self.name)
        return found and found["spec"].get("suspend", False)

    def complete(self, plane):
        """Whether it ended well."""
        found = plane.get(self.controller["kind"].lower() + "s", self.namespace, self.name)
        return found and any(each["type"] in ("Complete", "Completed") and each["status"] == "True"
                             for each in found.get("status", {}).get("conditions", []))

    def why(self, plane):
        """What the cluster says about a workload that does not start."""
        lines = [f"{self.name}: {len(self.bound(plane))} of {self.pods_wanted()} pods run",
                 *(f"{pod['metadata']['name']}: {pod['status']['phase']} on {pod['spec'].get('nodeName')}" for pod in self.pods(plane))]
        for each in plane.list("workloads", self.namespace) if "kueue" in plane.controllers else []:
            if any(owner["name"] == self.name for owner in each["metadata"].get("ownerReferences", [])):
                lines += [f"{condition['type']}={condition['status']}: {condition['message']}"
                          for condition in each.get("status", {}).get("conditions", [])]
        lines += sorted({condition.get("message", condition["type"]) for pod in self.pods(plane)
                         for condition in pod["status"].get("conditions", []) if condition["status"] == "False"})
        events = plane.kubectl("get", "events", "-n", self.namespace, "-o",
                               "jsonpath={range .items[?(@.type==\"Warning\")]}{.message}{\"\\n\"}{end}", check=False).stdout
        return "\n  ".join(lines + sorted(set(events.splitlines()))[:8])

    def wait_started(self, plane, seconds=SECONDS):
        """Waits until every pod runs, those with chips on a node each, and each slice on a node pool; returns the pods with chips."""
        wanted = self.pods_wanted()
        pods = eventually(lambda: found if len(found := self.bound(plane)) == wanted else None, lambda: self.why(plane), seconds)
        nodes = [pod["spec"]["nodeName"] for pod in pods]
        assert len(set(nodes)) == wanted, f"{self.name}: two pods on one node: {nodes}"
        self.check_slices(plane, pods)
        return pods

    def check_slices(self, plane, pods):
        """The pods of a slice of several hosts are on one node pool, and no other slice is there."""
        slices = self.slices
        if len(pods) == slices:
            return
        pools = {node["metadata"]["name"]: node["metadata"]["labels"][GKE + "nodepool"] for node in plane.list("nodes")}
        used = {}
        for pod in pods:
            slice_ = pod["metadata"]["labels"][SLICE_LABELS[self.controller["kind"]]]
            used.setdefault(slice_, set()).add(pools[pod["spec"]["nodeName"]])
        assert all(len(each) == 1 for each in used.values()), f"{self.name}: a slice on several node pools: {used}"
        assert len(set.union(*used.values())) == slices, f"{self.name}: two slices on one node pool: {used}"

    def wait_complete(self, plane, seconds=SECONDS):
        """Waits until it ended well."""
        eventually(lambda: self.complete(plane), lambda: f"{self.name} is not complete", seconds)


def changed_lines(lines, text):
    """The lines of `kubectl apply` that do not say `unchanged`, without those that it says of objects that the server leaves as they are:
    the patch of a disruption budget always replaces the selector, and of Ray the first lines of the file say it."""
    always = ("poddisruptionbudget.policy/", *[f"{kind}.ray.io/" for kind in ("raycluster", "rayjob", "rayservice") if "configured each time" in text])
    return [line for line in lines if not line.endswith(" unchanged") and not line.startswith(always)]


def with_chips(pod):
    """Whether a pod requests chips."""
    return any(TPU in each.get("resources", {}).get("requests", {}) for each in pod["spec"]["containers"])


def compile_specs(documents, directory=None, options=()):
    """Compiles specs (mappings, or paths) in one run; returns their Artifacts in order. Raises Refused."""
    directory = Path(directory or tempfile.mkdtemp(prefix="flexslice-specs-"))
    paths, parsed = [], []
    for number, document in enumerate(documents):
        if isinstance(document, Path):
            path = document
        else:
            path = directory / f"spec-{number}.yaml"
            path.write_text(json.dumps(document), encoding="utf-8")  # JSON is YAML, and leaves no string bare
        paths.append(path)
        parsed.append(yaml.safe_load(path.read_text(encoding="utf-8")))
    out = directory / "out"
    run = subprocess.run([FLEXSLICE, "compile", "--color=never", "--out-dir", out, *options, *paths],
                         capture_output=True, encoding="utf-8", check=False)
    if run.returncode == 1:
        raise Refused(run.stderr)
    assert run.returncode == 0, f"{run.returncode}: {run.stderr}"
    return [Artifacts(out / spec["name"], spec, run.stderr, path) for spec, path in zip(parsed, paths)]


def compile_spec(document, directory=None, options=()):
    """Compiles one spec."""
    return compile_specs([document], directory, options)[0]


def codes(refused):
    """The codes of the errors."""
    return sorted(set(re.findall(r"error\[(FS\d+)", refused.text)))


def merged(base, *changes):
    """A spec with changes laid over it; None removes."""
    result = dict(base)
    for change in changes:
        for key, value in change.items():
            if value is None:
                result.pop(key, None)
            elif isinstance(value, dict) and isinstance(result.get(key), dict):
                result[key] = merged(result[key], value)
            else:
                result[key] = value
    return result


def prepare(plane, artifacts):
    """Creates what explain lists as the user's own, and the nodes of a new cluster; returns the nodes without chips."""
    nodes = default_pool(artifacts.commands())
    for node in nodes:
        plane.create("nodes", node)
    return [*(node["metadata"]["name"] for node in nodes),
            *prerequisites.create(plane, prerequisites.listed(FLEXSLICE, artifacts.source), artifacts.namespace)]
