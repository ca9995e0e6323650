"""The nodes that GKE would make for a node pool: from gcloud's commands, or from what a pod selects.

Nothing here reads a manifest or the program's catalog.  The figures are those of Google's pages on the machine types.
"""

import re
import shlex
import time
from dataclasses import dataclass, field
from math import prod

GKE = "cloud.google.com/gke-"
TPU = "google.com/tpu"
TPU_TAINT = {"key": TPU, "value": "present", "effect": "NoSchedule"}
BLOCK = "cloud.google.com/gce-topology-block"
PARTS = ("2x2x1", "2x2x2", "2x2x4", "2x4x4", "4x4x4")
QUEUED_TAINT = {"key": GKE + "queued", "value": "true", "effect": "NoSchedule"}


@dataclass(frozen=True)
class Machine:
    """What a node of a machine type offers; `alone` is the topology of a slice of one host."""
    accelerator: str
    chips: int
    cpu: int
    memory: int  # GiB
    alone: str


MACHINES = {
    "ct3-hightpu-4t": Machine("tpu-v3-device", 4, 96, 340, "2x2"),
    "ct3p-hightpu-4t": Machine("tpu-v3-slice", 4, 48, 340, ""),
    "ct4p-hightpu-4t": Machine("tpu-v4-podslice", 4, 240, 407, "2x2x1"),
    "ct5lp-hightpu-1t": Machine("tpu-v5-lite-podslice", 1, 24, 48, "1x1"),
    "ct5lp-hightpu-4t": Machine("tpu-v5-lite-podslice", 4, 112, 192, "2x2"),
    "ct5lp-hightpu-8t": Machine("tpu-v5-lite-podslice", 8, 224, 384, "2x4"),
    "ct5p-hightpu-4t": Machine("tpu-v5p-slice", 4, 208, 448, "2x2x1"),
    "ct6e-standard-1t": Machine("tpu-v6e-slice", 1, 44, 176, "1x1"),
    "ct6e-standard-4t": Machine("tpu-v6e-slice", 4, 180, 720, "2x2"),
    "ct6e-standard-8t": Machine("tpu-v6e-slice", 8, 180, 1440, "2x4"),
    "tpu7x-standard-1t": Machine("tpu7x", 1, 56, 240, "1x1x1"),
    "tpu7x-standard-4t": Machine("tpu7x", 4, 224, 960, "2x2x1"),
}


def chips_of(topology):
    """4x4 is 16 chips."""
    return prod(map(int, topology.split("x")))


def part_label(shape, what="id"):
    """The node label of a part of a sub-block."""
    return f"{GKE}tpu-partition-{shape}-{what}"


def left_of_disk(size):
    """GiB that pods get of a boot disk: it loses a tenth to evictions, and the least of half of it, 6 GiB + 35 % and 100 GiB."""
    disk = size * 10**9 / 2**30
    return int(disk - disk / 10 - min(disk / 2, 6 + disk * 0.35, 100))


@dataclass
class Pool:
    """A node pool.  `largest` is how many nodes it can have in each zone; a slice of several hosts has all or none."""
    name: str
    machine: str
    topology: str
    zones: list[str]
    initial: int
    largest: int
    several_hosts: bool
    autoscaled: bool = False
    queued: bool = False
    parts: bool = False  # slices are formed of its nodes when workloads start
    disk: int = 100  # GB
    labels: dict[str, str] = field(default_factory=dict)
    taints: list[dict] = field(default_factory=list)

    def room(self):
        """The names and zones of all nodes that the pool can have."""
        return [(f"gke-{self.name}-{zone[-1]}-{number}", zone) for zone in self.zones for number in range(self.largest)]

    def node(self, name, zone):
        """The Node object, as the kubelet and GKE's controllers would have made it."""
        machine = MACHINES[self.machine]
        labels = {
            "kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64",
            "node.kubernetes.io/instance-type": self.machine, GKE + "nodepool": self.name,
            "topology.kubernetes.io/zone": zone, "topology.kubernetes.io/region": zone.rpartition("-")[0],
            GKE + "tpu-accelerator": machine.accelerator, GKE + "accelerator-count": str(machine.chips),
            **(self._parts(int(name.rpartition("-")[2])) if self.parts else {GKE + "tpu-topology": self.topology})}
        has = {"cpu": str(machine.cpu), "memory": f"{machine.memory}Gi", "pods": "110",
               "ephemeral-storage": f"{left_of_disk(self.disk)}Gi", TPU: str(machine.chips)}
        return {
            "apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels | self.labels},
            "spec": {"providerID": f"gce://project/{zone}/{name}", "taints": [TPU_TAINT, *self.taints]},
            "status": {"capacity": has, "allocatable": has, "conditions": _healthy(),
                       "addresses": [{"type": "Hostname", "address": name}]}}

    def _parts(self, number):
        """The labels of a node that belongs to no slice yet: the parts of the sub-block that it is in."""
        labels = {GKE + "accelerator-topology-mode": "PROVISION_ONLY", BLOCK: "block"}
        for shape in PARTS:
            hosts = chips_of(shape) // MACHINES[self.machine].chips
            labels |= {part_label(shape): f"{self.name}-{number // hosts}", part_label(shape, "state"): "HEALTHY"}
        return labels


