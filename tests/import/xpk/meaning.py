"""What a JobSet means to its user, as a flat mapping of field paths to values: pods, chips, selected nodes, what the
containers run, environment, mounts, restarts, queue. Two manifests with the same meaning behave alike; names of volumes,
the order of fields and values that Kubernetes would set by itself are no part of it."""
import re

import yaml

import container

QUEUE = "kueue.x-k8s.io/queue-name"
EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology"
CHIPS = "google.com/tpu"
# Fields of a pod that a user feels, with what Kubernetes has without them.
POD = {"hostNetwork": False, "dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "priorityClassName": "", "schedulerName": "default-scheduler",
       "serviceAccountName": "", "terminationGracePeriodSeconds": 30}


def documents(text):
    return [document for document in yaml.safe_load_all(text) if document]


def meaning(text):
    """Path -> value of the one JobSet in the documents of `text`."""
    (jobset,) = [document for document in documents(text) if document["kind"] == "JobSet"]
    metadata, spec = jobset["metadata"], jobset["spec"]
    labels = dict(metadata.get("labels") or {})
    found = {"name": metadata["name"], "namespace": metadata.get("namespace"), "queue": labels.pop(QUEUE, None)}
    found |= keyed("labels", labels)
    found["ttlSecondsAfterFinished"] = spec.get("ttlSecondsAfterFinished")
    found |= failures(spec.get("failurePolicy") or {})
    success = spec.get("successPolicy") or {}
    found["successPolicy"] = [success["operator"], *success.get("targetReplicatedJobs", [])] if success else None
    found["startupPolicy"] = (spec.get("startupPolicy") or {}).get("startupPolicyOrder")
    found["coordinator"] = (spec.get("coordinator") or {}).get("replicatedJob")
    for job in spec["replicatedJobs"]:
        found |= replicated_job(job, metadata)
    if not has_restarts(found):
        # The first failure ends the workload, whatever rules say.
        found = {path: value for path, value in found.items() if not path.endswith(".failJob")}
    if not any(path.endswith(".failJob") and value for path, value in found.items()):
        found["failureRules"] = [rule for rule in found["failureRules"] if not rule.endswith("PodFailurePolicy")]
    return {path: value for path, value in found.items() if value not in (None, [])}


def has_restarts(found):
    return found["maxRestarts"] or any(value for path, value in found.items() if path.endswith(".backoffLimit"))


def failures(policy):
    rules = [" ".join([rule["action"], *rule.get("onJobFailureReasons", [])]) for rule in policy.get("rules") or []]
    strategy = policy.get("restartStrategy", "Recreate")
    return {"maxRestarts": policy.get("maxRestarts", 0), "failureRules": rules, "restartStrategy": None if strategy == "Recreate" else strategy}


def replicated_job(job, metadata):
    template = job["template"]
    spec = template["spec"]
    annotations = {**(metadata.get("annotations") or {}), **((template.get("metadata") or {}).get("annotations") or {})}
    pod = spec["template"]
    role = "worker" if any(chips(each) for each in pod["spec"]["containers"]) else "head"
    found = {
        "podName": f"{metadata['name']}-{job['name']}-0-0",
        "replicas": job.get("replicas", 1),
        "completions": spec["completions"],
        "parallelism": spec["parallelism"],
        "backoffLimit": spec.get("backoffLimit", 6),
        "exclusive": annotations.get(EXCLUSIVE),
        # A rule names one container, and all of them have the same.
        "failJob": list(dict.fromkeys(codes(rule) for rule in (spec.get("podFailurePolicy") or {}).get("rules") or [])),
    }
    found |= pod_meaning(role, pod.get("metadata") or {}, pod["spec"])
    return {f"{role}.{path}": value for path, value in found.items()}


def codes(rule):
    """`FailJob NotIn 42 127-255`: consecutive exit codes are one range. A condition is named."""
    on = rule.get("onExitCodes")
    if not on:
        return " ".join([rule["action"], *(condition["type"] for condition in rule.get("onPodConditions") or [])])
    ranges = []
    for code in sorted(on["values"]):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return " ".join([rule["action"], on["operator"], *(f"{first}-{last}" if last > first else str(first) for first, last in ranges)])


