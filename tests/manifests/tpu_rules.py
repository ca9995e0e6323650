"""What must hold between the objects of one file, and between the numbers of a TPU workload on GKE.

No server says a word about most of these: the pods hang, or use half of what is paid for.
Each function yields (index of the object, path, message). All assume objects without errors of their own.
Called by check_manifests.py.
"""

import math
import re

from rules import job_specs, pod_templates, quantity, ray_cluster

TPU = "google.com/tpu"
ACCELERATOR = "cloud.google.com/gke-tpu-accelerator"
TOPOLOGY = "cloud.google.com/gke-tpu-topology"
FORMED = "cloud.google.com/gke-tpu-slice-topology"
GCS_FUSE = "gcsfuse.csi.storage.gke.io"
NODE_POOL = "cloud.google.com/gke-nodepool"
JOBS = ("Job", "CronJob")
JOB_NAME = ("job-name", "batch.kubernetes.io/job-name")
LWS = "leaderworkerset.sigs.k8s.io/"
EXCLUSIVE, SUBGROUP_EXCLUSIVE = LWS + "exclusive-topology", LWS + "subgroup-exclusive-topology"
RAY_NODE = "ray.io/node-type"


def file_errors(objects):
    """Yields all findings for the objects of one file, which kubectl applies together."""
    yield from _same_object_twice(objects)
    yield from _queue_references(objects)
    for index, value in enumerate(objects):
        found = []
        for path, spec in job_specs(value):
            found += _tpu_numbers(spec, path, value["kind"])
            found += _subdomain(objects, value, spec, path)
        for path, template in pod_templates(value):
            found += _gcs_fuse(template, path)
        found += {"Deployment": _deployment, "LeaderWorkerSet": _leader_worker_set}.get(value["kind"], _ray)(value)
        between = {"Service": _clients, "PodDisruptionBudget": _budget, "ConfigMap": _config_map, "HorizontalPodAutoscaler": _autoscaler,
                   "PodMonitoring": _monitoring, "InferencePool": _inference_pool, "HTTPRoute": _route}
        found += between.get(value["kind"], lambda *_: [])(objects, value)
        yield from ((index, at, message) for at, message in found)


def _same_object_twice(objects):
    seen = set()
    for index, value in enumerate(objects):
        meta = value["metadata"]
        identity = (value["apiVersion"], value["kind"], meta.get("namespace"), meta["name"])
        if identity in seen:
            yield index, ("metadata", "name"), f"an earlier {value['kind']} is named {meta['name']} too"
        seen.add(identity)


def chips_of(pod):
    """The chips that a pod requests."""
    return sum(quantity(c.get("resources", {}).get("limits", {}).get(TPU, 0)) for c in pod["containers"])


def slice_of(pod):
    """The topology that a pod selects, and its chips; 0 where it is none."""
    shape = pod.get("nodeSelector", {}).get(TOPOLOGY, "")
    fits = re.fullmatch(r"[1-9][0-9]*(x[1-9][0-9]*){1,2}", shape)
    return shape, math.prod(map(int, shape.split("x"))) if fits else 0


def _selects_a_slice(pod, at, annotations=()):
    """A slice that is formed when the pods start has its topology in an annotation."""
    selector = pod.get("nodeSelector", {})
    for key in (ACCELERATOR, *(() if FORMED in annotations else (TOPOLOGY,))):
        if not selector.get(key):
            yield at + ("nodeSelector", key), "is required for pods that use TPUs"
    if selector.get(TOPOLOGY) and not slice_of(pod)[1]:
        yield at + ("nodeSelector", TOPOLOGY), f'"{selector[TOPOLOGY]}" is no topology like 4x4 or 2x2x1'


def _tpu_numbers(spec, path, kind):
    """Selectors, and pods × chips against the chips of the slice."""
    pod, at = spec["template"]["spec"], path + ("template", "spec")
    chips = chips_of(pod)
    if not chips:
        return
    yield from _selects_a_slice(pod, at, spec["template"].get("metadata", {}).get("annotations", {}))
    # completionMode defaults to Indexed in a JobSet.
    indexed = spec.get("completionMode", "Indexed" if kind == "JobSet" else "NonIndexed") == "Indexed"
    pods = spec.get("parallelism", 1)
    if indexed and spec.get("completions", 1) != pods:
        yield path + ("parallelism",), f"must equal completions {spec.get('completions', 1)}, is {pods}"
        return
    shape, slice_chips = slice_of(pod)
    if not slice_chips:
        return
    if slice_chips % chips or pods * chips % slice_chips:
        message = f"{pods} pods x {chips} chips do not fill slices of {shape} = {slice_chips} chips"
        yield path + ("parallelism",), message
    elif slice_chips > chips and not indexed:
        yield path + ("completionMode",), f"must be Indexed: a slice of {shape} has {slice_chips // chips} hosts"
    elif slice_chips > chips and kind in JOBS and "subdomain" not in pod:
        yield at + ("subdomain",), f"is required: the {slice_chips // chips} hosts of {shape} must find each other"