def ordinary_node(name, cpu="16", memory="64Gi", pool="default-pool"):
    """A node without chips, as any cluster has; None: as much as anybody wants."""
    amounts = {"cpu": cpu or "1000", "memory": memory or "1Ti", "ephemeral-storage": "100Gi", "pods": "110"}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": {GKE + "nodepool": pool, "kubernetes.io/hostname": name}},
            "status": {"capacity": amounts, "allocatable": amounts, "conditions": _healthy()}}


def default_pool(commands):
    """The nodes without chips that a new cluster has, of which GKE keeps a part for itself."""
    nodes = []
    for line in commands.splitlines():
        words = shlex.split(line)
        if words[:4] == ["gcloud", "container", "clusters", "create"]:
            flags = _flags(words)
            cpu = int(flags.get("--machine-type", "e2-standard-1").rpartition("-standard-")[2])  # without a type about as much as that
            zones = 1 if re.search("-[a-z]$", flags["--location"]) else 3
            nodes += [ordinary_node(f"gke-{words[4]}-{number}", f"{cpu * 1000 - 150}m", f"{cpu * 4 * 7 // 8}Gi")
                      for number in range(zones * int(flags["--num-nodes"]))]
    return nodes


def _healthy():
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    rows = [("MemoryPressure", "False", "KubeletHasSufficientMemory"), ("DiskPressure", "False", "KubeletHasNoDiskPressure"),
            ("PIDPressure", "False", "KubeletHasSufficientPID"), ("Ready", "True", "KubeletReady")]
    return [{"type": kind, "status": status, "reason": reason, "message": "",
             "lastHeartbeatTime": now, "lastTransitionTime": now} for kind, status, reason in rows]


def _flags(words):
    """{flag: value} of a command; a switch is true."""
    pairs = [word.partition("=") for word in words if word.startswith("--")]
    return {name: value if sign else True for name, sign, value in pairs}


def _labels(text):
    return dict(pair.split("=", 1) for pair in text.split(",")) if text else {}


def _taints(text):
    matches = [re.fullmatch("(.+)=(.*):(.+)", word) for word in text.split(",")] if text else []
    return [dict(zip(("key", "value", "effect"), match.groups())) for match in matches]


def pools_of(commands):
    """The node pools of the commands that `provision.sh --dry-run` prints, in order."""
    policies, pools = {}, []
    for line in commands.splitlines():
        words = shlex.split(line)
        flags = _flags(words)
        if words[:4] == ["gcloud", "compute", "resource-policies", "create"]:
            policies[words[5]] = flags["--accelerator-topology"], flags.get("--accelerator-topology-mode") == "PROVISION_ONLY"
        if words[:4] == ["gcloud", "container", "node-pools", "create"]:
            pools.append(_pool(words[4], flags, policies))
    return pools


def _pool(name, flags, policies):
    machine = flags["--machine-type"]
    topology, parts = policies.get(flags.get("--placement-policy"), (flags.get("--tpu-topology"), False))
    autoscaled = "--enable-autoscaling" in flags
    labels = _labels(flags.get("--node-labels"))
    if "--flex-start" in flags:
        labels |= {GKE + "flex-start": "true", GKE + "provisioning": "flex-start"}
    if "--spot" in flags:
        labels[GKE + "spot"] = "true"
    queued = "--enable-queued-provisioning" in flags
    return Pool(
        name, machine, topology or MACHINES[machine].alone, flags.get("--node-locations", flags["--location"]).split(","),
        int(flags["--num-nodes"]), int(flags["--max-nodes"] if autoscaled else flags["--num-nodes"]), topology is not None,
        autoscaled, queued, parts, int(flags.get("--disk-size", "100GB").removesuffix("GB")), labels, _taints(flags.get("--node-taints")) + ([QUEUED_TAINT] if queued else []))


# Node labels that GKE gives to a pool because the pods that it is made for select them.
AUTOPILOT_LABELS = (GKE + "flex-start", GKE + "spot", GKE + "max-run-duration-seconds", "cloud.google.com/reservation-name",
                    "cloud.google.com/reservation-project", "cloud.google.com/reservation-affinity",
                    "cloud.google.com/reservation-blocks", "cloud.google.com/reservation-subblocks")


def autopilot_pool(number, selector, chips):
    """The pool that Autopilot makes for pods with that nodeSelector and so many chips each, or None where it makes none.

    (Autopilot also taints the nodes by provisioning model, and its webhook lets the pods tolerate that; neither is here.)
    """
    accelerator, topology = selector.get(GKE + "tpu-accelerator"), selector.get(GKE + "tpu-topology")
    known = {GKE + "tpu-accelerator", GKE + "tpu-topology", *AUTOPILOT_LABELS}
    machines = [name for name, each in MACHINES.items() if each.accelerator == accelerator and each.chips == chips]
    if not machines or topology is None or not known.issuperset(selector):
        return None
    hosts = chips_of(topology) // chips
    labels = {key: value for key, value in selector.items() if key in AUTOPILOT_LABELS}
    return Pool(f"nap-{number}", machines[0], topology, ["us-east5-b"], 0, hosts if hosts > 1 else 1000, hosts > 1,
                autoscaled=True, labels=labels)
