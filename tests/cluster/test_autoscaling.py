"""Replicas by a metric: a Deployment on single hosts and a LeaderWorkerSet on slices, with the real HorizontalPodAutoscalers and a metrics API
that the test serves.

They go from one to three and back, each on a node or a slice of its own, which comes and goes with it; applying again changes nothing,
whatever the number is.  A workload that had a number gets an autoscaler without losing replicas.  The objects of a Gateway are accepted
by the CRDs, and their selectors find the pods that serve.
"""

import re
import subprocess
import time
import unittest

import prerequisites
import report
from control_plane import ControlPlane, eventually
from metrics_api import MetricsApi
from nodes import GKE
from stage import stage
from workloads import FLEXSLICE, changed_lines, compile_spec, merged

TABLE = report.Table("autoscaling")
QUIET_SECONDS = 4
SECONDS = 240  # an autoscaler looks every 15 seconds
METRIC = "vllm:num_requests_waiting"
PATIENCE = {"target": {"kind": "HorizontalPodAutoscaler"}, "merge": {"spec": {"behavior": {"scaleDown": {"stabilizationWindowSeconds": 0}}}}}
SPEC = {
    "apiVersion": "flexslice/v1", "name": "t", "namespace": "scaled", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "2x4", "machineType": "ct6e-standard-8t"}, "provisioning": {"model": "on-demand", "zones": ["us-east5-b"]},
    "workload": {"kind": "deployment", "image": "run:1", "command": ["run"], "ports": [8000],
                 "autoscaling": {"min": 1, "max": 3, "metric": METRIC, "target": 5}},
    "patches": [PATIENCE],
}
GROUPS = {"tpu": {"topology": "4x4", "machineType": None}, "workload": {"kind": "leaderworkerset"}}
SCALED_POOL = {"provisioning": {"autoscale": True}}  # else its change is a step of its own
FIXED = {**SCALED_POOL, "tpu": {"slices": 3}, "workload": {"autoscaling": None}, "patches": None}
GATEWAY = {"workload": {"gateway": {"model": "m", "class": "gke-l7-rilb"}}}


def tearDownModule():
    TABLE.finish()


