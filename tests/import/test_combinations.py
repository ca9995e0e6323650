"""Compile, import, compile: the same objects and commands, for every kind with every combination of queue, owner, autoscaling, schedule
and places of volumes; from files, from manifests alone, and from objects as `kubectl get -o yaml` returns them. FLEXSLICE_WHOLE: all of them; else a sample."""
import collections
import concurrent.futures
import difflib
import itertools
import json
import os
import random
import unittest

import importing
import live_objects
import yaml

SAMPLE = 35
SHAPES = {"job": "2x2", "job of hosts": "4x4", "jobset": "4x4", "jobset of two": "4x4", "deployment": "2x2", "leaderworkerset": "4x4", "raycluster": "4x4", "raycluster of two": "4x4", "rayjob": "4x4", "rayjob of two": "4x4",
          "rayservice": "2x2", "pathways": "4x4"}
QUEUES = {"none": {}, "queue": {"queue": "team-a"}, "priority": {"queue": "team-a", "priority": {"name": "high", "value": 10}}, "their queue": {"queue": "team-a"}}
OWNERS = {"scripts": {}, "terraform": {"owner": "terraform"}, "config-connector": {"owner": "config-connector"}, "existing": {"create": False, "nodePool": "mine"}}
SCALES = {"stays": {"model": "on-demand"}, "scales": {"model": "on-demand", "autoscale": True}, "flex-start": {"model": "flex-start"}, "spot": {"model": "spot", "autoscale": True},
          "reserved": {"model": "reservation", "reservation": "block-1"}}
SCHEDULES = {"none": None, "forbid": "Forbid", "allow": "Allow", "replace": "Replace"}
VOLUMES = {"none": [], "claim": [{"name": "d", "mountPath": "/d", "pvc": "there"}], "made claim": [{"name": "d", "mountPath": "/d", "pvc": {"name": "made", "size": "500Gi", "class": "standard-rwx"}}],
           "bucket": [{"name": "b", "mountPath": "/b", "gcs": {"bucket": "bucket-1", "mountOptions": "implicit-dirs"}}],
           "profile": [{"name": "b", "mountPath": "/b", "gcs": {"bucket": "bucket-1", "profile": "training"}}],
           "memory": [{"shm": "16Gi"}, {"name": "m", "mountPath": "/m", "memory": {"sizeLimit": "1Gi"}}],
           "others": [{"name": "e", "mountPath": "/e", "emptyDir": {}}, {"name": "c", "mountPath": "/c", "configMap": "settings", "readOnly": True},
                      {"name": "s", "mountPath": "/s/x", "subPath": "x", "secret": "keys"}, {"name": "h", "mountPath": "/h", "hostPath": "/mnt/h"}]}
PROBE = {"httpGet": {"path": "/health", "port": 8000}}


def spec(kind, queue, owner, scale, schedule, volumes):
    word = kind.split()[0]
    if (schedule != "none" and word != "job") or (word == "pathways" and volumes == "profile"):
        return None
    workload = {"kind": word, "image": "registry/image:1", "serviceAccount": "runner"}
    if VOLUMES[volumes]:
        workload["volumes"] = VOLUMES[volumes]
    if schedule != "none":
        workload["schedule"] = {"cron": "0 3 * * *", "concurrencyPolicy": SCHEDULES[schedule]}
    if word in ("raycluster", "rayjob", "rayservice"):
        workload["ray"] = {"version": "2.51.0"}
    if word == "rayservice":
        workload["ray"]["serveConfig"] = {"applications": [{"name": "a", "import_path": "m:app"}]}
    if word in ("deployment", "leaderworkerset"):
        # A default that is stated stays where no server fills it in.
        stated = {"periodSeconds": 10} if word == "leaderworkerset" else {}
        workload |= {"ports": [8000], "readinessProbe": {**PROBE, **stated}, "startupProbe": {**PROBE, **stated, "failureThreshold": 60}}
    if word == "pathways":
        workload["pathways"] = {"gcsLocation": "gs://bucket-1/p"}
    if word not in ("raycluster", "rayservice"):
        workload["command"] = ["python", "run.py"]
    return {"apiVersion": "flexslice/v1", "name": "law", "namespace": "team", "cluster": {"name": "c1", "location": "us-east5", "project": "p1"},
            "tpu": {"type": "v6e", "topology": SHAPES[kind], **({"slices": 2} if "two" in kind else {})},
            "provisioning": {"zones": ["us-east5-b"], **SCALES[scale], **QUEUES[queue], **OWNERS[owner]}, "workload": workload}


# One of each that an earlier version did not bring back.
KNOWN = [("rayjob of two", "queue", "scripts", "scales", "none", "none"), ("rayjob of two", "queue", "scripts", "stays", "none", "none"),
         ("rayservice", "none", "scripts", "stays", "none", "none"),
         ("job of hosts", "queue", "scripts", "scales", "none", "none"), ("job", "queue", "scripts", "scales", "none", "none"), ("jobset", "their queue", "scripts", "stays", "none", "none"),
         ("job of hosts", "their queue", "scripts", "stays", "none", "none"), ("jobset of two", "queue", "existing", "stays", "none", "none"), ("pathways", "their queue", "scripts", "stays", "none", "none"),
         ("job of hosts", "queue", "existing", "reserved", "none", "none"), ("raycluster of two", "queue", "scripts", "stays", "none", "none"), ("job", "none", "scripts", "scales", "allow", "none"), ("job", "none", "scripts", "flex-start", "none", "profile"), ("leaderworkerset", "none", "scripts", "stays", "none", "none")]


