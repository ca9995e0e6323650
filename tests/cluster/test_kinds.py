"""Every kind, of several slices where it can have them, with the real controllers: without a queue, and two in one.

Without: each slice runs on a node pool of its own, its hosts know each other, applying it again changes nothing, another
image does what `diff` says, and deletion leaves nothing.  In a queue with room for one the second waits, and runs when the
first is deleted.  The cluster has only what `explain` lists as required.
"""

import json
import os
import subprocess
import time
import unittest

import integrations
import report
from control_plane import ALL, ControlPlane, eventually
from stage import stage
from workloads import FLEXSLICE, SLICE_LABELS, Refused, changed_lines, codes, compile_spec, merged

TABLE = report.Table("kinds")
QUIET_SECONDS = 5
LWS_RELEASE = tuple(int(part) for part in os.environ.get("FLEXSLICE_LWS", "0.9").split("."))  # the release that runs here
SECONDS = 180  # a rollout goes group by group

SPEC = {
    "apiVersion": "flexslice/v1", "name": "t", "namespace": "kinds", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "4x4", "slices": 2}, "provisioning": {"model": "on-demand", "zones": ["us-east5-b"]},
    "workload": {"image": "run:1", "command": ["run"], "resources": {"cpu": "1", "memory": "1Gi"},
                 "env": {"TOKEN": {"secret": "hub", "key": "token"}}, "serviceAccount": "runner", "priorityClass": "high"},
}
ONE_HOST = {"tpu": {"topology": "2x2"}}
RAY = {"workload": {"command": None, "ray": {"version": "2.51.0"}}}
LWS = {"workload": {"kind": "leaderworkerset"}}
KINDS = {
    "Job on slices of one host": merged(ONE_HOST, {"workload": {"kind": "job"}}),
    "Job on several hosts": {"tpu": {"slices": 1}, "workload": {"kind": "job"}},
    "JobSet": {"workload": {"kind": "jobset"}},
    "LeaderWorkerSet": LWS,
    "LeaderWorkerSet, leaders without chips": merged(LWS, {"workload": {"leader": {"tpu": False, "resources": {"cpu": "2", "memory": "1Gi"}}}}),
    "Deployment": merged(ONE_HOST, {"workload": {"kind": "deployment"}}),
    "RayCluster": merged(RAY, {"workload": {"kind": "raycluster"}}),
    "RayJob": merged(RAY, {"workload": {"kind": "rayjob", "script": "run"}}),
    "RayService": merged(RAY, {"workload": {"kind": "rayservice", "ray": {"serveConfig": {"applications": [{"import_path": "a:b"}]}}}}),
}
# KubeRay asks Ray's dashboard before it starts the second cluster, and no program runs here.
NEEDS_PROGRAM = ("RayService",)
REFUSED_IN_A_QUEUE = {"RayService": "FS4117"}


def tearDownModule():
    TABLE.finish()


def by_slice(made, pods):
    """The pods of each slice of several hosts; else each pod for itself."""
    label = SLICE_LABELS.get(made.controller["kind"]) if len(pods) > made.slices else None
    groups = {}
    for pod in pods:
        groups.setdefault(pod["metadata"]["labels"][label] if label else pod["metadata"]["name"], []).append(pod)
    return list(groups.values())


def environment(pod):
    """Variables with a value of the container with chips."""
    return {each["name"]: each.get("value") for each in pod["spec"]["containers"][0].get("env", [])}


def images(pods):
    return {pod["spec"]["containers"][0]["image"] for pod in pods}


def uids(pods):
    return {pod["metadata"]["uid"] for pod in pods}