class Autoscaling(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane(("lws", "jobset", "kueue")))
        cls.metrics = cls.enterClassContext(MetricsApi(cls.plane))
        for label in prerequisites.CRDS:
            prerequisites.add_crds(cls.plane, label)

    def tearDown(self):
        self.metrics.waiting = 0

    def count(self, made):
        """Replicas, or groups, as the object says it."""
        return int(self.plane.kubectl("get", f"{made.controller['kind'].lower()}/{made.name}", "-n", made.namespace, "-o", "jsonpath={.spec.replicas}").stdout)

    def why(self, made):
        told = self.plane.kubectl("describe", f"hpa/{made.name}", "-n", made.namespace, check=False).stdout
        return f"{made.why(self.plane)}\n{told}"

    def wait(self, made, replicas):
        """Waits until so many replicas run, each on a node, or on a node pool, of its own."""
        hosts = made.pods_wanted()
        pods = eventually(lambda: found if self.count(made) == replicas and len(found := made.bound(self.plane)) == replicas * hosts else None,
                          lambda: f"not {replicas} replicas\n{self.why(made)}", SECONDS)
        nodes = {node["metadata"]["name"]: node["metadata"]["labels"][GKE + "nodepool"] for node in self.plane.list("nodes")}
        used = [pod["spec"]["nodeName"] for pod in pods]
        self.assertEqual(len(set(used)), len(used), "two pods on one node")
        if hosts > 1:
            groups = {}
            for pod in pods:
                groups.setdefault(pod["metadata"]["labels"]["leaderworkerset.sigs.k8s.io/group-key"], set()).add(nodes[pod["spec"]["nodeName"]])
            self.assertEqual([len(pools) for pools in groups.values()], [1] * replicas, "a group on several slices")
            self.assertEqual(len(set.union(*groups.values())), replicas, "two groups on one slice")
        eventually(lambda: len([each for each in self.plane.list("nodes") if GKE + "nodepool" in each["metadata"]["labels"]]) == replicas * hosts,
                   lambda: f"nodes stay\n{self.why(made)}", SECONDS)
        return pods

    def check_again(self, made, replicas):
        """Applying it again leaves the number and the pods as they are."""
        path = made.path("manifests.yaml")
        before = {pod["metadata"]["uid"] for pod in made.pods(self.plane)}
        said = self.plane.kubectl("apply", "-f", path).stdout.splitlines()
        self.assertEqual(changed_lines(said, path.read_text(encoding="utf-8")), [])
        self.assertEqual(self.plane.kubectl("diff", "-f", path, check=False).stdout, "")
        time.sleep(QUIET_SECONDS)
        self.assertEqual(self.count(made), replicas)
        self.assertEqual({pod["metadata"]["uid"] for pod in made.pods(self.plane)}, before)

    def check_scaling(self, what, change):
        made = compile_spec(merged(SPEC, change))
        with stage(self.plane, made) as (gke, arguments):
            gke.provision(made.commands())
            self.plane.kubectl("apply", *arguments)
            self.wait(made, 1)
            for waiting, replicas in ((15, 3), (0, 1)):
                self.metrics.waiting = waiting
                self.wait(made, replicas)
                self.check_again(made, replicas)
        name = f"prometheus.googleapis.com|{METRIC}|gauge"
        self.assertIn(name, {metric for metric, _ in self.metrics.asked})
        TABLE.row(what, "1, 3 and 1 replicas, each on a slice of its own; a second apply changes nothing")

    def test_deployment(self):
        self.check_scaling("Deployment", {})

    def test_groups(self):
        self.check_scaling("LeaderWorkerSet", GROUPS)

    def migration(self, old, new):
        """The steps of migrate.sh that kubectl does, as the script calls it."""
        run = subprocess.run([FLEXSLICE, "diff", "--emit=migrate", old.source, new.source], capture_output=True, encoding="utf-8", check=False)
        self.assertIn("keep_replicas", run.stdout, run.stderr)
        return run.stdout

    def check_takeover(self, what, change, apply):
        """Of three replicas with a number none is lost; the field of the manifest is what kubectl would set to 1."""
        old, new = compile_spec(merged(SPEC, change, FIXED)), compile_spec(merged(SPEC, change, SCALED_POOL))
        self.metrics.waiting = 5
        with stage(self.plane, old) as (gke, arguments):
            gke.provision(new.commands())
            self.plane.kubectl(*apply, *arguments)
            pods = eventually(lambda: found if len(found := old.bound(self.plane)) == old.pods_wanted() else None, lambda: old.why(self.plane), SECONDS)
            before = {pod["metadata"]["uid"] for pod in pods}
            script = self.migration(old, new)
            function = re.search(r"^keep_replicas\(\) \{\n.*?^\}\n", script, re.M | re.S)[0]
            call = re.search(r"^keep_replicas .*? <<'END'\n.*?^END\n", script.replace("\\\n", " "), re.M | re.S)[0]
            for _ in range(2):
                run = subprocess.run(["bash", "-euo", "pipefail", "-c", f'dry_run=false; namespace={old.namespace}; run() {{ "$@"; }}\n{function}\n{call}'],
                                     env=self.plane.env, capture_output=True, encoding="utf-8", check=False)
                self.assertEqual(run.returncode, 0, run.stderr)
            self.plane.kubectl(*apply, "-f", new.path("manifests.yaml"))
            self.assertEqual(self.count(new), 3)
            time.sleep(QUIET_SECONDS)
            self.assertLessEqual({pod["metadata"]["uid"] for pod in new.pods(self.plane)}, before | set())
            self.assertEqual(len(new.pods(self.plane)), len(before))
            self.plane.kubectl("delete", "--ignore-not-found", "-f", new.path("manifests.yaml"))
        TABLE.row(f"{what} gets an autoscaler, {' '.join(apply)}", "its three replicas run on")

    def test_takeover(self):
        for apply in (["apply"], ["apply", "--server-side", "--force-conflicts"]):
            with self.subTest(apply):
                self.check_takeover("Deployment", {}, apply)
        self.check_takeover("LeaderWorkerSet", GROUPS, ["apply"])

    def test_reset_without_migration(self):
        """What `diff` warns of: the number becomes 1."""
        old, new = compile_spec(merged(SPEC, FIXED)), compile_spec(merged(SPEC, SCALED_POOL))
        with stage(self.plane, old) as (gke, arguments):
            gke.provision(new.commands())
            self.plane.kubectl("apply", *arguments)
            eventually(lambda: len(old.bound(self.plane)) == 3, lambda: old.why(self.plane), SECONDS)
            said = subprocess.run([FLEXSLICE, "diff", old.source, new.source], capture_output=True, encoding="utf-8", check=False).stdout
            self.assertIn("sets the field that is gone to 1", said)
            self.plane.kubectl("apply", "-f", new.path("manifests.yaml"))
            self.assertEqual(self.count(new), 1)
            self.plane.kubectl("delete", "--ignore-not-found", "-f", new.path("manifests.yaml"))
        TABLE.row("Deployment gets an autoscaler by kubectl apply alone", "1 replica is left, as diff says")

    def test_gateway(self):
        for what, change in {"Deployment": {}, "LeaderWorkerSet": GROUPS, "a Gateway of others": {"workload": {"gateway": {"class": None, "gateway": "shared"}}}}.items():
            with self.subTest(what):
                made = compile_spec(merged(SPEC, GATEWAY, change))
                with stage(self.plane, made) as (gke, arguments):
                    gke.provision(made.commands())
                    self.plane.kubectl("apply", *arguments)
                    pods = self.wait(made, 1)
                    [pool] = [each for each in made.objects() if each["kind"] == "InferencePool"]
                    selector = ",".join(f"{key}={value}" for key, value in pool["spec"]["selector"]["matchLabels"].items())
                    self.assertEqual(len(self.plane.list("pods", made.namespace, labels=selector)), 1, "of a group the leader alone")
                    self.assertEqual(len(pods), made.pods_wanted())
                    self.check_again(made, 1)
                TABLE.row(f"gateway, {what}", "accepted by the CRDs; the pool selects the pods that serve; a second apply changes nothing")


if __name__ == "__main__":
    unittest.main()
