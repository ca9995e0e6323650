"""Objects as `kubectl get -o yaml` returns them: with all defaults of their types, a status, and what servers and controllers add."""
import importing
import yaml

TABLE = yaml.load((importing.ROOT / "src/schema/kubernetes.yaml").read_text(), yaml.BaseLoader)
TYPES = {each["name"]: each for each in TABLE["types"]}
# Records that servers and webhooks add where they are missing.
ADDED = {"DeploymentSpec": ["strategy"], "DeploymentStrategy": ["rollingUpdate"], "JobSetSpec": ["network", "successPolicy", "startupPolicy"],
         "LeaderWorkerSetSpec": ["rolloutStrategy", "networkConfig"], "RolloutStrategy": ["rollingUpdateConfiguration"], "PodSpec": ["securityContext"], "Container": ["resources"]}
# Words that Kubernetes takes for a missing one, and does not write.
UNWRITTEN = {"stdin", "stdinOnce", "tty", "value", "readOnly", "privileged", "hostNetwork", "hostPID", "hostIPC", "serviceAccountName", "enableServiceLinks", "manualSelector",
             "medium", "minReadySeconds", "paused", "publishNotReadyAddresses", "allocateLoadBalancerNodePorts", "externalTrafficPolicy", "operator"}
def scalar(text, kind):
    rule = TABLE["scalars"].get(kind, {})
    if rule.get("type") == "integer" or ("orInteger" in rule and text.isdigit()):
        return int(text)
    return text == "true" if rule.get("type") == "flag" else text


# Kinds of controllers whose pod templates no server fills, but for what their schema has.
UNFILLED = {"LeaderWorkerSet", "JobSet", "RayCluster", "RayJob", "RayService"}


def fill(value, name, below=None, unwritten=UNWRITTEN, keeps_pods=False, in_pod=False):
    """Writes the defaults of the type into a record."""
    kind = TYPES[name]
    in_pod = in_pod or name == "PodSpec"
    if keeps_pods and in_pod and name != "ContainerPort":
        for key, member in value.items():
            of = kind.get("fields", {}).get(key, "any").rsplit(" ", 1)[-1]
            for each in member if isinstance(member, list) else [member]:
                if of in TYPES and isinstance(each, dict):
                    fill(each, of, below, unwritten, keeps_pods, in_pod)
        return
    for key in ADDED.get(name, []):
        value.setdefault(key, {})
    inner = {**(below or {}), **kind.get("defaultsBelow", {})}
    if name == "JobSpec":
        if "completions" not in value and "parallelism" not in value:
            value["completions"] = 1
        value.setdefault("parallelism", 1)
    defaults = {**kind.get("defaults", {}), **{key: text for key, text in (below or {}).items() if key in kind.get("defaults", {})}}
    for given, others in kind.get("defaultsWith", {}).items():
        defaults |= others if given in value else {}
    for key, text in defaults.items():
        if key not in unwritten and not (name == "JobSpec" and key in ("completions", "parallelism")):
            value.setdefault(key, scalar(text, kind["fields"][key]))
    if name == "JobSetSuccessPolicy":
        value.setdefault("operator", "All")
    if name == "Container" and "image" in value:
        latest = value["image"].endswith(":latest") or ":" not in value["image"].rsplit("/", 1)[-1]
        value.setdefault("imagePullPolicy", "Always" if latest else "IfNotPresent")
    if name == "ServicePort":
        value.setdefault("targetPort", value["port"])
    for key, member in value.items():
        of = kind.get("fields", {}).get(key, "any").rsplit(" ", 1)[-1]
        for each in member if isinstance(member, list) else [member]:
            if of in TYPES and isinstance(each, dict):
                fill(each, of, inner, unwritten, keeps_pods, in_pod)


def type_of(found):
    return next(name for name, each in TYPES.items() if each.get("apiVersion") == found["apiVersion"] and each.get("kind", name) == found["kind"])


def live(manifest):
    found = yaml.safe_load(yaml.safe_dump(manifest))
    found["metadata"] |= {"uid": "11111111-2222-3333-4444-555555555555", "resourceVersion": "7", "generation": 1, "creationTimestamp": "2026-05-01T11:00:00Z",
                          "managedFields": [{"manager": "kubectl", "operation": "Update"}]}
    if any(each["apiVersion"] == found["apiVersion"] for each in TYPES.values() if "apiVersion" in each and each.get("kind", each["name"]) == found["kind"]):
        fill(found, type_of(found), keeps_pods=found["kind"] in UNFILLED)
    add_what_controllers_write(found)
    if found["kind"] == "Job":
        found["spec"]["selector"] = {"matchLabels": {"batch.kubernetes.io/controller-uid": found["metadata"]["uid"]}}
        found["spec"]["template"].setdefault("metadata", {}).setdefault("labels", {})["controller-uid"] = found["metadata"]["uid"]
    if found["kind"] == "Service":
        found["spec"] |= {"clusterIPs": [found["spec"].get("clusterIP", "34.118.1.1")], "ipFamilies": ["IPv4"]}
    found["status"] = {"ready": 1}
    return found


def add_what_controllers_write(found):
    kind, metadata = found["kind"], found["metadata"]
    queued = "kueue.x-k8s.io/queue-name" in metadata.get("labels", {})
    finalizers = {"Job": ["batch.kubernetes.io/job-tracking"] if queued else [], "RayCluster": ["ray.io/gcs-ft-redis-cleanup-finalizer"], "RayJob": ["ray.io/rayjob-finalizer"],
                  "ClusterQueue": ["kueue.x-k8s.io/resource-in-use"], "ResourceFlavor": ["kueue.x-k8s.io/resource-in-use"], "PersistentVolumeClaim": ["kubernetes.io/pvc-protection"],
                  "PersistentVolume": ["kubernetes.io/pv-protection"]}.get(kind)
    if finalizers:
        metadata["finalizers"] = finalizers
    if kind == "PodMonitoring":
        found["spec"]["targetLabels"] = {"metadata": ["pod", "container", "top_level_controller_name", "top_level_controller_type"]}
    if kind == "StorageClass":
        found.setdefault("reclaimPolicy", "Delete")
        found.setdefault("volumeBindingMode", "Immediate")
    if kind == "JobSet" and queued:
        for job in found["spec"]["replicatedJobs"]:
            template = job["template"]["spec"]["template"]
            template.setdefault("metadata", {}).setdefault("annotations", {})["kueue.x-k8s.io/workload"] = "jobset-law-1a2b3"
            template["metadata"].setdefault("labels", {})["kueue.x-k8s.io/podset"] = job["name"]
            template["spec"]["schedulingGates"] = [{"name": "kueue.x-k8s.io/topology"}]
