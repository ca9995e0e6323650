"""A Google and a Kubernetes in memory: what exists, whose it is, what runs, and what is billed.

    world.call(["gcloud", "container", …], stdin, "gke_p_l_c")    ->  (exit status, stdout, stderr)

`world.actor` is the workload whose script runs now, and owns what it creates. Each call that changes something is in
`world.done`; what the laws forbid while it happens is in `world.broken`.
"""

import copy
import json
import math
import re
from pathlib import Path

import yaml

from jsonpath import accepts, expand, project

CLUSTER_SCOPED = {"PersistentVolume", "StorageClass", "ComputeClass", "ClusterQueue", "ResourceFlavor", "Topology", "AdmissionCheck",
                  "ProvisioningRequestConfig", "WorkloadPriorityClass", "Namespace"}
# What the API servers let change; of other kinds everything may.
MUTABLE = {"Job": {"parallelism", "suspend", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished", "podReplacementPolicy"},
           "JobSet": {"suspend", "ttlSecondsAfterFinished", "coordinator"}, "PersistentVolume": {"mountOptions"}}
SHORT = {"pvc": "persistentvolumeclaim", "persistentvolumeclaims": "persistentvolumeclaim", "jobs": "job", "pods": "pod", "nodes": "node",
         "services": "service", "gateways": "gateway", "deployments": "deployment", "jobsets": "jobset", "hpa": "horizontalpodautoscaler"}


class Refused(Exception):
    """What a program prints when it fails."""


def parsed(words):
    """The operands and the flags of a command line."""
    operands, flags, at = [], {}, 0
    while at < len(words):
        word = words[at]
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            if not equals and name in ("project", "region", "location", "cluster", "filter", "format", "namespace", "node-pool", "num-nodes"):
                at += 1
                value = words[at]
            flags[name] = value if equals or value else True
        elif word == "-f":
            flags["filename"] = "-"
        elif word != "-":
            operands.append(word)
        at += 1
    return operands, flags


def labels_of(flag):
    return dict(pair.split("=", 1) for pair in (flag or "").split(",") if pair)


class World:
    def __init__(self):
        self.clusters, self.pools, self.policies, self.objects, self.disks, self.reservations = {}, {}, {}, {}, {}, {}
        self.calls, self.done, self.broken, self.denied = 0, [], [], []
        self.actor, self.may_force, self.may_delete_data = None, False, False
        self.number = 0
        self.empty_zones, self.slow_zones = set(), set()  # without capacity: GKE refuses the pool, or makes it without nodes

    def state(self):
        """What the law of reruns compares."""
        drop = {"uid", "restarted", "by_server"}
        clean = {key: {name: value for name, value in each.items() if name not in drop} for key, each in self.objects.items()}
        return copy.deepcopy((self.clusters, self.pools, self.policies, clean, {key: each["size"] for key, each in self.disks.items()}))

    # What is billed.

    def billed(self, actors):
        """Names of what is billed for these workloads, each with what it is."""
        out = [("cluster", key.split("/")[-1]) for key, each in self.clusters.items() if each["by"] in actors]
        out += [("node pool", key.split("/")[-1]) for key, each in self.pools.items() if each["by"] in actors]
        out += [("claim", each["claim"][2]) for each in self.disks.values() if each["by"] in actors]
        out += [("gateway", key[3]) for key, each in self.objects.items() if key[2] == "Gateway" and each["by"] in actors]
        return out + [("reservation", each["name"]) for each in self.reservations.values() if set(each["users"]) & set(actors)]

    # Pods and nodes.

    def capacity(self, pool):
        each = self.pools[pool]
        scaling = each.get("autoscaling", {})
        if set(each["locations"]) & self.slow_zones:
            return 0
        count = int(scaling["maxNodeCount"]) if scaling.get("enabled") else int(each["initialNodeCount"])
        return count * len(each["locations"])

    def pods(self, cluster, skip=None):
        """(key of the object, namespace, name, labels, selector of nodes, node or None) of what runs or waits."""
        free = {pool: [f"{pool.split('/')[-1]}-{i}" for i in range(self.capacity(pool))] for pool in self.pools if pool.startswith(cluster + "/")}
        out = []
        for key, each in self.objects.items():
            if key[0] != cluster or each.get("finished") or key == skip:
                continue
            for name, labels, selector in self.pods_of(key, each):
                node = next((nodes.pop(0) for pool, nodes in free.items() if nodes and self.takes(pool, selector)), None)
                out.append((key, key[1], name, labels, selector, node))
        return out

    def takes(self, pool, selector):
        config = self.pools[pool]["config"]
        named = selector.get("cloud.google.com/gke-nodepool")
        if named:
            return pool.endswith("/" + named)
        return all(config.get("labels", {}).get(key) == value for key, value in selector.items()
                   if not key.startswith("cloud.google.com/gke-tpu")) and bool(selector)

    def pods_of(self, key, each):
        kind, name, spec = key[2], key[3], each["document"].get("spec", {})
        rows = []  # template, count, name, labels
        if kind == "Job":
            rows = [(spec["template"], spec.get("parallelism", 1), name, {"job-name": name, "batch.kubernetes.io/job-name": name})]
        elif kind == "JobSet":
            rows = [(job["template"]["spec"]["template"], job.get("replicas", 1) * job["template"]["spec"].get("parallelism", 1), f"{name}-{job['name']}",
                     {"jobset.sigs.k8s.io/jobset-name": name}) for job in spec["replicatedJobs"]]
        elif kind == "Deployment":
            rows = [(each["running"], each["replicas"], name, {})]
        elif kind == "LeaderWorkerSet":
            rows = [(each["running"]["workerTemplate"], each["replicas"] * each["running"].get("size", 1), name,
                     {"leaderworkerset.sigs.k8s.io/name": name})]
        elif kind in ("RayCluster", "RayJob"):
            groups = (spec["rayClusterSpec"] if kind == "RayJob" else spec)["workerGroupSpecs"]
            rows = [(group["template"], group["replicas"] * group.get("numOfHosts", 1), f"{name}-{group['groupName']}", {}) for group in groups]
        elif kind == "CronJob":  # of a run
            job = spec["jobTemplate"]["spec"]
            rows = [(job["template"], job.get("parallelism", 1), name, {})]
        elif kind == "Pod":
            rows = [({"spec": spec, "metadata": each["document"]["metadata"]}, 1, name, {})]
        for template, count, stem, labels in rows:
            if spec.get("suspend"):
                count = 0
            own = labels | template.get("metadata", {}).get("labels", {})
            for i in range(count):
                yield (stem if kind == "Pod" else f"{stem}-{i}"), own, template["spec"].get("nodeSelector", {})

    def ready(self, key):
        return sum(pod[0] == key and pod[5] is not None for pod in self.pods(key[0]))

    def mounts(self, key, claim):
        return any(pod[0] == key for pod in self.pods(key[0])) and f'"claimName": "{claim}"' in json.dumps(self.objects[key]["document"])

    def user_of(self, claim):
        """Whose a claim is that several specs name: another workload's while pods of that mount it, or None."""
        users = [each["by"] for key, each in self.objects.items() if key[:2] == claim[:2] and claim[3] in claims_of(each["document"])]
        return next((each for each in users if each not in self.actor), None)

    # Laws that hold at each change.

    def change(self, verb, what, name, by):
        """Notes a change, and whose it is that is changed."""
        self.done.append((verb, what, name))
        if by is not None and self.actor is not None and by not in self.actor and not self.may_force:
            self.broken.append(f"1 owner: {verb} {what} {name} of {by[1]}/{by[0]}")

    def others_on(self, pool_or_cluster):
        """Pods of others that run there or wait for it."""
        out = []
        for key, space, name, _, selector, node in self.pods("/".join(pool_or_cluster.split("/")[:3])):
            waits = selector.get("cloud.google.com/gke-nodepool")
            pool = pool_or_cluster.split("/")[3] if pool_or_cluster.count("/") == 3 else None
            if pool is None or (node or "").rpartition("-")[0] == pool or waits == pool:
                if self.objects[key]["by"] not in self.actor:
                    out.append(f"{space}/{name}")
        return out

    def forbid_others(self, what, key):
        others = self.others_on(key)
        if key.count("/") == 2:
            others += [pool.split("/")[-1] for pool, each in self.pools.items() if pool.startswith(key + "/") and each["by"] not in self.actor]
        if others and not self.may_force:
            self.broken.append(f"4 others: {what} {key.split('/')[-1]} is deleted under {' '.join(others[:3])}")

    # The programs.

    def call(self, words, stdin="", context=""):
        self.calls += 1
        try:
            line = " ".join(words)
            if any(each in line for each in self.denied):
                raise Refused('Error from server (Forbidden): is forbidden' if words[0] == "kubectl" else
                              "ERROR: (gcloud) ResponseError: code=403, message=Permission denied")
            out = (self.gcloud if words[0] == "gcloud" else self.kubectl)(words[1:], stdin, context)
            return 0, out + "\n" if out and not out.endswith("\n") else out or "", ""
        except Refused as refused:
            return 1, "", str(refused) + "\n"

    def gcloud(self, words, _stdin, _context):
        operands, flags = parsed(words)
        if operands[:2] == ["config", "get-value"]:
            return "acme"
        if operands[1] == "clusters" and "cluster" in flags:
            raise Refused(f"ERROR: (gcloud.container.clusters.{operands[2]}) unrecognized arguments: --cluster={flags['cluster']}")
        where = "/".join([flags.get("project", "acme"), flags.get("location", flags.get("region", ""))])
        name = operands[-1]
        handler = getattr(self, re.sub(r"[-.]", "_", "_".join(operands[:3])), None)
        if handler is None:
            raise Refused(f"ERROR: (gcloud) unknown to this world: {' '.join(words)}")
        return handler(f"{where}/{name}" if operands[1] == "clusters" else f"{where}/{flags.get('cluster')}", name, flags)

    def cluster(self, key):
        if key not in self.clusters:
            raise Refused(f"ERROR: (gcloud) ResponseError: code=404, message=Not found: {key}")
        return self.clusters[key]

    def services_enable_container_googleapis_com(self, *_):
        return ""

    def listed(self, all_of, inside, flags):
        rows = [each for key, each in all_of.items() if key.rpartition("/")[0] == inside and accepts(flags.get("filter"), each)]
        return "\n".join(project(each, flags["format"]) for each in rows)

    def container_clusters_create(self, key, name, flags):
        if key in self.clusters:
            raise Refused(f"ERROR: (gcloud) ResponseError: code=409, message=Already exists: {key}")
        self.change("create", "cluster", name, None)
        self.clusters[key] = {"name": name, "status": "RUNNING", "resourceLabels": labels_of(flags.get("labels")), "by": self.actor[-1],
                              "currentMasterVersion": "1.35.2-gke.1100000"}
        return ""

    def container_clusters_delete(self, key, name, _flags):
        each = self.cluster(key)
        self.change("delete", "cluster", name, each["by"])
        self.forbid_others("cluster", key)
        kept = [claim["claim"][2] for claim in self.disks.values() if claim["claim"][0] == key and not claim.get("lost")]
        if kept and not self.may_delete_data:
            self.broken.append(f"2 data: cluster {name} is deleted with the claims {' '.join(kept)}")
        del self.clusters[key]
        self.pools = {pool: each for pool, each in self.pools.items() if not pool.startswith(key + "/")}
        self.objects = {at: each for at, each in self.objects.items() if at[0] != key}
        for disk in self.disks.values():
            disk["lost"] = disk.get("lost") or disk["claim"][0] == key
        return ""

    def container_clusters_list(self, key, _name, flags):
        return self.listed(self.clusters, key.rpartition("/")[0], flags)

    def container_clusters_describe(self, key, _name, flags):
        return project(self.cluster(key) | {"nodePools": [each for pool, each in self.pools.items() if pool.startswith(key + "/")]}, flags["format"])

    def container_clusters_get_credentials(self, key, *_):
        self.cluster(key)
        self.credentials = key
        return ""

    def container_clusters_resize(self, key, name, flags):
        self.cluster(key)
        return self.update_pool(f"{key}/{flags['node-pool']}", {"initialNodeCount": int(flags["num-nodes"])})

    def container_clusters_update(self, key, name, flags):
        each = self.cluster(key)
        if "node-pool" in flags:
            return self.container_node_pools_update(key, flags["node-pool"], flags)
        self.change("update", "cluster", name, each["by"])
        if "update-labels" in flags:
            each["resourceLabels"] |= labels_of(flags["update-labels"])
        return ""

    def container_node_pools_create(self, cluster, name, flags):
        self.cluster(cluster)
        key = f"{cluster}/{name}"
        if key in self.pools:
            raise Refused(f"ERROR: (gcloud) ResponseError: code=409, message=Already exists: {key}")
        if set(flags["node-locations"].split(",")) & self.empty_zones:
            raise Refused("ERROR: (gcloud) Operation [operation-1] finished with error: GCE_STOCKOUT")
        policy = flags.get("placement-policy")
        region = "-".join(cluster.split("/")[1].split("-")[:2])
        if policy and f"{cluster.split('/')[0]}/{region}/{policy}" not in self.policies:
            raise Refused(f"ERROR: (gcloud) ResponseError: code=404, message=Not found: policy {policy}")
        self.change("create", "node pool", name, None)
        config = {"machineType": flags.get("machine-type"), "labels": labels_of(flags.get("node-labels")), "resourceLabels": labels_of(flags.get("labels")),
                  "diskSizeGb": str(flags.get("disk-size", "100")).rstrip("GBi")}
        config |= {field: True for flag, field in (("spot", "spot"), ("flex-start", "flexStart")) if flag in flags}
        if "max-run-duration" in flags:
            config["maxRunDuration"] = flags["max-run-duration"]
        affinity = {"specific": "SPECIFIC_RESERVATION", "none": "NO_RESERVATION"}.get(flags.get("reservation-affinity"))
        if affinity:
            config["reservationAffinity"] = {"consumeReservationType": affinity, "values": [flags["reservation"]] if "reservation" in flags else []}
        self.pools[key] = {"name": name, "status": "RUNNING", "by": self.actor[-1], "config": config, "locations": flags["node-locations"].split(","),
                           "initialNodeCount": int(flags.get("num-nodes", 3)),
                           "placementPolicy": {field: value for field, value in (("tpuTopology", flags.get("tpu-topology")), ("policyName", policy)) if value}}
        if "enable-queued-provisioning" in flags:
            self.pools[key]["queuedProvisioning"] = {"enabled": True}
        self.scale(self.pools[key], flags)
        return ""

    def scale(self, pool, flags):
        if "enable-autoscaling" in flags or "min-nodes" in flags or "max-nodes" in flags:
            old = pool.get("autoscaling", {})
            least, most = (int(flags.get(f"{end}-nodes", old.get(f"{end}NodeCount", 0))) for end in ("min", "max"))
            if most < least:
                raise Refused("ERROR: (gcloud) ResponseError: code=400, message=max_node_count must not be less than min_node_count")
            pool["autoscaling"] = {"enabled": True, "minNodeCount": least, "maxNodeCount": most}

    def container_node_pools_delete(self, cluster, name, _flags):
        self.cluster(cluster)
        key = f"{cluster}/{name}"
        if key not in self.pools:
            raise Refused(f"ERROR: (gcloud) ResponseError: code=404, message=Not found: {key}")
        self.change("delete", "node pool", name, self.pools[key]["by"])
        self.forbid_others("node pool", key)
        served = {at: self.ready(at) for at, each in self.objects.items() if "running" in each}
        del self.pools[key]
        for at, before in served.items():
            if self.ready(at) < before:
                self.dip(at, before, self.ready(at), [f"{cluster}/{other}" for other in self.pools])
        return ""

    def dip(self, key, before, now, pools):
        """Fewer replicas serve than before, although nodes for the others exist."""
        self.done.append(("dip", key[3], f"{before} to {now}"))

    def container_node_pools_list(self, cluster, _name, flags):
        self.cluster(cluster)
        return self.listed(self.pools, cluster, flags)

    def container_node_pools_describe(self, cluster, name, flags):
        self.cluster(cluster)
        if f"{cluster}/{name}" not in self.pools:
            raise Refused(f"ERROR: (gcloud) ResponseError: code=404, message=Not found: {name}")
        return project(self.pools[f"{cluster}/{name}"], flags["format"])

    def update_pool(self, key, fields):
        if key not in self.pools:
            raise Refused(f"ERROR: (gcloud) ResponseError: code=404, message=Not found: {key}")
        self.change("update", "node pool", key.split("/")[-1], self.pools[key]["by"])
        self.pools[key] |= fields
        return ""

    def container_node_pools_update(self, cluster, name, flags):
        self.cluster(cluster)
        key = f"{cluster}/{name}"
        self.update_pool(key, {})
        pool = self.pools[key]
        if "no-enable-autoscaling" in flags:
            pool.pop("autoscaling", None)
        self.scale(pool, flags)
        if "node-locations" in flags:
            pool["locations"] = flags["node-locations"].split(",")
        for flag, field in (("node-labels", "labels"), ("labels", "resourceLabels")):
            if flag in flags:
                pool["config"][field] = labels_of(flags[flag])
        if "disk-size" in flags:
            pool["config"]["diskSizeGb"] = flags["disk-size"].rstrip("GBi")
        return ""

    def compute_resource_policies_create(self, key, name, flags):
        key = key.rpartition("/")[0] + "/" + name
        if key in self.policies:
            raise Refused(f"ERROR: (gcloud) ResponseError: code=409, message=Already exists: {key}")
        self.change("create", "workload policy", name, None)
        self.policies[key] = {"name": name, "status": "READY", "region": key.split("/")[1], "by": self.actor[-1], "description": flags.get("description", ""),
                              "workloadPolicy": {"acceleratorTopology": flags["accelerator-topology"]}}
        return ""

    def compute_resource_policies_list(self, _key, _name, flags):
        return "\n".join(project(each, flags["format"]) for each in self.policies.values() if accepts(flags.get("filter"), each))

    def compute_resource_policies_describe(self, key, name, flags):
        key = key.rpartition("/")[0] + "/" + name
        if key not in self.policies:
            raise Refused(f"ERROR: (gcloud) Could not fetch resource: - The resource '{name}' was not found")
        return project(self.policies[key], flags["format"])

    def compute_resource_policies_delete(self, key, name, _flags):
        project_and_region = key.rpartition("/")[0]
        key = f"{project_and_region}/{name}"
        if key not in self.policies:
            raise Refused(f"ERROR: (gcloud) Could not fetch resource: - The resource '{name}' was not found")
        region = project_and_region.split("/")[1]
        users = [pool for pool, each in self.pools.items() if each["placementPolicy"].get("policyName") == name and pool.split("/")[1].startswith(region)]
        if users:
            raise Refused(f"ERROR: (gcloud) The resource_policy resource '{name}' is already being used")
        self.change("delete", "workload policy", name, self.policies[key]["by"])
        del self.policies[key]
        return ""

    def compute_reservations_list(self, _key, _name, flags):
        return "\n".join(project(each, flags["format"]) for each in self.reservations.values() if accepts(flags.get("filter"), each))

    # kubectl

    def kubectl(self, words, stdin, context):
        operands, flags = parsed(words)
        if operands[0] == "config":
            return "default"
        if context not in self.clusters:
            raise Refused("Unable to connect to the server")
        space = flags.get("namespace", "default")
        verb = operands[0]
        if verb == "get" and "raw" in flags:
            return "{}"
        if verb == "events":
            return f"Warning FailedScheduling {flags['for']}"
        if verb in ("rollout", "wait"):
            return self.waits(context, space, operands[-1])
        if "filename" in flags:
            stdin = stdin if flags["filename"] == "-" else Path(flags["filename"]).read_text(encoding="utf-8")
            if stdin.lstrip().startswith("{"):  # which kubectl takes for JSON
                try:
                    json.loads(stdin)
                except ValueError as error:
                    raise Refused("error: error parsing STDIN: json: invalid character") from error
            documents = [each for each in yaml.load_all(stdin, Loader=Loader) if each]
            flags["keys"] = [self.key(context, space, each) for each in documents]
        if verb == "apply":
            if operands[1:2] == ["set-last-applied"]:
                for each in documents:
                    self.objects[self.key(context, space, each)]["sets_replicas"] = "replicas" in each["spec"]
                return ""
            return "\n".join(self.apply(context, space, each, "server-side" in flags) for each in documents)
        return getattr(self, "kubectl_" + verb)(context, space, operands[1:], flags)

    def key(self, context, space, document):
        kind, metadata = document["kind"], document["metadata"]
        return context, "" if kind in CLUSTER_SCOPED else metadata.get("namespace", space), kind, metadata["name"]

    def apply(self, context, space, document, by_server=False):
        key = self.key(context, space, document)
        kind, name = key[2:]
        old = self.objects.get(key)
        if key[1] and "namespace" in document["metadata"] and document["metadata"]["namespace"] != space:
            raise Refused("error: the namespace from the provided object does not match the namespace")
        spec = document.get("spec", {})
        if old is None:
            self.number += 1
            self.change("create", kind, name, None)
            self.objects[key] = old = {"document": document, "by": self.actor[-1], "uid": self.number, "by_server": by_server}
            if kind == "PersistentVolumeClaim" and not spec.get("storageClassName", "").startswith("gcsfusecsi-"):  # of a bucket
                self.disks[f"disk-{self.number}"] = {"claim": key[:2] + (name,), "size": spec["resources"]["requests"]["storage"], "by": self.actor[-1]}
            if kind in ("Deployment", "LeaderWorkerSet"):
                old |= {"running": spec["template" if kind == "Deployment" else "leaderWorkerTemplate"], "replicas": spec.get("replicas", 1),
                        "sets_replicas": "replicas" in spec}
            return f"{kind.lower()}/{name} created"
        if old.setdefault("by_server", by_server) and not by_server:
            self.broken.append(f"5 in place: kubectl does not know which fields of {kind} {name} go, since the server applied it")
        old["by_server"] = by_server
        if old["document"] == document:
            return f"{kind.lower()}/{name} unchanged"
        self.check(kind, name, old["document"].get("spec", {}), spec)
        old["says"] = "before"  # its controller has not looked yet
        self.change("update", kind, name, self.user_of(key) if kind == "PersistentVolumeClaim" else old["by"])
        old["document"] = document
        if "running" in old:
            before = self.ready(key)
            if "replicas" in spec:
                old["replicas"] = spec["replicas"]
            elif old["sets_replicas"]:
                old["replicas"] = 1
            old["sets_replicas"] = "replicas" in spec
            self.roll(key, old, spec, before)
        if kind == "PersistentVolumeClaim":
            for disk in self.disks.values():
                if disk["claim"] == key[:2] + (name,):
                    disk["size"] = spec["resources"]["requests"]["storage"]
        return f"{kind.lower()}/{name} configured"

    def check(self, kind, name, old, new):
        changed = {field for field in old.keys() | new.keys() if old.get(field) != new.get(field)}
        if kind == "Job" and changed >= {"completions", "parallelism"} and new["completions"] == new["parallelism"] and new.get("completionMode") == "Indexed":
            changed -= {"completions"}
        refused = kind in MUTABLE and changed - MUTABLE[kind]
        refused = refused or kind == "Service" and old.get("clusterIP") != new.get("clusterIP")
        refused = refused or kind == "Deployment" and "selector" in changed
        if kind == "PersistentVolumeClaim" and changed:
            refused = changed != {"resources"} or size(new) < size(old)
        if refused:
            raise Refused(f'The {kind} "{name}" is invalid: spec.{"".join(sorted(changed))[:40]}: Invalid value: field is immutable')

    def roll(self, key, old, spec, before):
        """A rollout: replicas are replaced as far as nodes and the strategy allow."""
        is_group = key[2] == "LeaderWorkerSet"
        wanted = spec["leaderWorkerTemplate" if is_group else "template"]
        if wanted == old["running"]:
            old["stuck"] = False
            return
        strategy = spec.get("rolloutStrategy", {}).get("rollingUpdateConfiguration", {}) if is_group else spec.get("strategy", {}).get("rollingUpdate", {})
        count = old["replicas"]
        default = (0, 1) if is_group else ("25%", "25%")
        surge, missing = (amount(strategy.get(field, fallback), count, up) for field, fallback, up in
                          (("maxSurge", default[0], True), ("maxUnavailable", default[1], False)))
        if surge == missing == 0:
            missing = 1
        trial = copy.deepcopy(old)
        trial["running"], trial["replicas"] = wanted, count
        beside = key[:3] + (key[3] + "~",)  # placed last: on what is free
        self.objects[beside] = trial
        free = self.ready(beside) // (wanted.get("size", 1) if is_group else 1)
        del self.objects[beside]
        served = min(before, count * (wanted.get("size", 1) if is_group else 1))
        # A group keeps its number: one more has nodes of the new pool until the last of the old ones has some there.
        if is_group and surge > 0 and free <= count:
            old["stuck"] = True
        elif missing > 0:
            if free > 0 and pool_of(wanted) != pool_of(old["running"]):
                self.done.append(("dip", key[3], f"{served} to {max(0, served - missing)}"))
            old["running"], old["stuck"] = wanted, False
        elif free > 0:
            old["running"], old["stuck"] = wanted, False
        else:
            old["stuck"] = True

    @staticmethod
    def counts(each):
        """Its controller reports the generation that it has seen, as LeaderWorkerSet does from 0.9 on."""
        return each["uid"] % 2 == 0

    def kubectl_patch(self, context, space, operands, flags):
        assert flags["subresource"] == "status", operands
        [key] = self.matching(context, space, operands, flags)
        self.objects[key].pop("says", None)
        return f"{operands[0]} patched"

    def kubectl_label(self, _context, _space, operands, _flags):
        return f"{operands[0]} labeled"

    def waits(self, context, space, name):
        kind, name = name.split("/")
        for key, each in self.objects.items():
            if key[0] == context and key[1] == space and key[2].lower() == kind and key[3] == name:
                if kind == "leaderworkerset" and each.pop("says", None) == "before" and not self.counts(each):
                    self.broken.append(f"6 surprise: {name} served before it was changed, which ends the wait")
                if each.get("stuck") or "running" in each and self.ready(key) < 1:
                    raise Refused("error: timed out waiting for the condition")
                return "successfully rolled out"
        raise Refused(f'Error from server (NotFound): {kind} "{name}" not found')

    def matching(self, context, space, operands, flags):
        """Keys of the objects that operands or a selector name."""
        names = [operand.split("/") for operand in operands if "/" in operand]
        if not names:
            names = [[operands[0], name] for name in operands[1:]] or [[operands[0], None]]
        wanted = labels_of(flags["selector"]) if "selector" in flags else {}
        for kind, name in names:
            kind = kind.split(".")[0]
            kind = SHORT.get(kind, kind)
            for key, each in list(self.objects.items()):
                if (key[0] == context and key[2].lower() == kind and name in (None, key[3]) and (key[1] in ("", space) or "all-namespaces" in flags)
                        and wanted.items() <= each["document"]["metadata"].get("labels", {}).items()):
                    yield key

    def kubectl_delete(self, context, space, operands, flags):
        out = []
        for key in self.matching(context, space, operands, flags):
            kind, name = key[2:]
            self.change("delete", kind, name, self.objects[key]["by"])
            if kind in ("PersistentVolumeClaim", "PersistentVolume"):
                if any(self.mounts(each, name) for each in self.objects if each[:2] == key[:2]):
                    raise Refused(f"error: timed out waiting for the condition on {kind.lower()}s/{name}")
                if not self.may_delete_data:
                    self.broken.append(f"2 data: {kind} {name} is deleted")
                self.disks = {disk: each for disk, each in self.disks.items() if each["claim"] != key[:2] + (name,)}
            del self.objects[key]
            out.append(f'{kind.lower()} "{name}" deleted')
        if not out and "ignore-not-found" not in flags and "selector" not in flags:
            raise Refused(f"Error from server (NotFound): {operands[-1]} not found")
        return "\n".join(out)

    def kubectl_get(self, context, space, operands, flags):
        form = str(flags.get("output", ""))
        if not operands:  # the objects of a file
            return "kubectl " if any(self.objects.get(key, {}).get("by_server") for key in flags["keys"]) else ""
        kind = SHORT.get(operands[0], operands[0])
        if kind == "node":
            wanted = labels_of(flags.get("selector")).get("cloud.google.com/gke-nodepool")
            names = [f"{pool.split('/')[-1]}-{i}" for pool in self.pools if pool.startswith(context + "/") for i in range(self.capacity(pool))
                     if wanted in (None, pool.split("/")[-1])]
            return "\n".join(f"node/{name}" for name in names)
        if kind == "pod":
            wanted = labels_of(flags.get("selector"))
            ended = [(key, key[1], *row, "") for key, each in self.objects.items() if key[0] == context and each.get("finished")
                     for row in self.pods_of(key, each)] if "field-selector" not in flags else []
            items = [{"metadata": {"name": name, "namespace": at, "labels": labels, "ownerReferences": [{"kind": key[2]}] if key[2] != "Pod" else []},
                      "spec": {"nodeName": node or "", "nodeSelector": selector,
                               "volumes": [{"persistentVolumeClaim": {"claimName": claim}} for claim in claims_of(self.objects[key]["document"])]},
                      "status": {"phase": "Succeeded" if node == "" else "Running" if node else "Pending"}}
                     for key, at, name, labels, selector, node in [*self.pods(context), *ended]
                     if (at == space or "all-namespaces" in flags) and wanted.items() <= labels.items()]
            waiting = flags.get("field-selector") == "status.phase=Pending"
            return self.printed(form, "pod", [each for each in items if not waiting or each["status"]["phase"] == "Pending"], True)
        keys = list(self.matching(context, space, operands, flags))
        single = "/" in operands[0] or len(operands) == 2
        if not keys and single and "ignore-not-found" not in flags:
            raise Refused(f"Error from server (NotFound): {operands[-1]} not found")
        return self.printed(form, None, [self.shown(key) for key in keys], not single)

    def shown(self, key):
        each = self.objects[key]
        out = copy.deepcopy(each["document"])
        out["metadata"] |= {"uid": f"uid-{each['uid']}", "namespace": key[1]}
        status = out.setdefault("status", {})
        if each.get("finished"):
            status |= {"conditions": [{"type": "Complete" if key[2] == "Job" else "Completed", "status": "True"}], "succeeded": 1, "terminalState": "Completed",
                       "jobDeploymentStatus": "Complete"}
        elif key[2] == "Job":
            status["active"] = 1
        if key[2] == "PersistentVolumeClaim":
            status |= {"phase": "Bound", "capacity": {"storage": out["spec"]["resources"]["requests"]["storage"]}}
        if "running" in each:
            out["spec"]["replicas"] = each["replicas"]
            status["readyReplicas"] = self.ready(key)
            if self.counts(each):
                status["observedGeneration"] = 1
        if each.get("owned"):
            out["metadata"]["ownerReferences"] = [each["owned"]]
        return out

    def printed(self, form, kind, items, is_list):
        if form == "name":
            return "\n".join(f"{(kind or each['kind'].lower())}/{each['metadata']['name']}" for each in items)
        if form.startswith("jsonpath="):
            if is_list:
                return expand(form[9:], {"items": items})
            return expand(form[9:], items[0]) if items else ""
        return "\n".join(each["metadata"]["name"] for each in items)


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """The fast one."""


def pool_of(template):
    template = template.get("workerTemplate", template)
    return template["spec"].get("nodeSelector", {}).get("cloud.google.com/gke-nodepool")


def claims_of(document):
    """Names of the claims that the pods of an object mount."""
    return re.findall(r'"claimName": "([^"]*)"', json.dumps(document))


def amount(value, count, up):
    """A number or a percentage of replicas."""
    if isinstance(value, str) and value.endswith("%"):
        share = int(value[:-1]) * count / 100
        return math.ceil(share) if up else math.floor(share)
    return int(value)


def size(spec):
    text = spec["resources"]["requests"]["storage"]
    return float(text.rstrip("GTMi")) * (1024 if text.endswith("Ti") else 1)
