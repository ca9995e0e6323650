"""Values at the edge: the program and the API server agree on each, both accept it or both refuse it.

A row is a value in the spec and the same value written by hand into the objects of a plain spec.  What the program accepts
is sent to the server, which must keep the same as of what was written by hand; what the program refuses is tried by hand.
Where the server accepts with a warning, the program warns or refuses.  Where the program is stricter than the server on
purpose, the row says why.  Nothing is created: the server validates a dry run.
"""

import copy
import json
import unittest
from dataclasses import dataclass, field

import report
import workloads
from control_plane import ApiError, ControlPlane
from quantities import value_of
from workloads import Refused, compile_spec, merged

TABLE = report.Table("values at the edge")
PLANE = None

ONE_HOST = {
    "apiVersion": "flexslice/v1", "name": "edge", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "2x2"}, "provisioning": {"model": "on-demand", "zones": ["us-east5-b"]},
    "workload": {"image": "busybox", "command": ["run"]},
}
JOBSET = merged(ONE_HOST, {"tpu": {"topology": "4x4"}, "workload": {"kind": "jobset"}})


def setUpModule():
    global PLANE
    PLANE = unittest.enterModuleContext(ControlPlane(controllers=("jobset",)))


def tearDownModule():
    TABLE.finish()


@dataclass
class Row:
    """`spec` is laid over `base`; the other three over the Job's spec, the pod's and the container's.  Lists are added to."""
    title: str
    spec: dict
    job: dict = field(default_factory=dict)
    pod: dict = field(default_factory=dict)
    container: dict = field(default_factory=dict)
    metadata: dict = field(default_factory=dict)
    base: dict = field(default_factory=lambda: ONE_HOST)
    stricter: str | None = None  # why the program refuses what the server accepts


def workload(title, fields, **where):
    """A row of a field of `workload`."""
    return Row(title, {"workload": fields}, **where)


def quantity(resource, text, **more):
    requests = {resource: text}
    limits = {} if resource == "cpu" else {resource: text}
    return workload(f"{resource} {text}", {"resources": requests}, container={"resources": {"requests": requests, "limits": limits}}, **more)


def env(name, **more):
    return workload(f"env {name[:20]!r} ({len(name)})", {"env": {name: "x"}}, container={"env": [{"name": name, "value": "x"}]}, **more)


def port(number, name=None):
    entry = {"port": number} | ({"name": name} if name else {})
    return workload(f"port {name or number}", {"ports": [entry]},
                    container={"ports": [{"containerPort": number} | ({"name": name} if name else {})]})


def volume(title, source, own, mount="/data", name="data", **more):
    """A volume with a source of the spec, and of Kubernetes."""
    return workload(title, {"volumes": [{"name": name, "mountPath": mount} | source]},
                    pod={"volumes": [{"name": name} | own]},
                    container={"volumeMounts": [{"name": name, "mountPath": mount}]}, **more)


def helper(title, fields, **more):
    """A sidecar, and the same as an init container: pieces of Kubernetes as they are."""
    container = {"name": "helper", "image": "busybox"} | fields
    return [workload(f"sidecar: {title}", {"sidecars": [container]},
                     pod={"initContainers": [{"restartPolicy": "Always"} | container]}, **more),
            workload(f"init container: {title}", {"initContainers": [container]}, pod={"initContainers": [container]}, **more)]


def security(context):
    return workload(f"securityContext {json.dumps(context)}", {"securityContext": context}, pod={"securityContext": context})


def toleration(entry):
    return workload(f"toleration {json.dumps(entry)}", {"tolerations": [entry]}, pod={"tolerations": [entry]})


def label(key, value):
    return Row(f"label {key[:40]}={value[:40]} ({len(key)}, {len(value)})", {"labels": {key: value}}, metadata={"labels": {key: value}})


def seconds(spec_field, text, job_field, number, base=ONE_HOST, **where):
    kind = base["workload"].get("kind", "job")
    where = where or {"job": {job_field: number}}
    return Row(f"{kind}: {spec_field} {text}", {"workload": {spec_field: text}}, base=base, **where)


