"""Objects as a cluster has them, with all defaults of their types, a status and what controllers add, mean what their manifests do."""
import re
import unittest

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
KINDS = ("Job", "JobSet", "Deployment", "LeaderWorkerSet", "RayCluster", "RayJob", "RayService", "CronJob", "Service", "ClusterQueue", "LocalQueue", "ResourceFlavor")


def scalar(text, kind):
    rule = TABLE["scalars"].get(kind, {})
    if rule.get("type") == "integer" or ("orInteger" in rule and text.isdigit()):
        return int(text)
    return text == "true" if rule.get("type") == "flag" else text


def fill(value, name, below=None, unwritten=UNWRITTEN):
    """Writes the defaults of the type into a record."""
    kind = TYPES[name]
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
        of = kind["fields"].get(key, "any").rsplit(" ", 1)[-1]
        for each in member if isinstance(member, list) else [member]:
            if of in TYPES and isinstance(each, dict):
                fill(each, of, inner, unwritten)


def type_of(found):
    return next(name for name, each in TYPES.items() if each.get("apiVersion") == found["apiVersion"] and each.get("kind", name) == found["kind"])


def meaning(spec):
    """What it compiles to, with every default."""
    files, errors, _ = importing.compile_spec(spec, "--emit", "manifests,queues")
    objects = [each for _, text in sorted(files.items()) for each in yaml.safe_load_all(text)]
    for each in objects:
        if each["kind"] in KINDS:
            fill(each, type_of(each), unwritten=())
    return objects or errors


def live(manifest):
    found = yaml.safe_load(yaml.safe_dump(manifest))
    found["metadata"] |= {"uid": "11111111-2222-3333-4444-555555555555", "resourceVersion": "7", "generation": 1, "creationTimestamp": "2026-05-01T11:00:00Z",
                          "managedFields": [{"manager": "kubectl", "operation": "Update"}]}
    fill(found, type_of(found))
    if found["kind"] == "Job":
        found["spec"]["selector"] = {"matchLabels": {"batch.kubernetes.io/controller-uid": found["metadata"]["uid"]}}
        found["spec"]["template"].setdefault("metadata", {}).setdefault("labels", {})["controller-uid"] = found["metadata"]["uid"]
    if found["kind"] == "Service":
        found["spec"] |= {"clusterIPs": [found["spec"].get("clusterIP", "34.118.1.1")], "ipFamilies": ["IPv4"]}
    found["status"] = {"ready": 1}
    return found


def lost(findings):
    """What is lost or changes, without places, which differ."""
    return sorted(re.sub(r"^\S+: ", "", line) for line in findings.splitlines() if re.search("FS51(06|07|11)", line))


RAY = """apiVersion: flexslice/v1
name: ray
tpu: {type: v6e, topology: 4x4}
provisioning: {create: false, model: on-demand}
workload: {kind: raycluster, image: 'rayproject/ray:2.51.0', ray: {version: 2.51.0}}
"""


def specs():
    """(name, text, options)"""
    yield "a RayCluster", RAY, []
    for path in sorted((importing.ROOT / "examples").glob("*/spec.yaml")):
        if "\nmatrix:" not in path.read_text():
            yield path.parent.name, path.read_text(), importing.options(path.parent)


class Live(unittest.TestCase):
    maxDiff = None

    def test_specs(self):
        done = set()
        for name, text, options in specs():
            files, _, _ = importing.compile_spec(text, "--emit", "manifests,queues", *options)
            objects = [each for text in files.values() for each in yaml.safe_load_all(text) if each["kind"] in KINDS]
            whole = {"objects.yaml": yaml.safe_dump_all(objects, sort_keys=False)}
            dump = {"objects.yaml": yaml.safe_dump_all([live(each) for each in objects], sort_keys=False)}
            with self.subTest(spec=name):
                spec, findings, _ = importing.import_files(whole, "--format", "short")
                again, other, _ = importing.import_files(dump, "--format", "short")
                self.assertEqual(meaning(spec), meaning(again))
                self.assertEqual(lost(findings), lost(other))
                if "podFailurePolicy" not in spec:
                    self.assertNotIn("podFailurePolicy", again)
                done |= {each["kind"] for each in objects}
        self.assertEqual(set(KINDS), done)

    def test_defaults_of_another_type(self):
        """A field of two types has two defaults, and one that hangs on another field has a second one."""
        kinds = {"rayjob": ("RayJob", "backoffLimit", 6, 0), "job": ("Job", "backoffLimit", 0, 6), "deployment": ("Deployment", "revisionHistoryLimit", 3, 10)}
        for kind, (name, field, value, default) in kinds.items():
            text = RAY.replace("4x4", "2x2").replace("raycluster", kind)
            text = text.replace("ray: {", "command: [python], ray: {" if kind == "rayjob" else "command: [python]").replace("[python]version: 2.51.0}", "[python]")
            files, errors, _ = importing.compile_spec(text, "--emit", "manifests")
            objects = [each for stream in files.values() for each in yaml.safe_load_all(stream)]
            for said, kept in ((value, value), (default, None)):
                with self.subTest(kind=name, value=said):
                    for each in objects:
                        if each["kind"] == name:
                            each["spec"][field] = said
                    spec, findings, _ = importing.import_files({"objects.yaml": yaml.safe_dump_all([live(each) for each in objects])}, "--format", "short")
                    made = meaning(spec)
                    self.assertIsInstance(made, list, f"{errors}\n{spec}\n{made}")
                    self.assertIn(default if kept is None else kept, [each["spec"].get(field) for each in made if each["kind"] == name])
                    self.assertEqual([], lost(findings))


if __name__ == "__main__":
    unittest.main()
