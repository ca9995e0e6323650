"""Kinds that serve, and Ray: the pods of a Deployment and of a LeaderWorkerSet, their rollout, a group that starts again.

The objects of Ray go as far as the API server has their CRDs: KubeRay and the TPU webhook are not there.
"""

import json
import unittest

import lws
import report
from control_plane import ControlPlane, eventually
from gke import Gke
from stage import ordinary_node
from workloads import compile_spec, merged

TABLE = report.Table("kinds")

SPEC = {
    "apiVersion": "flexslice/v1", "name": "t", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "2x2", "slices": 3}, "provisioning": {"model": "on-demand", "zones": ["us-east5-b"]},
    "workload": {"kind": "deployment", "image": "serve:1", "ports": [8000]},
}
HOSTS = {"tpu": {"topology": "4x4", "slices": 2}}
RAY = {"workload": {"ports": None, "ray": {"version": "2.51.0"}}}
GROUPS = merged(SPEC, HOSTS, {"workload": {"kind": "leaderworkerset"}})
WITH_ROUTER = merged(GROUPS, {"workload": {"leader": {"tpu": False}}})
OTHERS = {
    "LeaderWorkerSet": GROUPS,
    "LeaderWorkerSet, leader without chips": WITH_ROUTER,
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
        cls.plane.serving_crds()

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


class Groups(unittest.TestCase):
    """LeaderWorkerSets with the real controller: each group on one slice, and the slice its own."""

    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane(controllers=()))
        cls.plane.serving_crds()
        lws.start(cls.plane)

    def pods(self):
        """{pod: (group, node, pool, image, uid)} of those that are not being deleted."""
        pools = {node["metadata"]["name"]: node["metadata"]["labels"].get("cloud.google.com/gke-nodepool")
                 for node in self.plane.list("nodes")}
        return {pod["metadata"]["name"]: (pod["metadata"]["labels"]["leaderworkerset.sigs.k8s.io/group-index"], pod["spec"].get("nodeName"),
                                          pools.get(pod["spec"].get("nodeName")), pod["spec"]["containers"][0]["image"], pod["metadata"]["uid"])
                for pod in self.plane.list("pods", "default", labels="leaderworkerset.sigs.k8s.io/name=t")
                if "deletionTimestamp" not in pod["metadata"]}

    def started(self, size, image="serve:1"):
        """Waits until both groups run that image, each on one pool of its own, a pod on each of its nodes."""
        def done():
            pods = self.pods()
            if len(pods) != 2 * size or not all(node and each == image for _, node, _, each, _ in pods.values()):
                return None
            ready = self.plane.kubectl("get", "leaderworkerset/t", "-o", "jsonpath={.status.readyReplicas}").stdout
            return pods if ready == "2" else None
        pods = eventually(done, lambda: f"{image}: {self.pods()}", 120)
        on_slices = [each for each in pods.values() if each[2] in ("t-pool-0", "t-pool-1")]
        self.assertEqual(8, len({node for _, node, *_ in on_slices}))
        self.assertEqual(2, len({(group, pool) for group, _, pool, *_ in on_slices}))
        return pods

    def check(self, what, spec, size, ordinary):
        with Gke(self.plane) as gke:
            made = compile_spec(spec)
            gke.provision(made.commands())
            self.addCleanup(gke.remove_pools)
            for name in ordinary:
                self.plane.create("nodes", ordinary_node(name))
                self.addCleanup(self.plane.delete, "nodes", None, name)
            self.plane.kubectl("apply", "-f", made.path("manifests.yaml"))
            pods = self.started(size)
            again = self.plane.kubectl("apply", "-f", made.path("manifests.yaml")).stdout.splitlines()
            self.assertTrue(all(line.endswith("unchanged") for line in again), again)

            self.plane.delete("pods", "default", "t-0-2")
            before = {name: uid for name, (*_, uid) in pods.items()}
            eventually(lambda: len(self.pods()) == 2 * size and not any(
                before[name] == uid for name, (group, *_, uid) in self.pods().items() if group == "0"), "the group is as it was", 120)
            self.started(size)
            self.assertTrue(all(before[name] == uid for name, (group, *_, uid) in self.pods().items() if group == "1"),
                            "the other group started again, too")

            self.plane.kubectl("apply", "-f", compile_spec(merged(spec, {"workload": {"image": "serve:2"}})).path("manifests.yaml"))
            self.started(size, "serve:2")
            self.plane.kubectl("delete", "-f", made.path("manifests.yaml"), "--wait=false")
            eventually(lambda: not self.plane.list("pods", "default"), "pods are still there")
            gke.remove_pools()
        TABLE.row(what, "each group on a slice of its own, unchanged by a second apply, starts again as a group, rollout completes")

    def test_leader_with_chips(self):
        self.check("LeaderWorkerSet of 2 groups, its controller", GROUPS, 4, ())

    def test_leader_without_chips(self):
        self.check("LeaderWorkerSet of 2 groups, leaders without chips, its controller", WITH_ROUTER, 5, ("cpu-0", "cpu-1"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