def combinations():
    every = list(itertools.product(SHAPES, QUEUES, OWNERS, SCALES, SCHEDULES, VOLUMES))
    if os.environ.get("FLEXSLICE_WHOLE"):
        return every
    plain = [(shape, "none", "scripts", "stays", "none", "none") for shape in SHAPES]
    return KNOWN + plain + random.Random(11).sample([each for each in every if spec(*each)], SAMPLE)


def compiled(text, *options):
    # Config Connector has no flex-start.
    others = ",config-connector" if "owner: config-connector" in text else ""
    return importing.compile_spec(text, "--emit", "manifests,queues,volumes,provision,terraform" + others, *options,
                                  sources=(*importing.SOURCES, "law.tf.json", "config-connector.yaml"))


def meaning(text):
    return "\n---\n".join(json.dumps(document, indent=1, sort_keys=True) for document in yaml.safe_load_all(text))


def documents(name, text):
    return meaning(text) if name.endswith(".yaml") else text


def difference(files, again):
    return "\n".join(line for name in sorted(files) for line in difflib.unified_diff(
        documents(name, files[name]).splitlines(), documents(name, again.get(name, "")).splitlines(), name, "imported", lineterm="", n=1))


def given(files, combination):
    """The artifacts that people have: without queues.yaml where the queue is somebody else's; of those who own the pools what makes them."""
    _, queue, owner, *_ = combination
    kept = {"manifests.yaml", "volumes.yaml"}
    kept |= {"queues.yaml"} if queue != "their queue" else set()
    kept |= {"scripts": {"provision.sh"}, "terraform": {"law.tf.json"}, "config-connector": {"config-connector.yaml"}, "existing": set()}[owner]
    return {name: text for name, text in files.items() if any(name.endswith(ending) for ending in kept)}


def as_live(files):
    return {name: yaml.safe_dump_all([live_objects.live(each) for each in yaml.safe_load_all(text)], sort_keys=False) if name.endswith(("manifests.yaml", "queues.yaml", "volumes.yaml"))
            else text for name, text in files.items()}


def judge(combination):
    """What differs, by the form of the input; nothing: the combination is none of a spec."""
    made = spec(*combination)
    if made is None:
        return None
    text = yaml.safe_dump(made, sort_keys=False)
    files, errors, status = compiled(text)
    if status != 0:
        return None
    wrong = {}
    manifests = {name: text for name, text in files.items() if name.endswith("manifests.yaml")}
    for form, inputs in (("files", given(files, combination)), ("live", as_live(given(files, combination))), ("manifests", manifests)):
        imported, findings, _ = importing.import_files(inputs, "--format", "short")
        options = [] if "\n  location: " in imported else ["--set", "cluster.name=c1", "--set", "cluster.location=us-east5"]
        again, errors, _ = compiled(imported, *options)
        # The hint at the end of provision.sh names the files that there are.
        compared = {name: text for name, text in files.items() if name in inputs and (combination[1] != "their queue" or name.endswith("manifests.yaml"))}
        changed = difference(compared, again)
        lost = [line for line in findings.splitlines() if any(code in line for code in ("FS5106", "FS5107", "FS5111"))]
        if changed or lost:
            wrong[form] = "\n".join([changed, *lost, errors, imported])
    return wrong


class Combinations(unittest.TestCase):
    maxDiff = None

    def test_what_compile_made_comes_back(self):
        every = combinations()
        done = collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for combination, wrong in zip(every, pool.map(judge, every)):
                if wrong is None:
                    continue
                done[combination[0]] += 1
                for form, text in wrong.items():
                    with self.subTest(combination=combination, form=form):
                        self.fail(text)
        self.assertEqual(set(SHAPES), set(done))

    def test_objects_alone_come_back(self):
        """Of a pool that nothing in the input makes, its name says that it is the workload's own."""
        for kind in ("job of hosts", "jobset", "leaderworkerset", "pathways"):
            for scale in ("scales", "flex-start", "spot"):
                files, errors, status = compiled(yaml.safe_dump(spec(kind, "queue", "scripts", scale, "none", "none"), sort_keys=False))
                self.assertEqual(0, status, errors)
                inputs = {name: text for name, text in files.items() if name.endswith(("manifests.yaml", "queues.yaml"))}
                imported, _, _ = importing.import_files(inputs, "--format", "short")
                again, _, _ = compiled(imported, "--set", "cluster.name=c1", "--set", "cluster.location=us-east5")
                with self.subTest(kind=kind, scale=scale):
                    self.assertEqual("", difference({name: text for name, text in inputs.items() if name.endswith("manifests.yaml")}, again))


if __name__ == "__main__":
    unittest.main()
