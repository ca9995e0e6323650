"""The table of Kubernetes' types has the fields and types that the API server publishes."""

import os
import unittest
from pathlib import Path

import yaml

from control_plane import ControlPlane

TABLE = yaml.safe_load((Path(__file__).resolve().parents[2] / "src/schema/kubernetes.yaml").read_text(encoding="utf-8"))

# Types that stand for several of the server's, which are alike.
SEVERAL = {
    "KeySelector": ["SecretKeySelector", "ConfigMapKeySelector"],
    "EnvSource": ["SecretEnvSource", "ConfigMapEnvSource"],
    "SecurityProfile": ["SeccompProfile", "AppArmorProfile"],
    "ReadinessProbe": ["Probe"],
    "FileFieldSelector": ["ObjectFieldSelector"],
}
# What the server publishes and does not accept there.
LEFT_OUT = {
    "ReadinessProbe": {"terminationGracePeriodSeconds"},
    "Lifecycle": {"stopSignal"},  # of a feature that is off by default
    "HPAScalingRules": {"tolerance"},  # likewise
}

# Defaults that import does not leave out: a missing one is read as something else, or these kinds are not imported.
KEPT = {("LeaderWorkerTemplate", "size"), ("WorkerGroupSpec", "replicas"), ("AdmissionCheckSpecBeta1", "retryDelayMinutes"), ("ComputeClassFlexStart", "enabled"),
        ("ComputeClassMigration", "optimizeRulePriority"), ("ComputeClassPools", "enabled"), ("ComputeClassSpec", "priorities"), ("ComputeClassSpec", "whenUnsatisfiable"),
        ("ComputeClassSwitch", "enabled")}
# Not defaults of a field: they follow from the image, another field, or the server.
FOLLOWS = {"imagePullPolicy", "serviceAccount", "targetPort", "uid", "creationTimestamp", "generation", "clusterIP", "nodePort"}