class Kinds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane(ALL))
        integrations.add(cls.plane, "deployment")
        names = cls.plane.kubectl("api-resources", "--namespaced", "--verbs=list", "-o", "name").stdout.split()
        cls.resources = ",".join(name for name in names if not name.startswith("events"))

    def everything(self, namespace):
        """The names of all objects in a namespace."""
        return set(self.plane.kubectl("get", self.resources, "-n", namespace, "-o", "name").stdout.split())

    def check_deleted(self, made, before):
        """Its deletion leaves what was there before."""
        self.plane.kubectl("delete", "-f", made.path("manifests.yaml"))
        eventually(lambda: self.everything(made.namespace) == before, lambda: f"left: {self.everything(made.namespace) - before}")

    def check_environment(self, made, pods):
        """The hosts of a slice have the numbers from 0, and all of them the same names, which a Service publishes."""
        for group in by_slice(made, pods):
            found = [environment(pod) for pod in group]
            if made.controller["kind"] in ("LeaderWorkerSet", "RayCluster", "RayJob", "RayService"):
                self.assertEqual(sorted(int(each["TPU_WORKER_ID"]) for each in found), list(range(len(group))))
                self.assertEqual(len({each["TPU_NAME"] for each in found}), 1)
                [hosts] = {each["TPU_WORKER_HOSTNAMES"] for each in found}
                for pod, each in zip(group, found):
                    name = hosts.split(",")[int(each["TPU_WORKER_ID"])]
                    self.assertEqual(name.split(".")[:2], [pod["spec"]["hostname"], pod["spec"]["subdomain"]])
                self.assertEqual(len(hosts.split(",")), len(group))
            if len(group) > 1:
                [service], names = {pod["spec"]["subdomain"] for pod in group}, {pod["spec"]["hostname"] for pod in group}
                self.assertEqual(len(names), len(group))
                eventually(lambda: made.published(self.plane, service) >= names, f"{service} does not publish {names}")
        named = [each.get("TPU_NAME") for each in map(environment, pods)]
        self.assertIn(len(set(named)), (1, made.slices), "two slices have one name")

    def check_again(self, made, pods):
        """kubectl says that nothing changes, or the file why it does not, and nothing does."""
        path = made.path("manifests.yaml")
        before = self.generations(path)
        said = self.plane.kubectl("apply", "-f", path).stdout.splitlines()
        self.assertEqual(changed_lines(said, path.read_text(encoding="utf-8")), [])
        self.assertEqual(self.generations(path), before)
        self.assertEqual(self.plane.kubectl("diff", "-f", path, check=False).stdout, "")
        time.sleep(QUIET_SECONDS)
        self.assertEqual(uids(made.pods(self.plane)), uids(pods))

    def generations(self, path):
        return self.plane.kubectl("get", "-f", path, "-o", "jsonpath={.items[*].metadata.generation}{.metadata.generation}").stdout

    def said_by_diff(self, made, changed):
        """What `diff` says of the object that makes the pods."""
        run = subprocess.run([FLEXSLICE, "diff", "--format=json", made.source, changed.source], capture_output=True, encoding="utf-8", check=False)
        [resource] = [each for change in json.loads(run.stdout)["changes"] for each in change["resources"]
                      if each["kind"] == made.controller["kind"]]
        return resource["what"].partition(":")[0]

    def check_image(self, made, spec):
        """Another image does what `diff` says; returns that."""
        changed = compile_spec(merged(spec, {"workload": {"image": "run:2"}}))
        said, before = self.said_by_diff(made, changed), made.pods(self.plane)
        applied = self.plane.kubectl("apply", "-f", changed.path("manifests.yaml"), check=False)
        if said == "replace its pods or nodes":
            self.assertEqual(applied.returncode, 0, applied.stderr)
            eventually(lambda: images(made.pods(self.plane)) == {"run:2"}, lambda: f"not rolled out\n{made.why(self.plane)}", SECONDS)
            made.wait_started(self.plane, SECONDS)
            return said
        time.sleep(QUIET_SECONDS)
        self.assertEqual(uids(made.pods(self.plane)), uids(before), f"diff says: {said}")
        if said == "update, for new pods only":
            self.assertEqual(applied.returncode, 0, applied.stderr)
            for pod in made.bound(self.plane)[:1]:
                self.plane.delete("pods", made.namespace, pod["metadata"]["name"])
            eventually(lambda: "run:2" in images(made.pods(self.plane)), lambda: f"a new pod has the old image\n{made.why(self.plane)}")
            return said
        self.assertEqual(said, "recreate")
        self.plane.kubectl("delete", "-f", made.path("manifests.yaml"))
        eventually(lambda: not self.plane.list("pods", made.namespace), "pods are still there")
        self.plane.kubectl("apply", "-f", changed.path("manifests.yaml"))
        made.wait_started(self.plane)
        self.assertEqual(images(made.pods(self.plane)), {"run:2"})
        return f"{said} ({'refused' if applied.returncode else 'ignored'})"

    def check_alone(self, what, change):
        spec = merged(SPEC, change)
        made = compile_spec(spec)
        with stage(self.plane, made) as (gke, arguments):
            before = self.everything(made.namespace)
            gke.provision(made.commands())
            self.plane.kubectl("apply", *arguments)
            pods = made.wait_started(self.plane)
            self.check_environment(made, pods)
            self.check_again(made, made.pods(self.plane))
            said = self.check_image(made, spec) if what not in NEEDS_PROGRAM else "not tried"
            self.check_deleted(made, before)
        TABLE.row(what, f"each slice on a pool of its own, unchanged by a second apply; another image: {said}; nothing left")

    def test_alone(self):
        for what, change in KINDS.items():
            with self.subTest(what):
                self.check_alone(what, change)

    def somebody_waits(self):
        """Whether Kueue holds a workload for its quota, which is not the same as a pod for which there is no node."""
        return any(each["type"] == "QuotaReserved" and each["status"] == "False" for workload in self.plane.list("workloads", "kinds")
                   for each in workload.get("status", {}).get("conditions", []))

    def check_queue(self, what, change):
        spec = merged(SPEC, change, {"provisioning": {"queue": "q", "nodePool": "pool"}})
        if what in REFUSED_IN_A_QUEUE:
            with self.assertRaises(Refused) as caught:
                compile_spec(spec)
            self.assertIn(REFUSED_IN_A_QUEUE[what], codes(caught.exception))
            TABLE.row(f"{what}, in a queue", f"refused, {REFUSED_IN_A_QUEUE[what]}")
            return
        made = compile_spec(spec)
        second = compile_spec(merged(spec, {"name": "second"}))
        with stage(self.plane, made) as (gke, arguments):
            gke.provision(made.commands())
            self.plane.kubectl("apply", "-f", made.path("queues.yaml"))
            before = self.everything(made.namespace)
            self.plane.kubectl("apply", *arguments)
            self.check_environment(made, made.wait_started(self.plane))
            self.plane.kubectl("apply", "-f", second.path("manifests.yaml"))
            eventually(self.somebody_waits, "Kueue holds nothing")
            time.sleep(QUIET_SECONDS)
            self.assertTrue(self.somebody_waits())
            self.assertEqual([pod["metadata"]["name"] for pod in second.pods(self.plane) if pod["spec"].get("nodeName")], [],
                             "the second starts beside the first")
            self.plane.kubectl("delete", "-f", made.path("manifests.yaml"))
            try:
                self.check_environment(second, second.wait_started(self.plane, SECONDS))
            finally:
                self.plane.kubectl("delete", "--wait=false", "-f", second.path("manifests.yaml"))
            eventually(lambda: self.everything(made.namespace) == before, lambda: f"left: {self.everything(made.namespace) - before}")
        TABLE.row(f"{what}, in a queue", "each slice on a pool of its own; the second waits, then runs; nothing left")

    def test_in_a_queue(self):
        for what, change in KINDS.items():
            with self.subTest(what):
                self.check_queue(what, change)


