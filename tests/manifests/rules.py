"""The rules that the API server and the controllers' webhooks keep in code, beyond what a schema can say.

Each function yields (path, message). All assume that the schema of the object's kind has nothing against it.
Called by check_manifests.py. Not covered: what is compared with objects that are in the cluster already.
"""

import decimal
import re

_UNITS = {
    "": 1, "n": decimal.Decimal("1e-9"), "u": decimal.Decimal("1e-6"), "m": decimal.Decimal("1e-3"),
    "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15, "E": 10**18,
    "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50, "Ei": 2**60,
}  # fmt: skip


def quantity(text):
    """The number that a quantity such as "500m" or "16Gi" stands for."""
    number, unit = re.fullmatch(r"([-+.0-9]+(?:[eE][-+]?[0-9]+)?)(.*)", str(text)).groups()
    return decimal.Decimal(number) * _UNITS[unit]


def server_errors(value):
    """Yields (path, message) for all rules of the kind."""
    yield from {
        "Service": _service,
        "Job": _job_object,
        "CronJob": _cron_job,
        "JobSet": _jobset,
        "Deployment": _deployment,
        "PodDisruptionBudget": _disruption_budget,
        "HorizontalPodAutoscaler": _autoscaler,
        "ConfigMap": _config_map,
        "LeaderWorkerSet": _leader_worker_set,
        "RayCluster": _ray_cluster_object,
        "RayJob": _ray_job,
        "RayService": _ray_service,
        "ClusterQueue": _cluster_queue,
        "ResourceFlavor": _resource_flavor,
        "Topology": _topology,
    }.get(value["kind"], lambda _: ())(value)


def job_specs(value):
    """Yields (path of the Job's spec, the Job's spec) for a Job, those of a CronJob, and each of a JobSet's Jobs."""
    if value["kind"] == "Job":
        yield ("spec",), value["spec"]
    if value["kind"] == "CronJob":
        yield ("spec", "jobTemplate", "spec"), value["spec"]["jobTemplate"]["spec"]
    if value["kind"] == "JobSet":
        for i, job in enumerate(value["spec"]["replicatedJobs"]):
            yield ("spec", "replicatedJobs", i, "template", "spec"), job["template"]["spec"]


def ray_cluster(value):
    """The path and the spec of the Ray cluster of a kind of Ray; (None, None) for others, and where there is none."""
    path = {"RayCluster": ("spec",), "RayJob": ("spec", "rayClusterSpec"), "RayService": ("spec", "rayClusterConfig")}.get(value["kind"])
    for step in path or ():
        value = value.get(step)
    return (path, value) if path and value else (None, None)


def pod_templates(value):
    """Yields (path, pod template) for each template of a workload's pods."""
    for path, spec in job_specs(value):
        yield path + ("template",), spec["template"]
    if value["kind"] == "Deployment":
        yield ("spec", "template"), value["spec"]["template"]
    if value["kind"] == "LeaderWorkerSet":
        group = value["spec"]["leaderWorkerTemplate"]
        for field in ("leaderTemplate", "workerTemplate"):
            if field in group:
                yield ("spec", "leaderWorkerTemplate", field), group[field]
    if value["kind"] == "RayJob" and "submitterPodTemplate" in value["spec"]:
        yield ("spec", "submitterPodTemplate"), value["spec"]["submitterPodTemplate"]
    path, cluster = ray_cluster(value)
    if cluster:
        yield path + ("headGroupSpec", "template"), cluster["headGroupSpec"]["template"]
        for i, group in enumerate(cluster.get("workerGroupSpecs", [])):
            yield path + ("workerGroupSpecs", i, "template"), group["template"]


# ---------------------------------------------------------------- Service


