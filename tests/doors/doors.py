"""The doors by which a mistake can come in, and the objects and specs that hold it."""
import copy
import pathlib
import subprocess
import sys

import yaml
from table import CONTAINER, INIT, JOB, OBJECT, POD, SIDECAR, SLEEP

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from program import FLEXSLICE  # noqa: E402

MOST = 10  # files of a run, which lists at most 50 findings
IMAGE = "us-docker.pkg.dev/acme/train/finetune:2.1"


def merged(base, change):
    if not isinstance(base, dict) or not isinstance(change, dict):
        return copy.deepcopy(change)
    out = dict(base)
    for key, value in change.items():
        out[key] = merged(base.get(key), value)
    return out


def pod(topology="2x2", **more):
    container = {"name": "train", "image": IMAGE, "resources": {"requests": {"google.com/tpu": 4}, "limits": {"google.com/tpu": 4}},
                 "volumeMounts": [{"name": "data", "mountPath": "/base"}]}
    spec = {"nodeSelector": {"cloud.google.com/gke-tpu-accelerator": "tpu-v6e-slice", "cloud.google.com/gke-tpu-topology": topology},
            "containers": [container], "volumes": [{"name": "data", "emptyDir": {}}]}
    return {"metadata": {"labels": {"app": "train"}}, "spec": {**spec, **more}}


def job(template):
    return {"backoffLimit": 0, "template": template}


def thing(version, kind, spec):
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "train"}, "spec": spec}


NEVER = {"restartPolicy": "Never"}
SELECTED = {"selector": {"matchLabels": {"app": "train"}}}
RAY = {"rayVersion": "2.51.0",
       "headGroupSpec": {"rayStartParams": {}, "template": {"spec": {"containers": [{"name": "head", "image": "rayproject/ray:2.51.0"}]}}},
       "workerGroupSpecs": [{"groupName": "tpu", "replicas": 1, "minReplicas": 1, "maxReplicas": 1, "numOfHosts": 1, "rayStartParams": {},
                             "template": pod()}]}
RAY_POD = ("workerGroupSpecs", 0, "template")
TEMPLATE = ("spec", "template")

# kind: (object, path of the pod template, path of the JobSpec)
OBJECTS = {
    "Pod": ({**thing("v1", "Pod", pod(**NEVER)["spec"])}, (), None),
    "Job": (thing("batch/v1", "Job", job(pod(**NEVER))), TEMPLATE, ("spec",)),
    "CronJob": (thing("batch/v1", "CronJob", {"schedule": "0 3 * * *", "jobTemplate": {"spec": job(pod(**NEVER))}}),
                ("spec", "jobTemplate", *TEMPLATE), ("spec", "jobTemplate", "spec")),
    "JobSet": (thing("jobset.x-k8s.io/v1alpha2", "JobSet",
                     {"replicatedJobs": [{"name": "slice", "replicas": 2, "template": {"spec": job(pod(**NEVER))}}]}),
               ("spec", "replicatedJobs", 0, "template", *TEMPLATE), ("spec", "replicatedJobs", 0, "template", "spec")),
    "Deployment": (thing("apps/v1", "Deployment", {**SELECTED, "template": pod()}), TEMPLATE, None),
    "ReplicaSet": (thing("apps/v1", "ReplicaSet", {**SELECTED, "template": pod()}), TEMPLATE, None),
    "StatefulSet": (thing("apps/v1", "StatefulSet", {**SELECTED, "serviceName": "train", "template": pod()}), TEMPLATE, None),
    "LeaderWorkerSet": (thing("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet",
                              {"leaderWorkerTemplate": {"size": 4, "workerTemplate": pod("4x4")}}),
                        ("spec", "leaderWorkerTemplate", "workerTemplate"), None),
    "RayCluster": (thing("ray.io/v1", "RayCluster", RAY), ("spec", *RAY_POD), None),
    "RayJob": (thing("ray.io/v1", "RayJob", {"entrypoint": "python train.py", "rayClusterSpec": RAY}), ("spec", "rayClusterSpec", *RAY_POD), None),
    "RayService": (thing("ray.io/v1", "RayService", {"serveConfigV2": "applications: [{name: a, import_path: 'a:b'}]", "rayClusterConfig": RAY}),
                   ("spec", "rayClusterConfig", *RAY_POD), None),
}

