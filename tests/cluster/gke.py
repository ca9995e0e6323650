"""What GKE does in a cluster: nodes for node pools, the cluster autoscaler, Autopilot, ProvisioningRequests, and the kubelets.

    with Gke(plane) as gke:
        gke.provision(commands)         # what provision.sh --dry-run prints: node pools, with their first nodes
        gke.finish("team-a", "train")   # the programs of that workload end

A thread looks at the cluster a few times a second and acts as GKE would:

  * A pod that the scheduler calls unschedulable makes a pool grow when it would fit on a new node of it.  A pool of a slice
    of several hosts gets all its nodes or none.  On Autopilot, where no node is free either, there is a new pool for what
    the pod selects.
  * A ProvisioningRequest is provisioned from one queued pool, all nodes at once, when the pool is empty and has as many.
    Nothing else makes a queued pool grow.
  * An autoscaled pool whose nodes were in use and are idle again loses them, after seconds where GKE waits for minutes.
    `by_hand` leaves the size of pools to a test, which adds nodes one at a time: capacity may arrive in any order.
  * A claim gets a disk, which is deleted with it.
  * A pod with a node runs; the pods of a finished workload succeed; a deleted pod goes away.

Whether a pod fits is asked of the same rules that the scheduler has for the fields that matter here; that the pods then
do land there is the scheduler's own work.
"""

import threading
import time
import traceback
from dataclasses import dataclass, field

from control_plane import ApiError
from nodes import GKE, TPU, autopilot_pool, pools_of
from quantities import value_of

IDLE_SECONDS = 3
CLOSING = {"key": "ToBeDeletedByClusterAutoscaler", "effect": "NoSchedule"}
NODE_POOL = GKE + "nodepool"
DISKS = "pd.csi.storage.gke.io"


def requests_of(spec):
    """What a pod takes of a node, as the scheduler counts it."""
    def amounts(container):
        return {name: value_of(text) for name, text in container.get("resources", {}).get("requests", {}).items()}

    def add(left, right):
        return {name: left.get(name, 0) + right.get(name, 0) for name in left | right}

    running, peak = {}, {}
    for container in spec.get("initContainers", []):
        own = add(amounts(container), running)
        peak = {name: max(peak.get(name, 0), own.get(name, 0)) for name in peak | own}
        if container.get("restartPolicy") == "Always":
            running = own
    for container in spec["containers"]:
        running = add(running, amounts(container))
    return {name: max(peak.get(name, 0), running.get(name, 0)) for name in peak | running}


def named_in(spec):
    """(resource, name, keys) of each Secret and ConfigMap that the containers of a pod need."""
    sources = [source for container in [*spec.get("initContainers", []), *spec["containers"]]
               for each in [*(env.get("valueFrom", {}) for env in container.get("env", [])), *container.get("envFrom", [])]
               for source in each.items()]
    for volume in spec.get("volumes", []):
        sources += [*volume.items(), *(source for each in volume.get("projected", {}).get("sources", []) for source in each.items())]
    kinds = {"secretKeyRef": "secrets", "secretRef": "secrets", "secret": "secrets",
             "configMapKeyRef": "configmaps", "configMapRef": "configmaps", "configMap": "configmaps"}
    for key, source in sources:
        if key in kinds and not source.get("optional"):
            keys = {source["key"]} if "key" in source else {item["key"] for item in source.get("items", [])}
            yield kinds[key], source.get("name", source.get("secretName")), keys


def _expression(expression, labels):
    value, values = labels.get(expression["key"]), expression.get("values", [])
    return {"In": value in values, "NotIn": value not in values, "Exists": value is not None,
            "DoesNotExist": value is None}[expression["operator"]]


def _selects(selector, labels):
    return all(labels.get(key) == value for key, value in selector.get("matchLabels", {}).items()) and all(
        _expression(expression, labels) for expression in selector.get("matchExpressions", []))