def _service(value):
    name, ports = value["metadata"]["name"], value["spec"].get("ports", [])
    if not re.fullmatch(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?", name):
        yield ("metadata", "name"), f'"{name}" is not a DNS label that begins with a letter (at most 63)'
    yield from _duplicates(((i, port.get("name")) for i, port in enumerate(ports)), ("spec", "ports"), "port name")
    if not value["spec"]["selector"]:
        yield ("spec", "selector"), "selects nothing"
    if not ports and value["spec"].get("clusterIP") != "None":
        yield ("spec", "ports"), "is required, but for a headless Service"
    for i, port in enumerate(ports):
        if len(ports) > 1 and "name" not in port:
            yield ("spec", "ports", i, "name"), "is required where there are several ports"


# ---------------------------------------------------------------- Job


def _job_object(value):
    name, spec = value["metadata"]["name"], value["spec"]
    longest = name
    if spec.get("completionMode") == "Indexed" and "completions" in spec:
        longest = f"{name}-{spec['completions'] - 1}"
        if "." in name:
            yield ("metadata", "name"), f'"{longest}" is no host name: an Indexed Job\'s name may have no dot'
    if len(longest) > 63:
        yield ("metadata", "name"), f'"{longest}" has {len(longest)} characters, the limit is 63'
    yield from _job(spec, ("spec",))


def _cron_job(value):
    """The name of a Job ends in the minutes from 1970 to its start, which are eight digits until 2160."""
    name = value["metadata"]["name"]
    if len(name) > 52:
        yield ("metadata", "name"), f'"{name}" has {len(name)} characters, the limit is 52'
        return
    job = value["spec"]["jobTemplate"]["spec"]
    for path, message in _job_object({"metadata": {"name": f"{name}-12345678"}, "spec": job}):
        yield path if path[0] == "metadata" else ("spec", "jobTemplate") + path, message


def _job(spec, path):
    indexed = spec.get("completionMode") == "Indexed"
    pod = spec["template"]["spec"]
    pod_path = path + ("template", "spec")
    if "restartPolicy" not in pod:
        yield pod_path + ("restartPolicy",), "is required in a Job: Never or OnFailure"
    elif pod["restartPolicy"] == "Always":
        yield pod_path + ("restartPolicy",), "must be Never or OnFailure in a Job"
    if indexed and "completions" not in spec:
        yield path + ("completions",), "is required with completionMode Indexed"
    for field in ("backoffLimitPerIndex", "successPolicy"):
        if field in spec and not indexed:
            yield path + (field,), "needs completionMode Indexed"
    if "backoffLimitPerIndex" in spec and pod.get("restartPolicy") != "Never":
        yield path + ("backoffLimitPerIndex",), "needs restartPolicy Never"
    if "maxFailedIndexes" in spec and "backoffLimitPerIndex" not in spec:
        yield path + ("maxFailedIndexes",), "needs backoffLimitPerIndex"
    if "selector" in spec and not spec.get("manualSelector"):
        yield path + ("selector",), "is made by the server, unless manualSelector is true"
    yield from _failure_policy(spec, pod, path)
    yield from _pod(pod, pod_path)


def _failure_policy(spec, pod, path):
    if "podFailurePolicy" not in spec:
        return
    names = {c["name"] for c in pod.get("initContainers", []) + pod["containers"]}
    if pod.get("restartPolicy") != "Never":
        yield path + ("podFailurePolicy",), "needs restartPolicy Never"
    if spec.get("podReplacementPolicy") == "TerminatingOrFailed":
        yield path + ("podReplacementPolicy",), "must be Failed with a podFailurePolicy"
    for i, rule in enumerate(spec["podFailurePolicy"]["rules"]):
        at, codes = path + ("podFailurePolicy", "rules", i), rule.get("onExitCodes", {})
        if rule["action"] == "FailIndex" and "backoffLimitPerIndex" not in spec:
            yield at + ("action",), "FailIndex needs backoffLimitPerIndex"
        if codes.get("containerName", None) not in names | {None}:
            yield at + ("onExitCodes", "containerName"), f"there is no container {codes['containerName']}"
        if codes and codes["values"] != sorted(codes["values"]):
            yield at + ("onExitCodes", "values"), "must be in ascending order"
        if codes and codes["operator"] == "In" and 0 in codes["values"]:
            yield at + ("onExitCodes", "values"), "must not hold 0 with the operator In"


# ---------------------------------------------------------------- Deployment


def _deployment(value):
    spec = value["spec"]
    labels = spec["template"].get("metadata", {}).get("labels", {})
    yield from _selector(spec["selector"], ("spec", "selector"))
    for key, wanted in spec["selector"].get("matchLabels", {}).items():
        if labels.get(key) != wanted:
            yield ("spec", "template", "metadata", "labels", key), f"must be {wanted}, as the selector has it"
    strategy = spec.get("strategy", {})
    if strategy.get("type") == "Recreate" and "rollingUpdate" in strategy:
        yield ("spec", "strategy", "rollingUpdate"), "is only for the type RollingUpdate"
    yield from _rolling_update(strategy.get("rollingUpdate", {}), ("spec", "strategy", "rollingUpdate"), "25%", "25%")
    if spec.get("progressDeadlineSeconds", 600) <= spec.get("minReadySeconds", 0):
        yield ("spec", "progressDeadlineSeconds"), "must be more than minReadySeconds"
    yield from _endless_pod(spec["template"]["spec"], ("spec", "template", "spec"))


def _rolling_update(fields, path, surge, unavailable):
    """The other two values are the defaults."""
    steps = {"maxSurge": fields.get("maxSurge", surge), "maxUnavailable": fields.get("maxUnavailable", unavailable)}
    if all(str(step).rstrip("%").strip("0") == "" for step in steps.values()):
        yield path + ("maxUnavailable",), "must not be 0 where maxSurge is 0 too"
    if str(steps["maxUnavailable"]).endswith("%") and int(steps["maxUnavailable"][:-1]) > 100:
        yield path + ("maxUnavailable",), "must be at most 100%"


def _endless_pod(pod, path):
    """A pod that a controller keeps running."""
    if pod.get("restartPolicy", "Always") != "Always":
        yield path + ("restartPolicy",), "must be Always for pods that are kept running"
    if "activeDeadlineSeconds" in pod:
        yield path + ("activeDeadlineSeconds",), "is not for pods that are kept running"
    yield from _pod(pod, path)


def _selector(selector, path):
    if not selector.get("matchLabels") and not selector.get("matchExpressions"):
        yield path, "selects nothing, or everything"
    yield from _requirements(selector, path)


def _disruption_budget(value):
    yield from _selector(value["spec"]["selector"], ("spec", "selector"))


def _autoscaler(value):
    spec = value["spec"]
    if spec.get("minReplicas", 1) > spec["maxReplicas"]:
        yield ("spec", "minReplicas"), "must not be more than maxReplicas"
    for i, metric in enumerate(spec["metrics"]):
        average = metric.get("pods", {}).get("target", {}).get("averageValue")
        if average is not None and quantity(average) <= 0:
            yield ("spec", "metrics", i, "pods", "target", "averageValue"), "must be more than 0"


def _config_map(value):
    for key in sorted(value.get("data", {}).keys() & value.get("binaryData", {}).keys()):
        yield ("binaryData", key), "is in data too"
    size = sum(len(text.encode()) for field in ("data", "binaryData") for text in value.get(field, {}).values())
    if size > 2**20:
        yield ("data",), f"has {size} bytes, the limit is {2**20}"


# ---------------------------------------------------------------- LeaderWorkerSet


def _leader_worker_set(value):
    name, spec = value["metadata"]["name"], value["spec"]
    annotations = value["metadata"].get("annotations", {})
    group, path = spec["leaderWorkerTemplate"], ("spec", "leaderWorkerTemplate")
    replicas, size = spec.get("replicas", 1), group.get("size", 1)
    if not re.fullmatch(r"[a-z]([-a-z0-9]*[a-z0-9])?", name):
        yield ("metadata", "name"), f'"{name}" must begin with a letter and have no dot: its Service has that name too'
    # The StatefulSet of a group is called by the leader; its pods have its name with a hash as a label.
    longest = f"{name}-{max(replicas - 1, 0)}-xxxxxxxxxx"
    if len(longest) > 63:
        yield ("metadata", "name"), f'the longest derived name "{longest}" has {len(longest)} characters, the limit is 63'
    policy = group.get("subGroupPolicy")
    if policy is not None and "subGroupSize" not in policy:
        yield path + ("subGroupPolicy", "subGroupSize"), "is required"
    elif policy is not None:
        apart, of = policy.get("subGroupPolicyType") == "LeaderExcluded", policy["subGroupSize"]
        if of > size or (size - 1) % of and (apart or size % of):
            what = f"size less the leader, {size - 1}" if apart else f"size {size}, or {size - 1}"
            yield path + ("subGroupPolicy", "subGroupSize"), f"{of} must divide {what}"
    key = "leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology"
    if key in annotations and policy is None:
        yield ("metadata", "annotations", key), "needs a subGroupPolicy"
    rollout = spec.get("rolloutStrategy", {}).get("rollingUpdateConfiguration", {})
    yield from _rolling_update(rollout, ("spec", "rolloutStrategy", "rollingUpdateConfiguration"), 0, 1)
    for at, template in pod_templates(value):
        yield from _endless_pod(template["spec"], at + ("spec",))


# ---------------------------------------------------------------- Ray


def _ray_cluster_object(value):
    # KubeRay adds -head-svc, and for the pods the name of their group.
    yield from _ray_name(value, 53)
    yield from _ray_cluster(value)


def _ray_job(value):
    spec, mode = value["spec"], value["spec"].get("submissionMode", "K8sJobMode")
    # The cluster's name has a hash after it.
    yield from _ray_name(value, 47)
    if mode != "InteractiveMode" and "entrypoint" not in spec:
        yield ("spec", "entrypoint"), "is required"
    if mode == "InteractiveMode" and spec.get("backoffLimit"):
        yield ("spec", "backoffLimit"), "is not for InteractiveMode"
    if spec.get("ttlSecondsAfterFinished") and not spec.get("shutdownAfterJobFinishes"):
        yield ("spec", "ttlSecondsAfterFinished"), "needs shutdownAfterJobFinishes"
    if "clusterSelector" in spec:
        for field in ("suspend", "backoffLimit"):
            if spec.get(field):
                yield ("spec", field), "is not for a cluster that exists"
    yield from _ray_cluster(value)


def _ray_service(value):
    yield from _ray_name(value, 47)
    yield from _ray_cluster(value)


def _ray_name(value, limit):
    name = value["metadata"]["name"]
    if len(name) > limit or not re.fullmatch(r"[a-z]([-a-z0-9]*[a-z0-9])?", name):
        yield ("metadata", "name"), f'"{name}" must be a DNS label that begins with a letter (at most {limit})'


def _ray_cluster(value):
    path, cluster = ray_cluster(value)
    for i, group in enumerate(cluster.get("workerGroupSpecs", []) if cluster else []):
        at, least, most = path + ("workerGroupSpecs", i), group["minReplicas"], group["maxReplicas"]
        if least > most:
            yield at + ("minReplicas",), f"must be at most maxReplicas {most}, is {least}"
        elif not least <= group.get("replicas", least) <= most:
            yield at + ("replicas",), f"must be from {least} to {most}, is {group['replicas']}"
        if "idleTimeoutSeconds" in group and not cluster.get("enableInTreeAutoscaling"):
            yield at + ("idleTimeoutSeconds",), "needs enableInTreeAutoscaling"
    for at, template in pod_templates(value):
        yield from _pod(template["spec"], at + ("spec",))


# ---------------------------------------------------------------- pods


def _pod(pod, path):
    init = [(path + ("initContainers", i), c) for i, c in enumerate(pod.get("initContainers", []))]
    main = [(path + ("containers", i), c) for i, c in enumerate(pod["containers"])]
    names = {c["name"] for _, c in init}
    for at, container in main:
        if container["name"] in names:
            yield at + ("name",), f"an initContainer is named {container['name']} too"
        if "restartPolicy" in container:
            yield at + ("restartPolicy",), "is only for initContainers"
    for at, container in init:
        if "restartPolicy" not in container:
            for field in sorted({"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"} & container.keys()):
                yield at + (field,), "is only for containers and for initContainers with restartPolicy Always"
    for at, container in init + main:
        yield from _container(container, pod, at)
    yield from _host_ports(pod, init + main)
    for i, toleration in enumerate(pod.get("tolerations", [])):
        yield from _toleration(toleration, path + ("tolerations", i))
    if pod.get("serviceAccount", pod.get("serviceAccountName")) != pod.get("serviceAccountName"):
        yield path + ("serviceAccount",), "the old name of serviceAccountName, and must agree with it"
    if pod.get("dnsPolicy") == "None" and not pod.get("dnsConfig", {}).get("nameservers"):
        yield path + ("dnsConfig", "nameservers"), "is required with dnsPolicy None"
    yield from _requirements(pod.get("affinity", {}), path + ("affinity",))


def _container(container, pod, path):
    volumes = {v["name"]: v for v in pod.get("volumes", [])}
    ports = container.get("ports", [])
    yield from _resources(container.get("resources", {}), path + ("resources",))
    yield from _duplicates(((i, p.get("name")) for i, p in enumerate(ports)), path + ("ports",), "port name")
    security = container.get("securityContext", {})
    for i, mount in enumerate(container.get("volumeMounts", [])):
        if mount["name"] not in volumes:
            yield path + ("volumeMounts", i, "name"), f"there is no volume {mount['name']}"
        if mount.get("mountPropagation") == "Bidirectional" and not security.get("privileged"):
            yield path + ("volumeMounts", i, "mountPropagation"), "Bidirectional needs a privileged container"
    for i, device in enumerate(container.get("volumeDevices", [])):
        if not volumes.get(device["name"], {}).keys() & {"persistentVolumeClaim", "ephemeral"}:
            yield path + ("volumeDevices", i, "name"), f"there is no volume {device['name']} from a claim"
    if security.get("privileged") and security.get("allowPrivilegeEscalation") is False:
        yield path + ("securityContext", "allowPrivilegeEscalation"), "must not be false in a privileged container"
    for probe in ("livenessProbe", "startupProbe"):
        if container.get(probe, {}).get("successThreshold", 1) != 1:
            yield path + (probe, "successThreshold"), "must be 1"
    if "terminationGracePeriodSeconds" in container.get("readinessProbe", {}):
        yield path + ("readinessProbe", "terminationGracePeriodSeconds"), "is not for a readinessProbe"


def _resources(resources, path):
    limits, requests = resources.get("limits", {}), resources.get("requests", {})
    for name in sorted(limits.keys() | requests.keys()):
        fixed = "/" in name or name.startswith("hugepages-")  # extended resources: never overcommitted
        in_requests = path + ("requests", name)
        if fixed and name not in limits:
            yield path + ("limits", name), "is required: an extended resource needs its limit"
        elif name not in limits or name not in requests:
            pass
        elif fixed and quantity(requests[name]) != quantity(limits[name]):
            yield in_requests, f"must equal the limit {limits[name]}, is {requests[name]}"
        elif quantity(requests[name]) > quantity(limits[name]):
            yield in_requests, f"must be at most the limit {limits[name]}, is {requests[name]}"
        if "/" in name and quantity(limits.get(name, 0)) % 1:
            yield path + ("limits", name), f"must be a whole number, is {limits[name]}"


def _host_ports(pod, containers):
    seen = set()
    for at, container in containers:
        for i, port in enumerate(container.get("ports", [])):
            number = port["containerPort"] if pod.get("hostNetwork") else None
            host = port.get("hostPort", number)
            if number is not None and host != number:
                yield at + ("ports", i, "hostPort"), f"must equal the containerPort {number} with hostNetwork"
            key = (host, port.get("protocol", "TCP"), port.get("hostIP"))
            if host is not None and key in seen:
                yield at + ("ports", i), f"port {host} of the host is taken twice"
            seen.add(key)


def _toleration(toleration, path):
    if "key" not in toleration and toleration.get("operator") != "Exists":
        yield path + ("operator",), "must be Exists where there is no key"
    if toleration.get("operator") == "Exists" and toleration.get("value"):
        yield path + ("value",), "must be empty with operator Exists"
    if "tolerationSeconds" in toleration and toleration.get("effect") != "NoExecute":
        yield path + ("effect",), "must be NoExecute with tolerationSeconds"


def _requirements(value, path):
    """The selector requirements anywhere below: what their operator says about their values."""
    if isinstance(value, list):
        value = dict(enumerate(value))
    if not isinstance(value, dict):
        return
    if "operator" in value and "key" in value:
        values, operator = value.get("values", []), value["operator"]
        if operator in ("In", "NotIn") and not values:
            yield path + ("values",), f"is required with {operator}"
        if operator in ("Exists", "DoesNotExist") and values:
            yield path + ("values",), f"must be absent with {operator}"
        if operator in ("Gt", "Lt") and (len(values) != 1 or not re.fullmatch(r"-?[0-9]+", values[0])):
            yield path + ("values",), f"must be one whole number with {operator}"
    for key, child in value.items():
        yield from _requirements(child, path + (key,))


def _duplicates(names, path, what):
    seen = set()
    for i, name in names:
        if name is not None and name in seen:
            yield path + (i, "name"), f"the {what} {name} is given twice"
        seen.add(name)


# ---------------------------------------------------------------- JobSet


def _jobset(value):
    name, spec = value["metadata"]["name"], value["spec"]
    names = [job["name"] for job in spec["replicatedJobs"]]
    if not re.fullmatch(r"[a-z][-a-z0-9]*", name):
        yield ("metadata", "name"), f'"{name}" must begin with a letter and have no dot: its Service has that name too'
    for i, job in enumerate(spec["replicatedJobs"]):
        at, inner = ("spec", "replicatedJobs", i), job["template"]["spec"]
        # An Indexed Job is what the webhook makes of a Job that does not say.
        last = job.get("replicas", 1) - 1
        derived = f"{name}-{job['name']}-{last}"
        if inner.get("completionMode", "Indexed") == "Indexed" and "completions" in inner:
            derived += f"-{inner['completions'] - 1}-xxxxx"
        if len(derived) > 63:
            message = f'the longest derived name "{derived}" has {len(derived)} characters, the limit is 63'
            yield ("metadata", "name"), message
        for j, needed in enumerate(job.get("dependsOn", [])):
            if needed["name"] not in names[:i]:
                yield at + ("dependsOn", j, "name"), f"no earlier replicatedJob is named {needed['name']}"
        yield from _job(inner, at + ("template", "spec"))
    yield from _jobset_references(spec, names)
    order = spec.get("startupPolicy", {}).get("startupPolicyOrder")
    if order == "InOrder" and any("dependsOn" in job for job in spec["replicatedJobs"]):
        yield ("spec", "startupPolicy", "startupPolicyOrder"), "InOrder and dependsOn exclude each other"


def _jobset_references(spec, names):
    lists = [(("spec", "successPolicy"), spec.get("successPolicy", {}))]
    rules = spec.get("failurePolicy", {}).get("rules", [])
    lists += [(("spec", "failurePolicy", "rules", i), rule) for i, rule in enumerate(rules)]
    for path, holder in lists:
        for i, target in enumerate(holder.get("targetReplicatedJobs", [])):
            if target not in names:
                yield path + ("targetReplicatedJobs", i), f"there is no replicatedJob {target}"
    leader = spec.get("coordinator", {}).get("replicatedJob")
    if leader is not None and leader not in names:
        yield ("spec", "coordinator", "replicatedJob"), f"there is no replicatedJob {leader}"


# ---------------------------------------------------------------- Kueue


def _cluster_queue(value):
    spec, resources, flavors = value["spec"], set(), set()
    for i, group in enumerate(spec.get("resourceGroups", [])):
        at, covered = ("spec", "resourceGroups", i), group["coveredResources"]
        for j, name in enumerate(covered):
            if name in resources:
                yield at + ("coveredResources", j), f"{name} is covered by an earlier group"
        resources.update(covered)
        for j, flavor in enumerate(group["flavors"]):
            if flavor["name"] in flavors:
                yield at + ("flavors", j, "name"), f"the flavor {flavor['name']} is in an earlier group"
            flavors.add(flavor["name"])
            if [r["name"] for r in flavor["resources"]] != covered:
                yield at + ("flavors", j, "resources"), f"must be, in this order, {', '.join(covered)}"
            for k, resource in enumerate(flavor["resources"]):
                if "borrowingLimit" in resource and "cohortName" not in spec:
                    yield at + ("flavors", j, "resources", k, "borrowingLimit"), "needs a cohortName"
    fungibility, preemption = spec.get("flavorFungibility", {}), spec.get("preemption", {})
    moves_on = (fungibility.get("whenCanBorrow"), fungibility.get("whenCanPreempt", "TryNextFlavor"))
    if "preference" in fungibility and set(moves_on) != {"TryNextFlavor"}:
        yield ("spec", "flavorFungibility", "preference"), "needs whenCanBorrow and whenCanPreempt TryNextFlavor"
    borrow = preemption.get("borrowWithinCohort", {}).get("policy", "Never")
    if borrow != "Never" and preemption.get("reclaimWithinCohort", "Never") == "Never":
        yield ("spec", "preemption", "borrowWithinCohort", "policy"), "must be Never where reclaimWithinCohort is Never"
    yield from _requirements(spec.get("namespaceSelector", {}), ("spec", "namespaceSelector"))


def _resource_flavor(value):
    spec = value["spec"]
    if "topologyName" in spec and not spec.get("nodeLabels"):
        yield ("spec", "nodeLabels"), "is required with topologyName"
    for i, toleration in enumerate(spec.get("tolerations", [])):
        yield from _toleration(toleration, ("spec", "tolerations", i))


def _topology(value):
    levels = [level["nodeLabel"] for level in value["spec"]["levels"]]
    if "kubernetes.io/hostname" in levels[:-1]:
        where = levels.index("kubernetes.io/hostname")
        yield ("spec", "levels", where, "nodeLabel"), "kubernetes.io/hostname can only be the last level"