# Those that a spec compiles to, with what a spec of the kind needs.
SPECS = {
    "Job": {"workload": {"kind": "job", "args": ["train"]}},
    "CronJob": {"workload": {"kind": "job", "args": ["train"], "schedule": "0 3 * * *"}},
    "JobSet": {"tpu": {"slices": 2, "topology": "4x4"}, "workload": {"kind": "jobset", "args": ["train"]}},
    "Deployment": {"workload": {"kind": "deployment"}},
    "LeaderWorkerSet": {"tpu": {"topology": "4x4"}, "workload": {"kind": "leaderworkerset"}},
}


def spec(kind, change=None):
    base = {"apiVersion": "flexslice/v1", "name": "train", "cluster": {"name": "research", "location": "us-east5"},
            "tpu": {"type": "v6e", "topology": "2x2"}, "provisioning": {"zones": ["us-east5-b"]},
            "workload": {"image": IMAGE, "resources": {"ephemeral-storage": "20Gi"},
                         "volumes": [{"name": "data", "mountPath": "/base", "emptyDir": {}}]}}
    return merged(merged(base, SPECS[kind]), change or {})


def at(tree, path):
    for key in path:
        tree = tree[key]
    return tree


def containers_with(row):
    more = {"restartPolicy": "Always"} if row.part == SIDECAR else {}
    return [{**SLEEP, **row.change, **more}]


def enter(row, tree, pod_path, job_path):
    """The object with the mistake, or None where it has no such part."""
    tree = copy.deepcopy(tree)
    template = at(tree, pod_path)
    if row.part == CONTAINER:
        template["spec"]["containers"][0] = merged(template["spec"]["containers"][0], row.change)
    elif row.part in (SIDECAR, INIT):
        template["spec"]["initContainers"] = containers_with(row)
    elif row.part == POD:
        template["spec"] = merged(template["spec"], row.change)
    elif row.part == JOB:
        if job_path is None:
            return None
        whole = merged(at(tree, job_path), row.change)
        at(tree, job_path[:-1])[job_path[-1]] = whole
    else:
        assert row.part == OBJECT
        tree = merged(tree, row.change)
    return tree


def manifest(row, kind):
    return enter(row, *OBJECTS[kind])


def patch(row, kind, compiled):
    """The spec whose patch makes the mistake; `compiled` is the object without it."""
    target, whole = {"kind": kind}, manifest_path(kind)
    if row.part == CONTAINER:
        return {"target": {**target, "container": "train", **role(kind)}, "merge": row.change}
    if row.part in (SIDECAR, INIT):
        return {"target": {**target, "pod": "worker"}, "merge": {"spec": {"initContainers": containers_with(row)}}}
    if row.part == POD:
        return {"target": {**target, "pod": "worker"}, "merge": {"spec": row.change}}
    changed = enter(row, compiled, *whole)
    if changed is None:
        return None
    if kind == "JobSet" and row.part != OBJECT:
        return {"target": target, "merge": {"spec": {"replicatedJobs": changed["spec"]["replicatedJobs"]}}}
    merge = row.change if row.part == OBJECT else {"spec": row.change}
    return {"target": target, "merge": {"spec": {"jobTemplate": merge}} if kind == "CronJob" and row.part != OBJECT else merge}


def role(kind):
    return {"pod": "worker"} if kind == "LeaderWorkerSet" else {}


def manifest_path(kind):
    return OBJECTS[kind][1:]


def dump(tree):
    return yaml.safe_dump(tree, sort_keys=False, width=1000)


def page(text):
    return f"# Run it\n\nApply this for `google.com/tpu`:\n\n```yaml\n{text}```\n"


def script(text):
    return f"#!/bin/bash\nset -e\nkubectl apply -f - <<'EOF'\n{text}EOF\n"


def codes(command, folder, names, *options):
    """What the command says of each of the files."""
    if len(names) > MOST:
        return {**codes(command, folder, names[:MOST], *options), **codes(command, folder, names[MOST:], *options)}
    done = subprocess.run([FLEXSLICE, command, "--format", "short", *options, *names], cwd=folder, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    found = {name: [] for name in names}
    for line in (done.stdout + done.stderr).splitlines():
        name = line.split(":")[0]
        if name in found and "FS" in line:
            found[name].append(line[line.index("FS"):][:6])
    return found