def said_little():
    """(path, object) with every record of Kubernetes' own types that has defaults."""
    probe = {"httpGet": {"port": 80}}
    container = {"name": "a", "image": "a:1", "livenessProbe": probe, "readinessProbe": {"grpc": {"port": 1}}, "startupProbe": probe, "ports": [{"containerPort": 80}],
                 "env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}, {"name": "B", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}}]}
    token = {"serviceAccountToken": {"path": "t"}}
    volumes = [{"hostPath": {"path": "/a"}}, {"emptyDir": {}}, {"secret": {"secretName": "a"}}, {"configMap": {"name": "a"}}, {"downwardAPI": {"items": [{"path": "a", "fieldRef": {"fieldPath": "metadata.name"}}]}},
               {"projected": {"sources": [token]}}, {"ephemeral": {"volumeClaimTemplate": {"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}}}]
    pod = {"containers": [container], "volumes": [{"name": f"v{i}", **each} for i, each in enumerate(volumes)], "serviceAccountName": "a"}
    labels = {"labels": {"a": "b"}}
    serving = {"selector": {"matchLabels": {"a": "b"}}, "template": {"metadata": labels, "spec": pod}}
    job = {"template": {"spec": {**pod, "restartPolicy": "Never"}}}
    failing = {**job, "completionMode": "Indexed", "completions": 2, "backoffLimitPerIndex": 1, "podFailurePolicy": {"rules": [{"action": "Ignore", "onPodConditions": [{"type": "A"}]}]}}
    for group, resource, kind, spec in (
        ("apis/batch/v1", "jobs", "Job", job), ("apis/batch/v1", "jobs", "Job", failing), ("apis/batch/v1", "cronjobs", "CronJob", {"schedule": "0 0 * * *", "jobTemplate": {"spec": job}}),
        ("apis/apps/v1", "deployments", "Deployment", serving), ("apis/apps/v1", "statefulsets", "StatefulSet", {**serving, "serviceName": "a"}),
        ("apis/apps/v1", "daemonsets", "DaemonSet", serving), ("apis/apps/v1", "replicasets", "ReplicaSet", serving),
        ("api/v1", "services", "Service", {"ports": [{"port": 80}], "type": "LoadBalancer", "sessionAffinity": "ClientIP"}),
    ):
        yield f"/{group}/namespaces/default/{resource}", {"apiVersion": group.partition("/")[2], "kind": kind, "metadata": {"name": "a", "labels": {"a": "b"}}, "spec": spec}


def note_written(found, sent, name, written):
    """{(type, field): texts} of the scalars in what was found that were not sent."""
    kind = next((each for each in TABLE["types"] if each["name"] == name), None)
    if kind is None or name == "ObjectMeta":
        return
    for key, value in found.items():
        below = (sent or {}).get(key) if isinstance(sent, dict) else None
        of = kind["fields"].get(key, "any").rpartition(" of ")[2]
        if isinstance(value, dict):
            note_written(value, below, of, written)
        elif isinstance(value, list):
            for i, each in enumerate(value):
                if isinstance(each, dict):
                    note_written(each, below[i] if isinstance(below, list) and i < len(below) else None, of, written)
        elif below is None and key not in FOLLOWS and key != "status":
            written.setdefault((name, key), set()).add(str(value).lower() if isinstance(value, bool) else str(value))


def kind_of(name):
    """A field's type as JSON Schema calls it."""
    if " of " in name:
        outer, _, inner = name.partition(" of ")
        return ["array" if outer == "list" else "object", kind_of(inner)]
    scalar = TABLE["scalars"].get(name)
    if scalar is None:
        return "object"
    if scalar.get("type") == "any":
        return "any"
    if scalar.get("orInteger"):
        return "int-or-string"
    if scalar.get("anyScalar"):
        return "quantity"
    return {"integer": "integer", "flag": "boolean"}.get(scalar.get("type"), "string")


class Fields(unittest.TestCase):
    """The published schema, type by type."""

    @classmethod
    def setUpClass(cls):
        plane = cls.enterClassContext(ControlPlane(controllers=()))
        cls.plane, cls.version = plane, plane.request("GET", "/version")
        cls.schemas = {key: schema for path in ("api/v1", "apis/batch/v1", "apis/apps/v1", "apis/policy/v1", "apis/autoscaling/v2")
                       for key, schema in plane.request("GET", f"/openapi/v3/{path}")["components"]["schemas"].items()}

    def published(self, schema):
        """The server's type of a field, in the words of kind_of."""
        reference = schema.get("$ref") or next((each["$ref"] for each in schema.get("allOf", [])), "")
        name = reference.rsplit(".", 1)[-1]
        if name in ("Quantity", "IntOrString"):
            return {"Quantity": "quantity", "IntOrString": "int-or-string"}[name]
        if reference:
            return "object"
        if schema["type"] == "array":
            return ["array", self.published(schema["items"])]
        if "additionalProperties" in schema:
            return ["object", self.published(schema["additionalProperties"])]
        return schema["type"]

    def test_version(self):
        self.assertEqual(f"{self.version['major']}.{self.version['minor']}", TABLE["version"])

    def test_fields(self):
        names = [f"io.k8s.api.{group}.v1." for group in ("core", "batch", "apps", "policy")] + [
            "io.k8s.api.autoscaling.v2.", "io.k8s.apimachinery.pkg.apis.meta.v1."]
        of_custom_resources = []
        for each in TABLE["types"]:
            for name in SEVERAL.get(each["name"], [each["name"]]):
                found = [self.schemas[key] for prefix in names if (key := prefix + name) in self.schemas]
                if not found:
                    of_custom_resources.append(name)
                    continue
                with self.subTest(each["name"], of=name):
                    self.compare(each, found[0]["properties"])
        # Those of custom resources have no names there; test_custom_resources walks them.
        self.assertIn("JobSetSpec", of_custom_resources)
        self.assertNotIn("PodSpec", of_custom_resources)

    def compare(self, kind, properties):
        theirs = {key: self.published(value) for key, value in properties.items() if key not in LEFT_OUT.get(kind["name"], ())}
        ours = {key: kind_of(value) for key, value in kind["fields"].items()}
        for key, value in ours.items():
            if value in ("any", ["array", "any"]) and key in theirs:
                theirs[key] = value
        self.assertEqual(theirs, ours)

    def test_defaults(self):
        """What the server writes into objects that say little is what the table says, and no more."""
        written = {}
        for path, manifest in said_little():
            note_written(self.plane.request("POST", f"{path}?dryRun=All", manifest), manifest, manifest["kind"], written)
        self.assertGreater(len(written), 40)
        types = {each["name"]: each for each in TABLE["types"]}
        for (name, key), values in sorted(written.items()):
            with self.subTest(type=name, field=key):
                others = [row[key] for row in types[name].get("defaultsWith", {}).values() if key in row]
                self.assertLessEqual(values, {types[name].get("defaults", {}).get(key), *others})

    def test_custom_resources(self):
        """Their schemas are nested: each field that is there is walked, down to the pods."""
        types = {each["name"]: each for each in TABLE["types"]}
        walked = set()

        def walk(schema, name, path):
            _, _, element = name.rpartition(" of ")
            kind = types.get(element)
            if kind is None or element == "ObjectMeta":
                return
            if name != element:
                schema = schema["items"] if name.startswith("list") else schema["additionalProperties"]
            walked.add(element)
            properties = set(schema["properties"]) - set(kind.get("newer", ())) - LEFT_OUT.get(element, set())
            with self.subTest(path):
                self.assertEqual(properties, set(kind["fields"]) - set(kind.get("newer", ())))
            for key in properties & set(kind["fields"]):
                default = schema["properties"][key].get("default")
                if default not in (None, "") and not isinstance(default, dict) and (element, key) not in KEPT:
                    with self.subTest(f"{path}.{key}"):
                        self.assertEqual(str(default).lower() if isinstance(default, bool) else str(default), kind.get("defaults", {}).get(key))
                walk(schema["properties"][key], kind["fields"][key], f"{path}.{key}")

        for file in sorted((Path(os.environ["FLEXSLICE_KUBE"]).parent / "validate-manifests/crds").glob("*.yaml")):
            crd = yaml.safe_load(file.read_text(encoding="utf-8"))["spec"]
            for version in crd["versions"]:
                for name, kind in types.items():
                    if (kind.get("kind", name), kind.get("apiVersion")) == (crd["names"]["kind"], f"{crd['group']}/{version['name']}"):
                        walk(version["schema"]["openAPIV3Schema"], name, name)
        self.assertLessEqual({"JobSet", "LeaderWorkerSet", "RayCluster", "RayJob", "RayService", "ClusterQueue", "ClusterQueueBeta1", "ComputeClass",
                              "PodSpec"}, walked)


if __name__ == "__main__":
    unittest.main()
