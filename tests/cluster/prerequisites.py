"""What a workload needs and none of its files creates: read from the list that `explain` prints, and created in the cluster.

Nothing here looks at the manifests, so what the list lacks is missing in the cluster: the API server then refuses the pods,
the scheduler leaves them without a node, or the kubelets of gke.py do not start them.
"""

import os
import re
import subprocess
from pathlib import Path

import yaml

from nodes import ordinary_node

TITLE = "Required, and not created by the scripts"
CONTROLLERS = {"Kueue": "kueue", "JobSet": "jobset", "LeaderWorkerSet": "lws", "KubeRay": "ray", "TPU webhook": "ray"}
# What GKE has in the cluster, by its CRDs alone.
CRDS = {"Managed Service for Prometheus": "podmonitorings.yaml", "Gateway API": "gateway-api",
        "InferencePool": "gateway-api-inference-extension/bases"}
NOT_IN_THE_CLUSTER = ("cluster", "node pool", "access", "reservation", "bucket", "metrics adapter", "picker", "Gateway", "body router",
                      "slice controllers of GKE and Kueue", "StorageClass")  # made by Google, or by a test of its own
PODS = re.compile(r"(\d+) pods? without chips, each with (\S+) CPUs and (any amount|\S+) of memory, on nodes of (?:another pool|node pool (\S+?))"
                  r"(?:; and one that .*, with (\S+) CPU and (\S+))?")


def listed(program, spec, options=()):
    """{label: text} of the list that `explain` prints for a file."""
    text = subprocess.run([program, "explain", "--color=never", *options, spec], check=True, capture_output=True, encoding="utf-8").stdout
    found, label = {}, None
    for line in text.partition(TITLE + "\n")[2].partition("\n\n")[0].splitlines():
        first = re.match(r"  (\S.*?)  +(.*)", line)
        label, words = first.groups() if first else (label, line)
        found[label] = f"{found.get(label, '')} {words.strip()}".strip()
    return found


def names(text):
    """{name: its keys} of `hub (key token), settings`."""
    found = {}
    for each in text.split(", "):
        name, keys = re.fullmatch(r"(\S+)(?: \((?:keys? (.*)|mounted .*)\))?", each).groups()
        found[name] = keys.split(" and ") if keys else []
    return found


def _keyed(kind, field):
    return lambda name, keys, place: [{"apiVersion": "v1", "kind": kind, "metadata": {"name": name, **place},
                                       field: {key: "value" for key in keys}}]


def _claim(name, _, place):
    """A claim, and the volume that is bound to it."""
    volume = f"{place['namespace']}-{name}"
    size, modes = {"storage": "1Ti"}, ["ReadWriteMany"]
    return [
        {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": volume}, "spec": {
            "capacity": size, "accessModes": modes, "storageClassName": "filestore",
            "claimRef": {"name": name, **place}, "nfs": {"server": "10.0.0.2", "path": "/"}}},
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name, **place}, "spec": {
            "resources": {"requests": size}, "accessModes": modes, "storageClassName": "filestore", "volumeName": volume}}]


def _queue(text, place):
    """The queue of somebody else: its flavor is of any nodes, and has no topology."""
    name, words = text.split(", ", 1)
    assert words == "whose flavors have no topology", words
    api, resources = "kueue.x-k8s.io/v1beta2", ("google.com/tpu", "cpu", "memory", "ephemeral-storage")
    return [
        {"apiVersion": api, "kind": "ResourceFlavor", "metadata": {"name": name}},
        {"apiVersion": api, "kind": "ClusterQueue", "metadata": {"name": name}, "spec": {"namespaceSelector": {}, "resourceGroups": [{
            "coveredResources": list(resources),
            "flavors": [{"name": name, "resources": [{"name": each, "nominalQuota": "1000T"} for each in resources]}]}]}},
        {"apiVersion": api, "kind": "LocalQueue", "metadata": {"name": name, **place}, "spec": {"clusterQueue": name}}]


# How what is listed is created.
MAKERS = {
    "ServiceAccount": lambda name, _, place: [{"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name, **place}}],
    "PriorityClass": lambda name, *_: [{"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "value": 1000,
                                        "metadata": {"name": name}}],
    "WorkloadPriorityClass": lambda name, *_: [{"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "WorkloadPriorityClass", "value": 1000,
                                                "metadata": {"name": name}}],
    "Secret": _keyed("Secret", "stringData"),
    "ConfigMap": _keyed("ConfigMap", "data"),
    "PersistentVolumeClaim": _claim,
}


def _nodes(text, prefix):
    """A node for each pod that is listed, with no more than it requests."""
    count, cpu, memory, pool, *added = PODS.fullmatch(text).groups()
    cpu, memory, added_cpu, added_memory = [None if each in ("any", "any amount") else each for each in (cpu, memory, *added)]
    nodes = [ordinary_node(f"{prefix}-{number}", cpu, memory, pool or "default-pool") for number in range(int(count))]
    return nodes + ([ordinary_node(f"{prefix}-added", added_cpu, added_memory)] if added_cpu else [])


def add_crds(plane, label):
    """Applies the CRDs of what is listed, from the folder beside that of the binaries."""
    folder = Path(os.environ.get("KUBE_CRDS", Path.home() / "kube/crds"))
    plane.kubectl("apply", "--server-side", "--force-conflicts", "-f", folder / CRDS[label])
    plane.kubectl("wait", "--for=condition=Established", "--timeout=60s", "-f", folder / CRDS[label])


def create(plane, found, namespace):
    """Creates all that is listed; what nobody here knows how to create is a KeyError. Returns the names of the nodes."""
    nodes, objects = [], []
    for label, text in found.items():
        if label in CONTROLLERS:
            assert CONTROLLERS[label] in plane.controllers, f"{label} is listed, and does not run"
        elif label in CRDS:
            add_crds(plane, label)
        elif label == "namespace":
            assert text == namespace, f"namespace {text} is listed, and {namespace} is used"
            plane.namespace(text)
        elif label == "nodes":
            nodes = _nodes(text, f"ordinary-{namespace}")
        elif label == "LocalQueue":
            objects += _queue(text, {"namespace": namespace})
        elif label not in NOT_IN_THE_CLUSTER:
            for name, keys in names(text).items():
                objects += MAKERS[label](name, keys, {"namespace": namespace})
    if objects:
        plane.kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all(objects))
    for node in nodes:
        plane.create("nodes", node)
    return [node["metadata"]["name"] for node in nodes]