def rows():
    """The table."""
    return [
        *[quantity("memory", text) for text in (
            "1.5Gi", "1024Mi", "1000M", "1e9", "0.1Gi", "1", "0", "500m", "0.5", "1Ei", "-1", "1x", "1gi", "1 Gi",
            "1.5.5", ".5Gi", "5.", "+1Gi", "1e3Gi", "1KI", "1Ki", "1k", "1K", "001Gi", "1.0Gi")],
        *[quantity("memory", text, stricter="no machine has as much") for text in ("8E", "10E", "9223372036854775807")],
        *[quantity("cpu", text) for text in ("0.5", "500m", "1000m", "1.5", "0", "-1", "1e2", "2", "1c")],
        *[quantity("cpu", text, stricter="kept as 1m, so that each apply is a change") for text in ("100u", "1n", "0.0001")],
        *[quantity("ephemeral-storage", text) for text in ("1Gi", "1.25Gi", "2.5G", "1500m")],
        *[env(name) for name in ("A", "a.b", "a-b", "_", "A=B", ".x", "-a", "", "é", "1A", "A B", ".", "..", "..x")],
        port(1), port(65535), port(65536), port(0), port(-1),
        *[port(9000, name) for name in ("1", "123", "a1", "1a", "a--b", "a-b", "-a", "a-", "A", "a" * 15, "a" * 16, "a_b", "8-8")],
        workload("two ports of one name", {"ports": [{"port": 9000, "name": "a"}, {"port": 9001, "name": "a"}]},
                 container={"ports": [{"containerPort": 9000, "name": "a"}, {"containerPort": 9001, "name": "a"}]}),
        workload("one port twice", {"ports": [9000, 9000]}, container={"ports": [{"containerPort": 9000}, {"containerPort": 9000}]}),
        *[volume(f"hostPath {path}", {"hostPath": path}, {"hostPath": {"path": path}}) for path in ("/a", "/a/../b", "/a/..", "/..a", "/a..b", "/")],
        *[volume(f"mountPath {path}", {"emptyDir": {}}, {"emptyDir": {}}, path) for path in ("/a b", "/", "/a/../b", "/é")],
        volume("mountPath /a:b", {"emptyDir": {}}, {"emptyDir": {}}, "/a:b", stricter="documented as invalid; the container runtime refuses it"),
        *[volume(f"volume name {name[:20]} ({len(name)})", {"emptyDir": {}}, {"emptyDir": {}}, name=name)
          for name in ("a" * 63, "a" * 64, "1", "a.b", "A")],
        *[volume(f"sizeLimit {text}", {"emptyDir": {"sizeLimit": text}}, {"emptyDir": {"sizeLimit": text}})
          for text in ("1Gi", "0", "-1Gi", "1.5Gi", "500m")],
        *[volume(f"claim {name[:20]} ({len(name)})", {"pvc": name}, {"persistentVolumeClaim": {"claimName": name}})
          for name in ("a.b", "a" * 253)],
        volume("claim of 254", {"pvc": "a" * 254}, {"persistentVolumeClaim": {"claimName": "a" * 254}}, stricter="no claim has such a name"),
        volume("configMap", {"configMap": "a.b"}, {"configMap": {"name": "a.b"}}),
        workload("two volumes at one path", {"volumes": [{"name": "a", "mountPath": "/x", "emptyDir": {}}, {"name": "b", "mountPath": "/x", "emptyDir": {}}]},
                 pod={"volumes": [{"name": "a", "emptyDir": {}}, {"name": "b", "emptyDir": {}}]},
                 container={"volumeMounts": [{"name": "a", "mountPath": "/x"}, {"name": "b", "mountPath": "/x"}]}),
        workload("two volumes of one name", {"volumes": [{"name": "a", "mountPath": "/x", "emptyDir": {}}, {"name": "a", "mountPath": "/y", "emptyDir": {}}]},
                 pod={"volumes": [{"name": "a", "emptyDir": {}}, {"name": "a", "emptyDir": {}}]},
                 container={"volumeMounts": [{"name": "a", "mountPath": "/x"}, {"name": "a", "mountPath": "/y"}]}),
        seconds("ttlAfterFinished", "24855d", "ttlSecondsAfterFinished", 24855 * 86400),
        seconds("ttlAfterFinished", "24855d3h14m7s", "ttlSecondsAfterFinished", 2**31 - 1),
        seconds("ttlAfterFinished", "24855d3h14m8s", "ttlSecondsAfterFinished", 2**31),
        seconds("ttlAfterFinished", "2147483648s", "ttlSecondsAfterFinished", 2**31),
        seconds("ttlAfterFinished", "24856d", "ttlSecondsAfterFinished", 24856 * 86400),
        seconds("ttlAfterFinished", "0s", "ttlSecondsAfterFinished", 0),
        seconds("activeDeadline", "24856d", "activeDeadlineSeconds", 24856 * 86400),
        seconds("activeDeadline", "1s", "activeDeadlineSeconds", 1),
        seconds("terminationGrace", "0s", "", 0, pod={"terminationGracePeriodSeconds": 0}),
        seconds("terminationGrace", "365d", "", 0, pod={"terminationGracePeriodSeconds": 365 * 86400}),
        workload("serviceAccount 253", {"serviceAccount": "a" * 253}, pod={"serviceAccountName": "a" * 253}),
        workload("serviceAccount 254", {"serviceAccount": "a" * 254}, pod={"serviceAccountName": "a" * 254}),
        workload("priorityClass 253", {"priorityClass": "a" * 253}, pod={"priorityClassName": "a" * 253}),
        workload("priorityClass 254", {"priorityClass": "a" * 254}, pod={"priorityClassName": "a" * 254}),
        workload("the same imagePullSecret twice", {"imagePullSecrets": ["a", "a"]}, pod={"imagePullSecrets": [{"name": "a"}, {"name": "a"}]}),
        label("a", "b"), label("a" * 63, "b" * 63), label("a" * 64, "b"), label("a", "b" * 64), label("a/b", ""), label("a/b/c", ""),
        label("A/b", ""), label("a", "-"), label("a", "a_b.c-d"), label("a" * 253 + "/b", "c"), label("a" * 254 + "/b", "c"),
        *[Row(f"annotation of {size} bytes", {"annotations": {"a": "x" * size}}, metadata={"annotations": {"a": "x" * size}}, stricter=stricter)
          for size, stricter in ((1000, None), (262144, None), (262143, "kubectl apply keeps a copy of the object in another annotation"))],
        *[workload(f"nodeSelector {key}={value}", {"nodeSelector": {key: value}}, pod={"nodeSelector": {key: value}})
          for key, value in (("a.example/b", "c"), ("beta.kubernetes.io/arch", "amd64"), ("beta.kubernetes.io/os", "linux"),
                             ("failure-domain.beta.kubernetes.io/zone", "us-east5-b"), ("a b", "c"), ("a", "b c"))],
        *[toleration(each) for each in (
            {"key": "a", "operator": "Exists"}, {"operator": "Exists"}, {"key": "a", "operator": "Exists", "value": "b"},
            {"key": "a", "operator": "Equal", "value": "b", "effect": "NoExecute", "tolerationSeconds": 5},
            {"key": "a", "operator": "Equal", "value": "b", "effect": "NoSchedule", "tolerationSeconds": 5},
            {"key": "a", "operator": "Equal", "value": ""}, {"key": "a"}, {"value": "b"}, {"key": "a", "operator": "Equal", "value": "b c"})],
        *[security(each) for each in (
            {"runAsUser": 1000}, {"runAsUser": 0}, {"runAsUser": -1}, {"runAsUser": "1000"}, {"runAsUser": 2**31 - 1}, {"runAsUser": 2**31},
            {"fsGroup": -5}, {"privileged": True}, {"fsGroupChangePolicy": "OnRootMismatch"}, {"fsGroupChangePolicy": "Sometimes"},
            {"runAsNonRoot": True}, {"runAsNonRoot": "true"}, {"supplementalGroups": [1, 2]}, {"supplementalGroups": "1"}, {"unknown": 1},
            {"seccompProfile": {"type": "RuntimeDefault"}}, {"seccompProfile": {"type": "Localhost"}}, {"seccompProfile": {"type": "No"}},
            {"sysctls": [{"name": "net.core.somaxconn", "value": "1024"}]}, {"sysctls": [{"name": "net.core.somaxconn", "value": 1024}]})],
        *[row for title, fields in (
            ("plain", {}), ("name too long", {"name": "a" * 64}), ("name with a dot", {"name": "a.b"}), ("the workload's name", {"name": "edge"}),
            ("no image", {"image": None}), ("an empty image", {"image": ""}), ("imagePullPolicy Always", {"imagePullPolicy": "Always"}),
            ("imagePullPolicy Sometimes", {"imagePullPolicy": "Sometimes"}), ("port 0", {"ports": [{"containerPort": 0}]}),
            ("port as text", {"ports": ["80"]}), ("port number as text", {"ports": [{"containerPort": "80"}]}),
            ("port 65536", {"ports": [{"containerPort": 65536}]}), ("port protocol tcp", {"ports": [{"containerPort": 80, "protocol": "tcp"}]}),
            ("request above limit", {"resources": {"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}}),
            ("request equals limit in another form", {"resources": {"requests": {"cpu": "1000m"}, "limits": {"cpu": "1"}}}),
            ("quantity 1x", {"resources": {"requests": {"cpu": "1x"}}}), ("negative quantity", {"resources": {"requests": {"cpu": "-1"}}}),
            ("numeric quantity", {"resources": {"requests": {"cpu": 1}}}), ("fractional bytes", {"resources": {"requests": {"memory": "500m"}}}),
            ("unknown resource", {"resources": {"requests": {"gpu": "1"}}}), ("unknown field", {"comand": ["x"]}),
            ("command as text", {"command": "run"}), ("args with a number", {"args": [1]}), ("env twice", {"env": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]}),
            ("env without name", {"env": [{"value": "1"}]}), ("env number", {"env": [{"name": "A", "value": 1}]}),
            ("env value and valueFrom", {"env": [{"name": "A", "value": "1", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]}),
            ("env from an unknown field", {"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.nothing"}}}]}),
            ("mount of no volume", {"volumeMounts": [{"name": "nothing", "mountPath": "/x"}]}),
            ("restartPolicy Always", {"restartPolicy": "Always"}),
            ("lifecycle", {"lifecycle": {"preStop": {"exec": {"command": ["x"]}}}}),
            ("readinessProbe", {"readinessProbe": {"exec": {"command": ["x"]}}}),
            ("probe without a handler", {"startupProbe": {"periodSeconds": 5}}),
            ("probe with two handlers", {"startupProbe": {"exec": {"command": ["x"]}, "tcpSocket": {"port": 80}}}),
            ("probe every 0 seconds", {"startupProbe": {"exec": {"command": ["x"]}, "periodSeconds": -1}}),
            ("securityContext runAsUser text", {"securityContext": {"runAsUser": "1"}}),
            ("securityContext of a pod", {"securityContext": {"fsGroup": 1}}),
            ("capabilities", {"securityContext": {"capabilities": {"add": ["SYS_PTRACE"]}}}),
            ("workingDir", {"workingDir": "relative"}), ("stdin text", {"stdin": "yes"}),
            ("terminationMessagePolicy", {"terminationMessagePolicy": "Sometimes"}),
        ) for row in helper(title, fields)],
        *helper("restartPolicy Never", {"restartPolicy": "Never"}, stricter="Kubernetes 1.33 refuses it"),
        seconds("ttlAfterFinished", "24855d", "ttlSecondsAfterFinished", 24855 * 86400, base=JOBSET),
        seconds("ttlAfterFinished", "24856d", "ttlSecondsAfterFinished", 24856 * 86400, base=JOBSET),
    ]