def _deployment(value):
    """Each replica is a slice of its own, and Pods of a Deployment cannot find each other."""
    pod, at = value["spec"]["template"]["spec"], ("spec", "template", "spec")
    if chips := chips_of(pod):
        yield from _selects_a_slice(pod, at)
        shape, slice_chips = slice_of(pod)
        if slice_chips and chips != slice_chips:
            yield at + ("containers",), f"a replica has {chips} chips, and a slice of {shape} {slice_chips}: each must be a whole slice"


def _leader_worker_set(value):
    """The pods of a group with chips are the hosts of one slice, and no other group gets a node of it."""
    group, at = value["spec"]["leaderWorkerTemplate"], ("spec", "leaderWorkerTemplate")
    worker, size = group["workerTemplate"]["spec"], group.get("size", 1)
    field = "leaderTemplate" if "leaderTemplate" in group else "workerTemplate"
    leader = group[field]["spec"]
    annotations, policy = value["metadata"].get("annotations", {}), group.get("subGroupPolicy", {})
    chips = chips_of(leader) + (size - 1) * chips_of(worker)
    if not chips:
        return
    for name, pod in {field: leader, "workerTemplate": worker}.items():
        if chips_of(pod):
            yield from _selects_a_slice(pod, at + (name, "spec"))
    shape, slice_chips = slice_of(worker)
    if slice_chips and chips != slice_chips:
        yield at + ("size",), f"a group of {size} has {chips} chips, and a slice of {shape} {slice_chips}"
        return
    if chips_of(leader) and slice_chips and slice_of(leader) != (shape, slice_chips):
        yield at + (field, "spec", "nodeSelector", TOPOLOGY), f"must be {shape}, as that of the workers"
    if chips_of(leader):
        if value["spec"].get("replicas", 1) > 1 and annotations.get(EXCLUSIVE) != NODE_POOL:
            yield ("metadata", "annotations", EXCLUSIVE), f"must be {NODE_POOL}: else groups share slices"
        return
    if EXCLUSIVE in annotations:
        yield ("metadata", "annotations", EXCLUSIVE), "keeps the workers on the node pool of their leader, which has no chips"
    if value["spec"].get("replicas", 1) > 1 and annotations.get(SUBGROUP_EXCLUSIVE) != NODE_POOL:
        yield ("metadata", "annotations", SUBGROUP_EXCLUSIVE), f"must be {NODE_POOL}: else groups share slices"
    if SUBGROUP_EXCLUSIVE in annotations and policy.get("subGroupPolicyType") != "LeaderExcluded":
        yield at + ("subGroupPolicy", "subGroupPolicyType"), "must be LeaderExcluded: the leader has no chips"
    elif policy.get("subGroupSize", size - 1) != size - 1:
        yield at + ("subGroupPolicy", "subGroupSize"), f"must be {size - 1}: the workers of a group are one slice"


def _ray(value):
    """A replica of a worker group is a slice; the webhook that numbers its hosts replaces what the pods prefer."""
    path, cluster = ray_cluster(value)
    if not cluster:
        return
    if chips_of(cluster["headGroupSpec"]["template"]["spec"]):
        yield path + ("headGroupSpec", "template", "spec", "containers"), "the head must have no chips: it is no host of a slice"
    for i, group in enumerate(cluster.get("workerGroupSpecs", [])):
        at, pod = path + ("workerGroupSpecs", i), group["template"]["spec"]
        if not (chips := chips_of(pod)):
            continue
        yield from _selects_a_slice(pod, at + ("template", "spec"))
        hosts, (shape, slice_chips) = group.get("numOfHosts", 1), slice_of(pod)
        if slice_chips and hosts * chips != slice_chips:
            yield at + ("numOfHosts",), f"{hosts} hosts x {chips} chips are no slice of {shape} = {slice_chips} chips"
        if "affinity" in pod:
            yield at + ("template", "spec", "affinity"), "is replaced by the webhook for TPUs: select nodes by their labels"