def pod_meaning(role, metadata, pod):
    found = keyed("labels", metadata.get("labels")) | keyed("annotations", metadata.get("annotations"))
    found |= {field: value for field, usual in POD.items() if (value := pod.get(field) or usual) != usual}
    found |= keyed("nodeSelector", pod.get("nodeSelector")) | affinity(pod.get("affinity") or {})
    for toleration in pod.get("tolerations") or []:
        # GKE adds that of chips itself.
        if toleration["key"] != CHIPS:
            found[f"tolerations[{toleration['key']}]"] = toleration.get("value", toleration.get("operator"))
    # xpk writes `None` where there is none, which cannot be the name of a Secret.
    found["imagePullSecrets"] = [secret["name"] for secret in pod.get("imagePullSecrets") or [] if secret["name"] != "None"]
    volumes = {volume["name"]: volume for volume in pod.get("volumes") or []}
    # Containers with chips first: the others are helpers, whose place in the list means nothing.
    containers = sorted(pod["containers"], key=lambda each: not chips(each))
    found["chips"] = [count for each in containers if (count := chips(each))]
    for kind, several in (("init", pod.get("initContainers") or []), ("container", containers)):
        for index, each in enumerate(several):
            # The script of a helper that waits for the workload cannot be run without it.
            ran = container.runs(each) if chips(each) or role == "head" or not container.is_script(each) else {}
            found |= {f"{kind}[{index}].{path}": value for path, value in (container_meaning(each, volumes) | ran).items()}
    return found


def chips(each):
    resources = each.get("resources") or {}
    return int((resources.get("limits") or {}).get(CHIPS, 0))


def affinity(rules):
    terms = rules.get("nodeAffinity", {}).get("requiredDuringSchedulingIgnoredDuringExecution", {}).get("nodeSelectorTerms", [])
    return {f"affinity[{each['key']}]": [each["operator"], *each.get("values", [])] for term in terms for each in term["matchExpressions"]}


def container_meaning(each, volumes):
    limits = {name: str(value) for name, value in ((each.get("resources") or {}).get("limits") or {}).items() if name != CHIPS}
    found = {
        "name": each["name"],
        "image": each.get("image"),
        "imagePullPolicy": each.get("imagePullPolicy"),
        "restartPolicy": each.get("restartPolicy"),
        "privileged": (each.get("securityContext") or {}).get("privileged"),
        "ports": sorted(port["containerPort"] for port in each.get("ports") or []),
    }
    found |= keyed("limits", limits)
    for mount in each.get("volumeMounts") or []:
        found[f"mounts[{mount['mountPath']}]"] = mounted(mount, volumes.get(mount["name"]) or {})
    return found


def mounted(mount, volume):
    # A volume without a source is an emptyDir.
    kind, source = next(((key, value or {}) for key, value in volume.items() if key != "name"), ("emptyDir" if volume else "missing", {}))
    words = {
        "emptyDir": lambda: "memory" if source.get("medium") == "Memory" else "disk",
        "persistentVolumeClaim": lambda: f"pvc {source['claimName']}",
        "hostPath": lambda: f"hostPath {source['path']}",
        "csi": lambda: bucket(source) if "gcsfuse" in source["driver"] else source["driver"],
    }.get(kind, lambda: kind)()
    read_only = mount.get("readOnly") or source.get("readOnly")
    folder = f" {mount['subPath']}" if mount.get("subPath") else ""
    return f"{words}{folder} {'ro' if read_only else 'rw'}"


def bucket(source):
    """A folder of a bucket is a mount option or a part of the bucket's name."""
    attributes = source["volumeAttributes"]
    folder = re.search(r"\bonly-dir[=:]([^,]+)", attributes.get("mountOptions", ""))
    return "gs://" + attributes["bucketName"] + (f"/{folder[1]}" if folder else "")


def keyed(path, mapping):
    return {f"{path}[{key}]": value for key, value in (mapping or {}).items()}