def lay_over(target, change):
    """Merges mappings, adds to lists, replaces the rest; None removes."""
    for key, value in change.items():
        if isinstance(value, dict) and isinstance(target.get(key), dict):
            lay_over(target[key], value)
        elif isinstance(value, list) and isinstance(target.get(key), list):
            target[key] = target[key] + copy.deepcopy(value)
        elif value is None:
            target.pop(key, None)
        else:
            target[key] = copy.deepcopy(value)


def without_nothing(value):
    """The value without entries that are None: what a row leaves out."""
    if isinstance(value, dict):
        return {key: without_nothing(each) for key, each in value.items() if each is not None}
    return [without_nothing(each) for each in value] if isinstance(value, list) else value


class Edges(unittest.TestCase):
    """One test for the table, and the few values that need an apply."""

    maxDiff = None

    def server(self, objects):
        """(verdict, message, objects as the server would keep them) of a strict dry run."""
        kept, said = [], []
        for each in objects:
            resource = each["kind"].lower() + "s"
            path = PLANE.path(resource, each["metadata"].get("namespace", "default"))
            try:
                kept.append(PLANE.request("POST", f"{path}?dryRun=All&fieldValidation=Strict", each))
                said += PLANE.warnings
            except ApiError as error:
                return "refuse", str(error), None
        return "warn" if said else "accept", "; ".join(said), kept

    def compile(self, spec):
        """(verdict, message, artifacts) of the program."""
        try:
            made = compile_spec(spec)
        except Refused as refused:
            return "refuse", refused.text, None
        return "warn" if "warning[" in made.warnings else "accept", made.warnings, made

    def by_hand(self, row):
        """The objects of the plain spec with the value written into them."""
        objects = copy.deepcopy(compile_spec(row.base).objects())
        for each in objects:
            lay_over(each["metadata"], row.metadata)
            if each["kind"] == "Job":
                self.into_job(each["spec"], row)
            if each["kind"] == "JobSet":
                lay_over(each["spec"], row.job)
        return objects

    @staticmethod
    def into_job(spec, row):
        lay_over(spec, row.job)
        template = spec["template"]
        lay_over(template["spec"], row.pod)
        lay_over(template["spec"]["containers"][0], row.container)
        if row.metadata:
            template.setdefault("metadata", {})
            lay_over(template["metadata"], row.metadata)

    @staticmethod
    def meaning(objects):
        """What is compared of what the server keeps: not what it makes up."""
        def amounts(resources):
            """By amount: a server of this version keeps `001Gi` and `10E`, which are printed as `1Gi` and as the largest amount."""
            return {key: min(value_of(each), 2**63 - 1) for key, each in resources.items()}

        def strip(value):
            if isinstance(value, dict):
                return {key: amounts(each) if key in ("requests", "limits") else strip(each)
                        for key, each in value.items() if not key.endswith("controller-uid")}
            return [strip(each) for each in value] if isinstance(value, list) else value

        return [strip({"kind": each["kind"], "spec": each["spec"], "metadata": {
            key: each["metadata"].get(key) for key in ("name", "labels", "annotations")}}) for each in objects]

    def check(self, row):
        ours, our_message, made = self.compile(merged(row.base, without_nothing(row.spec)))
        theirs, their_message, hand = self.server(without_nothing(self.by_hand(row)))
        agreed = {"accept": (ours == "refuse") == bool(row.stricter), "warn": ours != "accept", "refuse": ours == "refuse"}[theirs]
        note = f" ({row.stricter})" if row.stricter else ""
        TABLE.row(row.title, f"flexslice: {ours}, server: {theirs}{note}{'' if agreed else ' DISAGREE'}")
        self.assertTrue(agreed, f"flexslice: {ours} {our_message}\nserver: {theirs} {their_message}")
        if made and theirs != "refuse":
            verdict, message, kept = self.server(made.objects())
            self.assertNotEqual(verdict, "refuse", message)
            self.assertEqual(self.meaning(kept), self.meaning(hand))

    def test_table(self):
        for row in rows():
            with self.subTest(row.title):
                self.check(row)

    def applied(self, made, text=None):
        """The result of a client-side apply that changes nothing on the server."""
        text = text or made.path("manifests.yaml").read_text(encoding="utf-8")
        return PLANE.kubectl("apply", "--dry-run=server", "-f", "-", stdin=text, check=False)

    def test_scripts(self):
        """The longest script that is accepted can be applied, however its characters are written in JSON."""
        for character, what in (("x", "letters"), ('"', "quotes"), ("\n", "line breaks"), ("é", "letters of two bytes"), ("\x01", "controls")):
            spec, low, high = merged(ONE_HOST, {"workload": {"command": None}}), 1, 300_000
            while high - low > 1:
                middle = (low + high) // 2
                verdict, _, _ = self.compile(merged(spec, {"workload": {"script": "#" + character * middle + "#"}}))
                low, high = (low, middle) if verdict == "refuse" else (middle, high)
            with self.subTest(what):
                size = len(("#" + character * low + "#").encode())
                self.assertLess(size, 131_072, "Linux starts no program with a longer argument")
                _, _, made = self.compile(merged(spec, {"workload": {"script": "#" + character * low + "#"}}))
                done = self.applied(made)
                self.assertEqual(done.returncode, 0, done.stderr[:300])
                TABLE.row(f"script of {what}", f"{size} bytes can be applied; more is refused")

    def test_the_servers_own_service(self):
        """A workload of several hosts has a Service of its name, and `kubernetes` in `default` is the server's."""
        several = merged(ONE_HOST, {"name": "kubernetes", "tpu": {"topology": "4x4"}})
        for title, spec in (("kubernetes, no namespace", several), ("kubernetes in default", merged(several, {"namespace": "default"}))):
            with self.subTest(title):
                verdict, _, made = self.compile(spec)
                TABLE.row(f"workload named {title}", f"flexslice: {verdict}")
                self.assertNotEqual(verdict, "accept", self.applied(made).stderr if made else "")


if __name__ == "__main__":
    unittest.main()
