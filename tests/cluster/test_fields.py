"""The tables of types have the fields, types, bounds and defaults that an API server publishes, of Kubernetes and of CRDs.

servers.txt describes two releases of each program. Its part for the release that the server has must be what the
server publishes; a bound or a choice may be wider, since it is that of both releases.
"""

import collections
import json
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

from control_plane import ALL, ControlPlane

SOURCE = Path(os.environ["FLEXSLICE_SOURCE"])
sys.path.append(str(SOURCE / "tools/crds"))
import patterns  # noqa: E402  pylint: disable=wrong-import-position
import write_table  # noqa: E402  pylint: disable=wrong-import-position

KNOWN = {each["name"]: each for each in yaml.safe_load((SOURCE / "src/schema/kubernetes.yaml").read_text(encoding="utf-8"))["types"]}
# Not defaults of a field: they follow from the image, another field, or the server.
FOLLOWS = {"imagePullPolicy", "serviceAccount", "targetPort", "uid", "creationTimestamp", "generation", "clusterIP", "nodePort"}

Field = collections.namedtuple("Field", "marks value default")
LETTERS = {"": "s", "time": "t", "quantity": "q", "amount": "u", "integer-or-text": "o"}


class Table:
    """servers.txt, whose format servers.hpp describes."""

    def __init__(self, path):
        self.releases, self.objects, self.patterns, self.types, self.open = {}, {}, {}, {}, set()
        fields = None
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.split(" ")
            if words[0] == "R":
                self.releases[words[1]] = [word for word in words[2:6] if re.fullmatch(r"\d+\.\d+(\.\d+)?", word)]
            elif words[0] == "O":
                self.objects[words[1], words[2]] = words[3][1], words[4], words[5]
            elif words[0] == "P":
                self.patterns[words[1]] = line.split(" ", 2)[2]
            elif words[0] in ("K", "C"):
                name = words[1].rstrip("*")
                assert name not in self.types, f"two types are called {name}"
                fields = self.types[name] = {}
                if words[1].endswith("*"):
                    self.open.add(name)
            elif not words[0]:
                key, marks = re.fullmatch(r"(.*?)([!?+-]*)", words[1]).groups()
                fields[key] = Field(marks, words[2], line.split(" =", 1)[1] if " =" in line else None)


def described_default(default):
    """A default as the table has it."""
    if default is None or not isinstance(default, (str, int, bool)) or "\n" in str(default):
        return None
    return str(default).lower() if isinstance(default, bool) else str(default)


class Comparison:
    """Where the table and what a server publishes differ, if the server has the newest release or the older one."""

    def __init__(self, table, is_newest):
        self.table, self.other = table, "-" if is_newest else "+"
        self.differences = []

    def record(self, node, name, path):
        fields = {key: field for key, field in self.table.types[name].items() if self.other not in field.marks}
        if node[2] and name not in self.table.open:
            self.differences.append(f"{path}: the server accepts any field")
        self.differences += [f"{path}.{key}: the server has no such field" for key in fields.keys() - node[1].keys()]
        self.differences += [f"{path}.{key}: the table has no such field" for key in node[1].keys() - fields.keys()]
        for key in sorted(fields.keys() & node[1].keys()):
            value, marks, default = node[1][key]
            field, where = fields[key], f"{path}.{key}"
            if "!" in field.marks and "!" not in marks:
                self.differences.append(f"{where}: the server does not require it")
            if field.default != described_default(default):
                self.differences.append(f"{where}: the default of the server is {default}, that of the table {field.default}")
            self.value(value, field.value, where)

    def value(self, node, text, path):
        if node[0] in ("list", "map"):
            opened, closed = "[]" if node[0] == "list" else "{}"
            if not text.startswith(opened):
                self.differences.append(f"{path}: a {node[0]} of the server is {text}")
                return
            bounds, text = text[1:].split(closed, 1)
            bounds, _, keys = bounds.partition("#")
            self.bounds(node[-2:], bounds, path)
            if keys and keys != ",".join(node[2] or ()):
                self.differences.append(f"{path}: the keys of the server are {node[2]}, those of the table {keys}")
            self.value(node[1], text, path)
        elif node[0] == "record":
            if text.startswith("@"):
                self.record(node, text[1:], path)
            else:
                self.differences.append(f"{path}: a mapping of the server is {text}")
        elif node[0] == "integer":
            self.bounds(node[1:], ">-2147483648<2147483647" if text == "j" else text[1:], path)
            self.expect(text[0] in "ij", path, "an integer", text)
        elif node[0] == "text":
            self.text(node, text, path)
        else:
            self.expect(text == {"any": "*", "flag": "b"}.get(node[0], "@" + str(node[-1])), path, node, text)

    def text(self, node, text, path):
        limits = dict(node[2])
        self.expect(text[0] in (LETTERS[node[1]], "s"), path, node, text)
        for sign, limit in re.findall(r"([|~<>])([^|~<>]*)", text[1:]):
            if sign == "~":
                self.expect(self.table.patterns[limit] == patterns.normalized(limits.get("pattern", "")), path, node, text)
            elif sign in "<>":
                self.bounds((limits.get("least"), limits.get("most")), sign + limit, path)
        words = set(re.findall(r"\|([^|~<>]*)", text[1:]))
        self.expect(not words or set(limits.get("enum", ["a word of no choice"])) <= words, path, node, text)

    def bounds(self, theirs, ours, path):
        for sign, number in re.findall(r"([<>])(-?\d+)", ours):
            bound = theirs[sign == "<"]
            wider = bound is not None and (int(number) <= bound if sign == ">" else int(number) >= bound)
            self.expect(wider, path, theirs, ours)

    def expect(self, holds, path, node, text):
        if not holds:
            self.differences.append(f"{path}: {node} of the server is {text}")


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


