"""A queue over several node pools whose nodes arrive one at a time: each workload gets a whole slice, whatever the order.

flex-start pools begin with no nodes, and Kueue counts quota, not nodes.  Two workloads that it admits for one pool could each
get some of the pool's nodes, and wait for the others for ever while all of them are billed.
"""

import tempfile
import time
import unittest
from pathlib import Path

import report
import workloads
from control_plane import ControlPlane, eventually
from gke import NODE_POOL, Gke
from workloads import Artifacts, compile_spec, compile_specs, merged

TABLE = report.Table("pools filled one node at a time")
SECONDS_PER_NODE = 1
SPEC = {
    "apiVersion": "flexslice/v1", "namespace": "pools", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "4x4"}, "provisioning": {"model": "flex-start", "zones": ["us-east5-b"], "queue": "q"},
    "workload": {"image": "busybox", "command": ["run"]},
}
THREE = [  # two that share a pool, as the help for a shared pool says, and one on another
    {"name": "a1", "provisioning": {"nodePool": "pool-a"}},
    {"name": "a2", "provisioning": {"nodePool": "pool-a", "create": False}},
    {"name": "b1", "provisioning": {"nodePool": "pool-b"}},
]
SWEEP = {"name": "sweep", "matrix": {"vary": {"provisioning.nodePool": ["pool-a", "pool-b"], "workload.env.LR": ["0.1", "0.03", "0.01"]}}}
ORDERS = {
    "pool-a, then pool-b": ["pool-a"] * 4 + ["pool-b"] * 4,
    "pool-b, then pool-a": ["pool-b"] * 4 + ["pool-a"] * 4,
    "both in turn": ["pool-a", "pool-b"] * 4,
}


def tearDownModule():
    TABLE.finish()


def pool_of(made):
    """The node pool that the pods of a workload select."""
    return made.pod_template()["spec"]["nodeSelector"][NODE_POOL]


class Pools(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane())

    def compiled(self, *documents):
        return compile_specs([merged(SPEC, each) for each in documents], self.enterContext(tempfile.TemporaryDirectory()))

    def sweep(self):
        """The points of the sweep."""
        made = compile_spec(merged(SPEC, SWEEP), self.enterContext(tempfile.TemporaryDirectory()))
        folders = sorted(folder for folder in Path(made.folder.parent).iterdir() if folder != made.folder)
        self.assertEqual(len(folders), 6)
        return [Artifacts(folder, made.spec, made.warnings, made.source) for folder in folders], made

    def look(self, made):
        """Fails where a pool is given to two workloads, by the queue or by the scheduler; returns those that are admitted."""
        pools = {node["metadata"]["name"]: node["metadata"]["labels"][NODE_POOL] for node in self.plane.list("nodes")}
        admitted, users = {}, {}
        for each in made:
            if each.complete(self.plane):
                continue
            if not each.suspended(self.plane):
                admitted.setdefault(pool_of(each), []).append(each)
            for pod in each.pods(self.plane):
                if pod["spec"].get("nodeName"):
                    users.setdefault(pools[pod["spec"]["nodeName"]], set()).add(each.name)
        self.assertEqual({}, {pool: [each.name for each in found] for pool, found in admitted.items() if len(found) > 1}, "admitted for one pool")
        self.assertEqual({}, {pool: names for pool, names in users.items() if len(names) > 1}, "on one pool")
        return [found[0] for found in admitted.values()]

    def fill(self, gke, made, order):
        """The nodes arrive; the scheduler has the time to use each before the next arrives."""
        for pool in order:
            self.assertTrue(gke.add_node(pool), f"{pool} is full")
            end = time.monotonic() + SECONDS_PER_NODE
            while time.monotonic() < end:
                self.look(made)
                time.sleep(0.2)

    def run_all(self, gke, made, order):
        """One workload of each pool is admitted and starts when its pool is full; when it ends, the next one of its pool starts."""
        def running(count):
            return lambda: found if len(found := self.look(made)) == count else None

        def why():
            return "\n".join(each.why(self.plane) for each in made)

        waiting = list(made)
        count = len({pool_of(each) for each in waiting})
        self.assertEqual(count, 2)
        admitted = eventually(running(count), why)
        self.fill(gke, made, order)
        while True:
            for each in admitted:
                each.wait_started(self.plane)
                gke.finish(each.namespace, each.name)
                each.wait_complete(self.plane)
                waiting.remove(each)
            if not waiting:
                return
            admitted = eventually(running(len({pool_of(each) for each in waiting})), why)

    def check(self, made, creates, order):
        """`made` in the order in which they are applied; `creates` have the commands that create the pools."""
        files = [word for each in made for word in ("-f", each.path("manifests.yaml"))]
        queue = creates[0].path("queues.yaml")
        with Gke(self.plane, by_hand=True) as gke:
            try:
                workloads.prepare(self.plane, creates[0])
                for each in creates:
                    gke.provision(each.commands())
                self.assertEqual({name: len(pool.room()) for name, pool in gke.pools.items()}, {"pool-a": 4, "pool-b": 4})
                self.plane.kubectl("apply", "--server-side", "-f", queue, *files)
                self.run_all(gke, made, order)
                self.assertEqual(gke.trouble, [])
            finally:
                self.plane.kubectl("delete", "--ignore-not-found", *files, "-f", queue)
                eventually(lambda: not self.plane.list("pods", "pools"), "pods are still there")
                gke.remove_pools()

    def check_orders(self, what, made, creates):
        for order, names in ORDERS.items():
            for applied in (made, made[::-1]):
                title = f"{what}, {applied[0].name} applied first; nodes: {order}"
                with self.subTest(title):
                    result = "FAILED"
                    try:
                        self.check(applied, creates, names)
                        result = "one on each pool at a time, all end"
                    finally:
                        TABLE.row(title, result)

    def test_specs_that_share_a_pool(self):
        made = self.compiled(*THREE)
        self.check_orders("Jobs", made, made)

    def test_jobsets(self):
        made = self.compiled(*(merged(each, {"workload": {"kind": "jobset"}}) for each in THREE))
        self.check_orders("JobSets", made, made)

    def test_sweep(self):
        points, sweep = self.sweep()
        self.check_orders("sweep", points, [sweep])


if __name__ == "__main__":
    unittest.main()