class Subgroups(unittest.TestCase):
    """The hosts that LeaderWorkerSet tells pods in subgroups of one: what lint says of them."""

    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane(("lws",)))
        cls.plane.namespace("kinds")

    def pods(self, name, leader, policy):
        """{name: what its container is told} of the pods of a group on single hosts, which nothing has to start."""
        def template(chips):
            return {"spec": {"nodeSelector": {"cloud.google.com/gke-tpu-accelerator": "tpu-v6e-slice", "cloud.google.com/gke-tpu-topology": "2x4"},
                             "containers": [{"name": "run", "image": "run:1", "resources": {"limits": {"google.com/tpu": "8"} if chips else {}}}]}}
        group = {"size": 3, "subGroupPolicy": policy, "workerTemplate": template(True)} | ({} if leader else {"leaderTemplate": template(False)})
        made = json.dumps({"apiVersion": "leaderworkerset.x-k8s.io/v1", "kind": "LeaderWorkerSet", "metadata": {"name": name, "namespace": "kinds"},
                           "spec": {"replicas": 1, "leaderWorkerTemplate": group}})
        lint = subprocess.run([FLEXSLICE, "lint", "--format=json", "--notes", "-"], input=made, capture_output=True, encoding="utf-8", check=False)
        self.said = {each["code"] for each in json.loads(lint.stdout)}
        self.plane.kubectl("apply", "-f", "-", stdin=made)
        self.addCleanup(self.plane.kubectl, "delete", "-n", "kinds", f"leaderworkerset/{name}")
        chosen = f"leaderworkerset.sigs.k8s.io/name={name}"
        return lambda: {pod["metadata"]["name"]: environment(pod) for pod in self.plane.list("pods", "kinds", labels=chosen)}

    def refusals(self):
        """What was said of pods that the webhook refused."""
        events = self.plane.kubectl("get", "events", "-n", "kinds", "-o", "jsonpath={range .items[*]}{.message}{'\\n'}{end}").stdout
        return "\n".join(line for line in events.splitlines() if "denied the request" in line)

    def told(self, name, leader, policy):
        """{name: (number, hosts)} of a whole group."""
        pods = self.pods(name, leader, policy)
        eventually(lambda: len(pods()) == 3, "pods are missing")
        return {key: (each.get("TPU_WORKER_ID"), each.get("TPU_WORKER_HOSTNAMES")) for key, each in pods().items()}

    def test_with_the_leader(self):
        """Older releases tell each worker the host before it."""
        told = self.told("alone", True, {"subGroupSize": 1})
        hosts = ("alone-0", "alone-0-1", "alone-0-2") if LWS_RELEASE >= (0, 10) else ("alone-0", "alone-0", "alone-0-1")
        self.assertEqual(told, {pod: ("0", f"{host}.alone") for pod, host in zip(("alone-0", "alone-0-1", "alone-0-2"), hosts)})
        self.assertIn("FS5062", self.said)
        TABLE.row("LeaderWorkerSet, subgroups of one", f"each pod is told {' '.join(hosts)}; lint says it of releases before 0.10")

    def test_leader_without_chips(self):
        """Each worker is told its own host, and lint says nothing of it."""
        for name, policy in (("led", {}), ("apart", {"subGroupPolicyType": "LeaderExcluded"})):
            with self.subTest(name):
                told = self.told(name, False, {"subGroupSize": 1, **policy})
                self.assertFalse({"FS5062", "FS5063"} & self.said)
                self.assertEqual(told, {f"{name}-0": (None, None), **{f"{name}-0-{i}": ("0", f"{name}-0-{i}.{name}") for i in (1, 2)}})
        TABLE.row("LeaderWorkerSet, subgroups of one, leaders without chips", "each worker is told its own host")

    def test_leader_in_no_subgroup(self):
        """The webhook refuses the leader, whatever the size of the subgroups is."""
        for name, of in (("lost", 1), ("lost-in-two", 2)):
            with self.subTest(of):
                pods = self.pods(name, True, {"subGroupSize": of, "subGroupPolicyType": "LeaderExcluded"})
                eventually(lambda: f"create pod {name}-0 in" in self.refusals().lower(), "nothing is refused")
                self.assertEqual(pods(), {})
                self.assertIn("FS5063", self.said)
        TABLE.row("LeaderWorkerSet, leaders with chips in no subgroup", "refused by the webhook; lint says so")


if __name__ == "__main__":
    unittest.main(verbosity=2)