class Fields(unittest.TestCase):
    """What one server publishes, and the tables."""

    @classmethod
    def setUpClass(cls):
        cls.table = Table(SOURCE / "src/schema/servers.txt")
        cls.plane = cls.enterClassContext(ControlPlane(controllers=ALL))
        version = cls.plane.request("GET", "/version")
        cls.release = f"{version['major']}.{version['minor']}"
        older, newest = cls.table.releases["kubernetes"][0], cls.table.releases["kubernetes"][-1]
        if cls.release not in (older, newest):
            raise unittest.SkipTest(f"the table describes Kubernetes {older} and {newest}, and the server is {cls.release}")
        cls.is_newest = cls.release == newest
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())

    def test_kubernetes(self):
        """Each type of Kubernetes that the server publishes."""
        document = self.plane.request("GET", "/openapi/v2")
        own = re.compile(r"io\.k8s\.(api|apimachinery|apiextensions-apiserver|kube-aggregator)\.")  # not of a CRD
        document["definitions"] = {name: each for name, each in document["definitions"].items() if own.match(name)}
        Path(self.folder, "openapi.json").write_text(json.dumps(document), encoding="utf-8")
        objects, types = write_table.read_kubernetes(self.folder)
        self.assertGreater(len(types), 300)
        self.assertLessEqual({"PodSpec", "JobSpec", "HorizontalPodAutoscalerSpec"}, set(types))
        for name, node in sorted(types.items()):
            if node[0] == "record":
                with self.subTest(name):
                    comparison = Comparison(self.table, self.is_newest)
                    comparison.record(node, name, name)
                    self.assertEqual(comparison.differences, [])
        for key, (name, _) in sorted(objects.items()):
            with self.subTest(key):
                mark, known, program = self.table.objects[key]
                self.assertEqual((known, program), (name, "kubernetes"))
                self.assertNotEqual(mark, "-" if self.is_newest else "+")

    def test_custom_resources(self):
        """Each CRD of the controllers that run is that of one of the two releases, down to the pods."""
        for document in self.plane.request("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions")["items"]:
            document["kind"] = "CustomResourceDefinition"
            Path(self.folder, document["metadata"]["name"] + ".yaml").write_text(json.dumps(document), encoding="utf-8")
        objects = write_table.read_crds(self.folder, None)
        compared = set()
        for (version, kind), (node, _) in sorted(objects.items()):
            if (version, kind) not in self.table.objects:
                continue
            comparisons = [Comparison(self.table, is_newest) for is_newest in (True, False)]
            for comparison in comparisons:
                comparison.record(node, self.table.objects[version, kind][1], kind)
            compared.add(kind)
            with self.subTest(kind, version=version):
                self.assertEqual(min((each.differences for each in comparisons), key=len), [])
        self.assertLessEqual({"JobSet", "LeaderWorkerSet", "RayCluster", "RayJob", "RayService", "ClusterQueue", "ResourceFlavor"}, compared)

    def note_written(self, found, sent, name, written):
        """{(type, field): texts} of the scalars in what was found that were not sent."""
        if name not in self.table.types or name == "ObjectMeta":
            return
        for key, value in found.items():
            below = (sent or {}).get(key) if isinstance(sent, dict) else None
            of = self.table.types[name][key].value.rpartition("@")[2] if key in self.table.types[name] else ""
            if isinstance(value, dict):
                self.note_written(value, below, of, written)
            elif isinstance(value, list):
                for i, each in enumerate(value):
                    if isinstance(each, dict):
                        self.note_written(each, below[i] if isinstance(below, list) and i < len(below) else None, of, written)
            elif below is None and key not in FOLLOWS and key != "status":
                written.setdefault((name, key), set()).add(str(value).lower() if isinstance(value, bool) else str(value))

    def test_defaults(self):
        """What the server writes into objects that say little is what the table says, and no more."""
        written = {}
        for path, manifest in said_little():
            self.note_written(self.plane.request("POST", f"{path}?dryRun=All", manifest), manifest, manifest["kind"], written)
        self.assertGreater(len(written), 40)
        for (name, key), values in sorted(written.items()):
            with self.subTest(type=name, field=key):
                known = KNOWN.get(name, {})
                others = [row[key] for row in known.get("defaultsWith", {}).values() if key in row]
                self.assertLessEqual(values, {known.get("defaults", {}).get(key), self.table.types[name][key].default, *others})


if __name__ == "__main__":
    unittest.main()