def _labels_of(value, path, template):
    """The labels of the pods of a template, with those of its controller that Services select by."""
    name, labels = value["metadata"]["name"], template.get("metadata", {}).get("labels", {})
    if value["kind"] == "Job":
        return [labels | dict.fromkeys(JOB_NAME, name)]
    if value["kind"] == "LeaderWorkerSet":
        group = value["spec"]["leaderWorkerTemplate"]
        leads = path[-1] == "leaderTemplate" or "leaderTemplate" not in group
        last = group.get("size", 1) - 1
        # The first and the last pod of the template stand for all.
        indexes = {0 if leads else 1, 0 if path[-1] == "leaderTemplate" else last}
        return [labels | {LWS + "name": name, LWS + "worker-index": str(index)} for index in indexes]
    if value["kind"].startswith("Ray"):
        return [labels | {RAY_NODE: "head" if "headGroupSpec" in path else "worker"}]
    return [labels]


def _selected(objects, namespace, labels):
    """The pod specs of the file that labels select."""
    return [template["spec"] for value in objects if value["metadata"].get("namespace") == namespace
            for path, template in pod_templates(value)
            if any(labels.items() <= each.items() for each in _labels_of(value, path, template))]


def _clients(objects, value):
    """What clients connect to: there are pods behind it, with these ports."""
    spec = value["spec"]
    if spec.get("clusterIP") == "None":
        return
    pods = _selected(objects, value["metadata"].get("namespace"), spec["selector"])
    if not pods:
        yield ("spec", "selector"), "selects no pods of this file"
    for i, port in enumerate(spec["ports"]):
        target = port.get("targetPort", port["port"])
        for pod in pods:
            there = {each.get(field) for c in pod["containers"] for each in c.get("ports", []) for field in ("containerPort", "name")}
            if target not in there:
                yield ("spec", "ports", i, "targetPort"), f"no container has a port {target}"


def _budget(objects, value):
    selector = value["spec"]["selector"]
    if "matchExpressions" not in selector and not _selected(objects, value["metadata"].get("namespace"), selector["matchLabels"]):
        yield ("spec", "selector"), "selects no pods of this file"


def _there(objects, value, version, kind, name):
    """The object of the file that another one names."""
    return next((each for each in objects if (each["apiVersion"], each["kind"], each["metadata"]["name"]) == (version, kind, name)
                 and each["metadata"].get("namespace") == value["metadata"].get("namespace")), None)


def _autoscaler(objects, value):
    """What it scales is in the file, leaves the number to it, and requests the resource that it measures."""
    target, at = value["spec"]["scaleTargetRef"], ("spec", "scaleTargetRef", "name")
    scaled = _there(objects, value, target["apiVersion"], target["kind"], target["name"])
    if scaled is None:
        yield at, f"no {target['kind']} {target['name']} in this file"
    elif "replicas" in scaled["spec"]:
        yield at, f"each apply sets replicas of {target['name']} back"


def _serving_ports(objects, value, labels, ports):
    """All pods that labels select have the ports, and are of one template: of a group they are the leaders."""
    pods = _selected(objects, value["metadata"].get("namespace"), labels)
    if not pods:
        yield ("spec", "selector"), "selects no pods of this file"
    for path, port in ports:
        for pod in pods:
            if port not in {each.get(field) for c in pod["containers"] for each in c.get("ports", []) for field in ("containerPort", "name")}:
                yield path, f"no container has a port {port}"
    groups = [each for each in objects if each["kind"] == "LeaderWorkerSet"]
    if groups and LWS + "worker-index" not in labels:
        yield ("spec", "selector"), "selects the workers of a group too"


def _monitoring(objects, value):
    ports = [(("spec", "endpoints", i, "port"), each["port"]) for i, each in enumerate(value["spec"]["endpoints"])]
    yield from _serving_ports(objects, value, value["spec"]["selector"]["matchLabels"], ports)


def _inference_pool(objects, value):
    ports = [(("spec", "targetPorts", i, "number"), each["number"]) for i, each in enumerate(value["spec"]["targetPorts"])]
    yield from _serving_ports(objects, value, value["spec"]["selector"]["matchLabels"], ports)


def _route(objects, value):
    """Its InferencePool is in the file."""
    for i, rule in enumerate(value["spec"]["rules"]):
        for j, ref in enumerate(rule["backendRefs"]):
            if not _there(objects, value, ref["group"] + "/v1", ref["kind"], ref["name"]):
                yield ("spec", "rules", i, "backendRefs", j, "name"), f"no {ref['kind']} {ref['name']} in this file"