def _tolerates(spec, taint):
    # TPU nodes are tolerated by pods that request chips: admission adds that to pods, though not to templates.
    if taint["key"] == TPU and TPU in requests_of(spec):
        return True
    return taint["effect"] == "PreferNoSchedule" or any(
        toleration.get("key", taint["key"]) == taint["key"] and toleration.get("effect", taint["effect"]) == taint["effect"]
        and (toleration.get("operator") == "Exists" or toleration.get("value", "") == taint.get("value", ""))
        for toleration in spec.get("tolerations", []))


def node_suits(spec, node):
    """Whether a pod may go to that node as far as labels and taints say."""
    labels = node["metadata"]["labels"]
    if any(labels.get(key) != value for key, value in spec.get("nodeSelector", {}).items()):
        return False
    wanted = spec.get("affinity", {}).get("nodeAffinity", {}).get("requiredDuringSchedulingIgnoredDuringExecution", {})
    terms = wanted.get("nodeSelectorTerms", [])
    if terms and not any(all(_expression(each, labels) for each in term.get("matchExpressions", [])) for term in terms):
        return False
    # A node that is not ready yet will be.
    return all(_tolerates(spec, taint) for taint in node["spec"].get("taints", []) if "node.kubernetes.io/" not in taint["key"])


@dataclass
class Place:
    """A node that is there, or could be, with what is free on it and the pods it has."""
    node: dict
    free: dict[str, object]
    pods: list[dict] = field(default_factory=list)

    @classmethod
    def of(cls, node):
        return cls(node, {name: value_of(text) for name, text in node["status"]["allocatable"].items()})

    def take(self, pod):
        self.pods.append(pod)
        for name, amount in requests_of(pod["spec"]).items():
            self.free[name] = self.free.get(name, 0) - amount

    def domain(self, key):
        return self.node["metadata"]["labels"].get(key)


class Picture:
    """Where the pods are, and where more of them could go: the autoscaler's simulation of the scheduler."""

    def __init__(self, nodes, pods):
        self.places = {node["metadata"]["name"]: Place.of(node) for node in nodes}
        for pod in pods:
            place = self.places.get(pod["spec"].get("nodeName"))
            if place and pod["status"].get("phase") not in ("Succeeded", "Failed"):
                place.take(pod)

    @staticmethod
    def _terms(pod, kind):
        return pod["spec"].get("affinity", {}).get(kind, {}).get("requiredDuringSchedulingIgnoredDuringExecution", [])

    @staticmethod
    def _matches(term, owner, pod):
        everywhere = term.get("namespaceSelector") == {}
        spaces = term.get("namespaces") or [owner["metadata"]["namespace"]]
        return (everywhere or pod["metadata"]["namespace"] in spaces) and _selects(
            term.get("labelSelector", {}), pod["metadata"].get("labels", {}))

    def _with(self, term, owner):
        return {place.domain(term["topologyKey"]) for place in self.places.values()
                for pod in place.pods if self._matches(term, owner, pod)}

    def fits(self, pod, place):
        """Whether the pod may go there now."""
        if not node_suits(pod["spec"], place.node):
            return False
        if any(place.free.get(name, 0) < amount for name, amount in requests_of(pod["spec"]).items()):
            return False
        for term in self._terms(pod, "podAffinity"):
            there = self._with(term, pod)
            if place.domain(term["topologyKey"]) not in there and (there or not self._matches(term, pod, pod)):
                return False
        if any(place.domain(term["topologyKey"]) in self._with(term, pod) for term in self._terms(pod, "podAntiAffinity")):
            return False
        return not any(
            self._matches(term, other, pod) and each.domain(term["topologyKey"]) == place.domain(term["topologyKey"])
            for each in self.places.values() for other in each.pods for term in self._terms(other, "podAntiAffinity"))

    def put(self, pod):
        """Puts the pod on the first node that takes it; false where none does."""
        for place in self.places.values():
            if self.fits(pod, place):
                place.take(pod)
                return True
        return False


