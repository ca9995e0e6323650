"""Kinds that serve, and Ray: the pods of a Deployment and its rollout; the others as far as the API server has their CRDs.

The controllers of LeaderWorkerSet and KubeRay and the TPU webhook are not there: their objects are accepted, and make no pods.
"""

import json
import os
import unittest
from pathlib import Path

import report
from control_plane import ControlPlane, eventually
from gke import Gke
from workloads import compile_spec, merged

TABLE = report.Table("kinds")

SPEC = {
    "apiVersion": "flexslice/v1", "name": "t", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "2x2", "slices": 3}, "provisioning": {"model": "on-demand", "zones": ["us-east5-b"]},
    "workload": {"kind": "deployment", "image": "serve:1", "ports": [8000]},
}
HOSTS = {"tpu": {"topology": "4x4", "slices": 2}}
RAY = {"workload": {"ports": None, "ray": {"version": "2.51.0"}}}
OTHERS = {
    "LeaderWorkerSet": merged(SPEC, HOSTS, {"workload": {"kind": "leaderworkerset"}}),
    "LeaderWorkerSet, leader without chips": merged(SPEC, HOSTS, {"workload": {"kind": "leaderworkerset", "leader": {"tpu": False}}}),
    "RayCluster": merged(SPEC, HOSTS, RAY, {"workload": {"kind": "raycluster"}}),
    "RayJob": merged(SPEC, HOSTS, RAY, {"workload": {"kind": "rayjob", "script": "python train.py"}}),
    "RayService": merged(SPEC, RAY, {"workload": {"kind": "rayservice", "ray": {"serveConfig": {"applications": []}}}}),
}


def tearDownModule():
    TABLE.finish()


class Kinds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane(controllers=()))
        crds = Path(os.environ["FLEXSLICE_KUBE"]).parent / "validate-manifests/crds"
        files = [word for name in ("leaderworkerset", "ray.io") for path in crds.glob(f"{name}*.yaml") for word in ("-f", path)]
        cls.plane.kubectl("apply", "--server-side", *files)
        cls.plane.kubectl("wait", "--for=condition=Established", "--timeout=60s", *files)

    def apply(self, made):
        return self.plane.kubectl("apply", "-f", made.path("manifests.yaml")).stdout

    def pods(self):
        """{pod: its node} of those that are not being deleted."""
        return {pod["metadata"]["name"]: (pod["spec"].get("nodeName"), pod["spec"]["containers"][0]["image"])
                for pod in self.plane.list("pods", "default", labels="app=t") if "deletionTimestamp" not in pod["metadata"]}

    def rolled_out(self, image):
        """Every replica runs that image on a node of its own."""
        def done():
            pods = self.pods()
            nodes = {node for node, _ in pods.values() if node}
            return len(nodes) == len(pods) == 3 and {each for _, each in pods.values()} == {image}
        eventually(done, lambda: f"{image}: {self.pods()}", 120)
        status = self.plane.kubectl("rollout", "status", "deployment/t", "--timeout=60s").stdout
        self.assertIn("successfully rolled out", status)

    def roll(self, nodes, *changes):
        with Gke(self.plane) as gke:
            made = compile_spec(merged(SPEC, *changes))
            gke.provision(made.commands())
            self.addCleanup(gke.remove_pools)
            self.assertEqual(nodes, len(self.plane.list("nodes")))
            self.apply(made)
            self.rolled_out("serve:1")
            # kubectl calls every apply of a disruption budget a change: its patch always replaces the selector.
            again = [line for line in self.apply(made).splitlines() if not line.startswith("poddisruptionbudget")]
            self.assertTrue(all(line.endswith("unchanged") for line in again), again)
            self.apply(compile_spec(merged(SPEC, *changes, {"workload": {"image": "serve:2"}})))
            self.rolled_out("serve:2")
            endpoints = self.plane.kubectl("get", "endpointslices", "-l", "kubernetes.io/service-name=t", "-o", "json").stdout
            ready = [each for part in json.loads(endpoints)["items"] for each in part.get("endpoints") or []]
            self.assertEqual(3, len(ready))
            self.plane.kubectl("delete", "-f", made.path("manifests.yaml"), "--wait=false")
            eventually(lambda: not self.plane.list("pods", "default"), "pods are still there")
            gke.remove_pools()
        TABLE.row(f"Deployment of 3 replicas on {nodes} nodes", "a pod on each node, unchanged by a second apply, rollout completes")

    def test_rollout_without_spare_nodes(self):
        self.roll(3)

    def test_rollout_with_spare_nodes(self):
        self.roll(4, {"provisioning": {"maxNodes": 4}})

    def test_other_kinds_are_accepted(self):
        for what, spec in OTHERS.items():
            with self.subTest(what):
                made = compile_spec(spec)
                self.plane.kubectl("apply", "--server-side", "--dry-run=server", "--validate=strict", "-f", made.path("manifests.yaml"))
                self.assertNotIn("unchanged", self.apply(made))
                self.apply(made)
                kind = what.split(",")[0].lower()
                generation = self.plane.kubectl("get", f"{kind}/t", "-o", "jsonpath={.metadata.generation}").stdout
                self.assertEqual("1", generation, "the second apply changed the object")
                self.plane.kubectl("delete", "-f", made.path("manifests.yaml"))
                TABLE.row(what, "accepted, unchanged by a second apply; its controller was not run")


if __name__ == "__main__":
    unittest.main(verbosity=2)