def _config_map(objects, value):
    """A ConfigMap of the file is there for one of its pods."""
    name, namespace = value["metadata"]["name"], value["metadata"].get("namespace")
    mounted = {volume.get("configMap", {}).get("name") for each in objects if each["metadata"].get("namespace") == namespace
               for _, template in pod_templates(each) for volume in template["spec"].get("volumes", [])}
    if name not in mounted:
        yield ("metadata", "name"), f"no pod of this file mounts {name}"


def _subdomain(objects, value, spec, path):
    """The pods of a Job with a subdomain need a Service of that name that selects them. A JobSet makes its own."""
    subdomain = spec["template"]["spec"].get("subdomain")
    if subdomain is None or value["kind"] not in JOBS:
        return
    at, name = path + ("template", "spec", "subdomain"), value["metadata"]["name"]
    namespace = value["metadata"].get("namespace")
    services = [o for o in objects if o["kind"] == "Service" and o["metadata"]["name"] == subdomain]
    service = next((o for o in services if o["metadata"].get("namespace") == namespace), None)
    if service is None:
        yield at, f"there is no Service {subdomain}" + (f" in namespace {namespace}" if services else "")
        return
    if service["spec"].get("clusterIP") != "None":
        yield at, f"the Service {subdomain} is not headless"
    [labels] = _labels_of(value, path + ("template",), spec["template"])
    selector = service["spec"]["selector"]
    if value["kind"] == "Job" and not selector.keys() & set(JOB_NAME):
        yield at, f"the Service {subdomain} does not select by job-name"
    for key in sorted(selector):
        if labels.get(key) != selector[key]:
            yield at, f"the Service {subdomain} selects {key}={selector[key]}, which these pods lack"


def _gcs_fuse(template, path):
    drivers = [volume.get("csi", {}).get("driver") for volume in template["spec"].get("volumes", [])]
    annotations = template.get("metadata", {}).get("annotations", {})
    key = "gke-gcsfuse/volumes"
    if GCS_FUSE in drivers and annotations.get(key) != "true":
        yield path + ("metadata", "annotations", key), 'must be "true" for a GCS FUSE volume'


def _queue_references(objects):
    """Kueue's objects name each other. A kind of which the file has none may be in the cluster already."""
    names = {}
    for value in objects:
        names.setdefault(value["kind"], set()).add(value["metadata"]["name"])
    for index, value in enumerate(objects):
        for kind, name, path in _named_by(value):
            if kind in names and name not in names[kind]:
                yield index, path, f"there is no {kind} {name}, only {', '.join(sorted(names[kind]))}"


def _named_by(value):
    spec = value.get("spec", {})
    if value["kind"] == "LocalQueue":
        yield "ClusterQueue", spec["clusterQueue"], ("spec", "clusterQueue")
    if value["kind"] == "ResourceFlavor" and "topologyName" in spec:
        yield "Topology", spec["topologyName"], ("spec", "topologyName")
    if value["kind"] == "AdmissionCheck" and spec.get("parameters", {}).get("kind") == "ProvisioningRequestConfig":
        yield "ProvisioningRequestConfig", spec["parameters"]["name"], ("spec", "parameters", "name")
    if value["kind"] == "ClusterQueue":
        for i, group in enumerate(spec.get("resourceGroups", [])):
            for j, flavor in enumerate(group["flavors"]):
                yield "ResourceFlavor", flavor["name"], ("spec", "resourceGroups", i, "flavors", j, "name")
        strategy = ("spec", "admissionChecksStrategy", "admissionChecks")
        for i, check in enumerate(spec.get("admissionChecksStrategy", {}).get("admissionChecks", [])):
            yield "AdmissionCheck", check["name"], strategy + (i, "name")
    queued, path = value, ()
    if value["kind"] == "CronJob":  # its own labels admit nothing
        queued, path = value["spec"]["jobTemplate"], ("spec", "jobTemplate")
    if value["kind"] in (*JOBS, "JobSet", "Deployment", "LeaderWorkerSet", "RayCluster", "RayJob", "RayService"):
        queue = "kueue.x-k8s.io/queue-name"
        labels = queued.get("metadata", {}).get("labels", {})
        if queue in labels:
            yield "LocalQueue", labels[queue], path + ("metadata", "labels", queue)