class Gke:
    """GKE for one control plane; a context manager."""

    def __init__(self, plane, autopilot=False, by_hand=False):
        self.plane, self.autopilot, self.by_hand = plane, autopilot, by_hand
        self.pools = {}
        self.trouble = []  # what went wrong in the thread; the tests look
        self.made = 0  # nodes with chips
        self.grace = 0  # seconds that the containers of a deleted pod take to end
        self._finished, self._used, self._closed, self._idle_since, self._addresses = set(), set(), set(), {}, 0
        self._ends = {}  # when the containers of a deleted pod have ended
        self._lock, self._stop = threading.RLock(), threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._numbers = 0
        self._claims = set()  # those that have a disk

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *exception):
        self._stop.set()
        self._thread.join()

    # What tests ask for.

    def provision(self, commands):
        """Creates the node pools of gcloud commands, by hand without nodes and else with those they have from the start; returns the pools."""
        pools = pools_of(commands)
        with self._lock:
            for pool in pools:
                if pool.name not in self.pools:
                    self.pools[pool.name] = pool
                    for zone in pool.zones:
                        self._make(pool, [each for each in pool.room() if each[1] == zone][:0 if self.by_hand else pool.initial])
        return pools

    def add_node(self, name):
        """Adds a node to a node pool; false if the pool is full."""
        with self._lock:
            pool = self.pools[name]
            absent = self._missing(pool, self.plane.list("nodes"))
            self._make(pool, absent[:1])
            return bool(absent)

    def resize(self, name, count):
        """Gives a node pool that many nodes in each zone; the last ones go first."""
        with self._lock:
            pool, nodes = self.pools[name], self.plane.list("nodes")
            pool.largest = count
            self._make(pool, self._missing(pool, nodes))
            self._remove(pool, self._of(pool, nodes) - {node for node, _ in pool.room()}, nodes)

    def finish(self, namespace, name):
        """The programs of a workload end well, in its pods of now and of later."""
        with self._lock:
            self._finished.add((namespace, name))

    def unfinish(self, namespace, name):
        """A workload of that name runs again."""
        with self._lock:
            self._finished.discard((namespace, name))

    def remove_pools(self, *names):
        """Deletes these node pools with their nodes, or all."""
        with self._lock:
            nodes = self.plane.list("nodes")
            for name in names or list(self.pools):
                self._remove(self.pools[name], self._of(self.pools[name], nodes), nodes)
                self.pools.pop(name, None)

    def scale_to_zero(self):
        """Takes the nodes of all autoscaled pools at once, as GKE does when they have been idle for long."""
        with self._lock:
            nodes = self.plane.list("nodes")
            for pool in list(self.pools.values()):
                if pool.autoscaled:
                    self._remove(pool, self._of(pool, nodes), nodes)

    def end_lifetime(self, told):
        """All nodes with chips reach their end: their kubelets are told and end the pods, or they are just gone."""
        with self._lock:
            nodes = self.plane.list("nodes")
            for pod in self.plane.list("pods") if told else []:
                if pod["spec"].get("nodeName") and pod["status"]["phase"] == "Running":
                    status = self._status(pod, "Failed")
                    status["conditions"].append(self._condition("DisruptionTarget") | {"reason": "TerminationByKubelet"})
                    self.plane.patch_status("pods", pod["metadata"]["namespace"], pod["metadata"]["name"], status)
            for pool in self.pools.values():
                self._remove(pool, self._of(pool, nodes), nodes)

    # What GKE does by itself.

    def _run(self):
        while not self._stop.wait(0.25):
            try:
                with self._lock:
                    self._act()
            except ApiError as error:  # something else changed the object first: look again
                if error.status not in (404, 409):
                    self.trouble.append(str(error))
            except Exception:  # pylint: disable=broad-except
                self.trouble.append(traceback.format_exc())

    def _act(self):
        pods, nodes = self.plane.list("pods"), self.plane.list("nodes")
        self._kubelets(pods)
        self._disks()
        waiting = [pod for pod in pods if not pod["spec"].get("nodeName") and any(
            each["type"] == "PodScheduled" and each.get("reason") == "Unschedulable"
            for each in pod["status"].get("conditions", []))]
        if not self.by_hand:
            self._scale_up(nodes, pods, waiting)
        if "kueue" in self.plane.controllers:
            self._provisioning_requests(nodes)
        if not self.by_hand:
            self._scale_down(nodes, pods)

    def _disks(self):
        for claim in self.plane.list("persistentvolumeclaims"):
            metadata, spec = claim["metadata"], claim["spec"]
            if metadata["uid"] in self._claims or spec.get("volumeName"):
                continue
            self._claims.add(metadata["uid"])
            self.plane.create("persistentvolumes", {
                "apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": f"pvc-{metadata['uid']}"}, "spec": {
                    "capacity": spec["resources"]["requests"], "accessModes": spec["accessModes"], "storageClassName": spec.get("storageClassName", ""),
                    "persistentVolumeReclaimPolicy": "Delete", "claimRef": {key: metadata[key] for key in ("name", "namespace")},
                    "csi": {"driver": DISKS, "volumeHandle": metadata["uid"]}}})
        for volume in self.plane.list("persistentvolumes"):
            if volume["status"].get("phase") in ("Released", "Failed") and volume["spec"].get("csi", {}).get("driver") == DISKS:
                self.plane.delete("persistentvolumes", None, volume["metadata"]["name"])

    def _make(self, pool, names):
        for name, zone in names:
            self.plane.create("nodes", pool.node(name, zone))
            self.made += 1

    @staticmethod
    def _of(pool, nodes):
        return {node["metadata"]["name"] for node in nodes if node["metadata"]["labels"].get(NODE_POOL) == pool.name}

    def _missing(self, pool, nodes):
        there = self._of(pool, nodes)
        return [each for each in pool.room() if each[0] not in there]

    def _scale_up(self, nodes, pods, waiting):
        picture = Picture(nodes, pods)
        for pod in waiting:
            if picture.put(pod):
                continue  # a node has room, the scheduler will find it
            for pool in [*self.pools.values(), self._new_pool(pod)]:
                if pool is None or pool.queued or not pool.autoscaled:
                    continue
                absent = self._missing(pool, nodes)
                if not absent or pool.several_hosts and len(absent) < len(pool.room()):
                    continue
                if not picture.fits(pod, Place.of(pool.node(*absent[0]))):
                    continue
                extra = absent if pool.several_hosts else absent[:1]
                self.pools[pool.name] = pool
                self._make(pool, extra)
                for name, zone in extra:
                    node = pool.node(name, zone)
                    nodes.append(node)
                    picture.places[name] = Place.of(node)
                picture.put(pod)
                break

    def _new_pool(self, pod):
        """Autopilot's pool for the pod."""
        chips = int(requests_of(pod["spec"]).get(TPU, 0))
        pool = autopilot_pool(self._numbers, pod["spec"].get("nodeSelector", {}), chips) if self.autopilot else None
        self._numbers += pool is not None
        return pool

    def _provisioning_requests(self, nodes):
        for request in self.plane.list("provisioningrequests"):
            conditions = {each["type"]: each["status"] for each in request.get("status", {}).get("conditions", [])}
            spec, metadata = request["spec"], request["metadata"]
            if spec["provisioningClassName"] != "queued-provisioning.gke.io" or conditions.get("Provisioned") == "True":
                continue
            templates = [self.plane.get("podtemplates", metadata["namespace"], each["podTemplateRef"]["name"])
                         for each in spec["podSets"]]
            count = sum(each["count"] for each in spec["podSets"])
            if None in templates:
                continue
            pool = self._pool_for(templates, count, nodes)
            status = {"conditions": [self._condition("Accepted")]}
            if pool:
                absent = self._missing(pool, nodes)
                self._make(pool, absent[:count])
                nodes += [pool.node(*each) for each in absent[:count]]
                status = {"conditions": [self._condition("Accepted"), self._condition("Provisioned")],
                          "provisioningClassDetails": {"ResizeRequestName": f"gke-{metadata['name']}"[:63]}}
            elif "Accepted" in conditions:
                continue
            self.plane.patch_status("provisioningrequests", metadata["namespace"], metadata["name"], status)

    def _pool_for(self, templates, count, nodes):
        for pool in self.pools.values():
            absent = self._missing(pool, nodes)
            enough = len(absent) == len(pool.room()) == count if pool.several_hosts else len(absent) >= count
            if pool.queued and enough and all(
                    node_suits(each["template"]["spec"], pool.node(*absent[0])) for each in templates):
                return pool
        return None

    @staticmethod
    def _condition(kind):
        return {"type": kind, "status": "True", "reason": kind, "message": "",
                "lastTransitionTime": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}

    def _scale_down(self, nodes, pods):
        """As the autoscaler: first no pod may come to the nodes any more, then they go if none came."""
        busy = {pod["spec"].get("nodeName") for pod in pods if pod["status"].get("phase") not in ("Succeeded", "Failed")}
        self._used |= busy
        for pool in list(self.pools.values()):
            there = self._of(pool, nodes)
            for group in ([there] if pool.several_hosts else [{name} for name in there]) if pool.autoscaled else []:
                key = min(group, default=None)
                if group & busy or not group & self._used:
                    self._idle_since.pop(key, None)
                    self._close(group & self._closed, False)
                elif group <= self._closed:
                    self._remove(pool, group, nodes)
                elif time.monotonic() - self._idle_since.setdefault(key, time.monotonic()) > IDLE_SECONDS:
                    self._close(group, True)

    def _close(self, names, closed):
        for name in names:
            taints = [each for each in self.plane.get("nodes", None, name)["spec"].get("taints", []) if each["key"] != CLOSING["key"]]
            self.plane.patch("nodes", None, name, {"spec": {"taints": taints + [CLOSING] * closed}})
            (self._closed.add if closed else self._closed.discard)(name)

    def _remove(self, pool, names, nodes):
        for name in names:
            self._used.discard(name)
            self._closed.discard(name)
            self._idle_since.pop(name, None)
            self.plane.delete("nodes", None, name)
        if self.autopilot and names == self._of(pool, nodes):
            self.pools.pop(pool.name, None)

    # The kubelets.

    def _kubelets(self, pods):
        for pod in pods:
            metadata, phase = pod["metadata"], pod["status"].get("phase")
            if not pod["spec"].get("nodeName"):
                continue
            if metadata.get("deletionTimestamp"):
                if time.monotonic() >= self._ends.setdefault(metadata["uid"], time.monotonic() + self.grace):
                    self.plane.delete("pods", metadata["namespace"], metadata["name"], grace=0)
                continue
            labels = metadata.get("labels", {})
            done = {(metadata["namespace"], labels.get(each)) for each in
                    ("job-name", "jobset.sigs.k8s.io/jobset-name")} & self._finished
            if phase == "Running" and done or phase == "Pending" and self._has_what_it_names(pod):
                self.plane.patch_status("pods", metadata["namespace"], metadata["name"],
                                        self._status(pod, "Succeeded" if done else "Running"))

    def _has_what_it_names(self, pod):
        """Whether every Secret and ConfigMap is there with the keys without which a kubelet starts no container."""
        for resource, name, keys in named_in(pod["spec"]):
            found = self.plane.get(resource, pod["metadata"]["namespace"], name)
            if found is None or not keys <= found.get("data", {}).keys():
                return False
        return True

    def _status(self, pod, phase):
        now, on = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), phase == "Running"
        state = {"running": {"startedAt": now}} if on else {"terminated": {
            "exitCode": 0 if phase == "Succeeded" else 143, "reason": "Completed" if phase == "Succeeded" else "Error", "startedAt": now, "finishedAt": now}}
        address = pod["status"].get("podIP")
        if not address:
            self._addresses += 1
            address = f"10.64.{self._addresses >> 8}.{self._addresses & 255}"
        kept = [each for each in pod["status"].get("conditions", []) if each["type"] == "PodScheduled"]
        return {
            "phase": phase, "startTime": now, "hostIP": "10.128.0.2", "podIP": address, "podIPs": [{"ip": address}],
            "conditions": kept + [{"type": kind, "status": str(on or kind == "Initialized"), "lastTransitionTime": now}
                                  for kind in ("Initialized", "ContainersReady", "Ready")],
            "containerStatuses": [{"name": each["name"], "image": each["image"], "imageID": "image", "restartCount": 0,
                                   "ready": on, "started": on, "state": state} for each in pod["spec"]["containers"]]}
