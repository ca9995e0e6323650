"""A queue that somebody else made: its flavors know the nodes and nothing of Kueue's topologies, as those of xpk and of most teams.

`queue: {name, topology: none}` has to keep slices together without Kueue.  The pools are of the spec's own, or pools that are
there and that no spec names; their nodes arrive one at a time, so that each of two workloads could get some of a pool's.
"""

import itertools
import tempfile
import time
import unittest

import yaml

import report
from control_plane import ControlPlane, eventually
from gke import Gke
from nodes import GKE, TPU, chips_of
from workloads import compile_spec, merged

TABLE = report.Table("queues that somebody else made")
QUEUE = "multislice-queue"
QUIET_SECONDS = 5
SHAPES = {"one host": "2x2", "two hosts": "2x4"}
SPEC = {
    "apiVersion": "flexslice/v1", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "machineType": "ct6e-standard-4t"},
    "provisioning": {"zones": ["us-east5-b"], "queue": {"name": QUEUE, "topology": "none"}},
    "workload": {"image": "busybox", "command": ["run"]},
}
# {what: what the specs say of their pools}
POOLS = {
    "pools of its own": {"provisioning": {"model": "flex-start"}},
    "pools that nothing names": {"provisioning": {"model": "on-demand", "create": False, "zones": None}},
}
REFUSED = [("job", "two hosts", 2), ("jobset", "one host", 2), ("leaderworkerset", "one host", 1), ("leaderworkerset", "one host", 2)]  # also without a queue
CREATED = {"provisioning": {"create": None, "zones": ["us-east5-b"]}}


def tearDownModule():
    TABLE.finish()


def queue_of_others(namespace, topology, chips):
    """The YAML of a queue: a flavor by the labels of nodes, and a quota of chips."""
    kueue = {"apiVersion": "kueue.x-k8s.io/v1beta2"}
    labels = {GKE + "tpu-accelerator": "tpu-v6e-slice", GKE + "tpu-topology": topology}
    group = {"coveredResources": [TPU], "flavors": [{"name": namespace, "resources": [{"name": TPU, "nominalQuota": chips}]}]}
    return yaml.safe_dump_all([
        kueue | {"kind": "ResourceFlavor", "metadata": {"name": namespace}, "spec": {"nodeLabels": labels}},
        kueue | {"kind": "ClusterQueue", "metadata": {"name": namespace}, "spec": {"namespaceSelector": {}, "resourceGroups": [group]}},
        kueue | {"kind": "LocalQueue", "metadata": {"name": QUEUE, "namespace": namespace}, "spec": {"clusterQueue": namespace}}])


class TheirQueues:
    """Base: the kinds of some controllers."""

    kinds, controllers = (), ()

    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane(cls.controllers))

    def compiled(self, spec):
        """Two equal workloads."""
        return [compile_spec(merged(spec, {"name": name}), self.enterContext(tempfile.TemporaryDirectory())) for name in ("first", "second")]

    def fill(self, gke, created):
        """The nodes of all pools arrive, one at a time; the scheduler has the time to use each before the next arrives."""
        names = [pool.name for each in created for pool in gke.provision(each.commands())]
        while names:
            time.sleep(0.5)
            names = [name for name in names if gke.add_node(name)]

    def delete(self, made, *files):
        self.plane.kubectl("delete", "--ignore-not-found", *files)
        eventually(lambda: not any(each.pods(self.plane) for each in made), "pods are still there")

    def check_turns(self, made, files):
        """The quota is for one: the second waits for the first."""
        for each, file in zip(made, files):
            self.plane.kubectl(*each.next_words(), "-f", file)
            time.sleep(1)
        made[0].wait_started(self.plane)
        time.sleep(QUIET_SECONDS)
        self.assertEqual([], made[1].bound(self.plane), "the second has nodes")
        self.delete(made[:1], "-f", files[0])
        made[1].wait_started(self.plane)
        self.delete(made[1:], "-f", files[1])

    def check_both(self, gke, made, created, files):
        """The quota is for both: while nodes arrive they do not take them from each other. Applied again, nothing changes."""
        both = ("-f", files[0], "-f", files[1])
        self.plane.kubectl(*made[0].next_words(), *both)
        self.fill(gke, created)
        for each in made:
            each.wait_started(self.plane)
        time.sleep(QUIET_SECONDS)
        before = self.state(made)
        for words in made[0].ways_to_apply():
            self.plane.kubectl(*words, *both)
            time.sleep(QUIET_SECONDS)
            self.assertEqual(before, self.state(made), " ".join(words))
        self.delete(made, *both)

    def state(self, made):
        """What the server has of the workloads, and their pods."""
        found = [self.plane.kubectl("get", f"{each['kind'].lower()}/{each['metadata']['name']}", "-n", one.namespace, "-o", "jsonpath={.spec}").stdout
                 for one in made for each in one.objects()]
        return found, [sorted(pod["metadata"]["uid"] for pod in each.pods(self.plane)) for each in made]

    def check(self, unique, spec):
        spec = merged(spec, {"namespace": unique})
        made, created = self.compiled(spec), self.compiled(merged(spec, CREATED))
        files, topology = [each.path("manifests.yaml") for each in made], spec["tpu"]["topology"]
        chips = chips_of(topology) * spec["tpu"]["slices"]
        self.assertFalse(any(each.has("queues.yaml") for each in made), "the queue is not ours")
        with Gke(self.plane, by_hand=True) as gke:
            try:
                self.plane.namespace(unique)
                self.plane.kubectl("apply", "-f", "-", stdin=queue_of_others(unique, topology, chips))
                self.fill(gke, created)
                self.check_turns(made, files)
                gke.remove_pools()
                self.plane.kubectl("apply", "-f", "-", stdin=queue_of_others(unique, topology, 2 * chips))
                self.check_both(gke, made, created, files)
                self.assertEqual(gke.trouble, [])
            finally:
                self.delete(made, "-f", files[0], "-f", files[1])
                gke.remove_pools()

    def test_every_combination(self):
        for number, (pools, slices, shape, kind) in enumerate(itertools.product(POOLS, (1, 2), SHAPES, self.kinds)):
            if (kind, shape, slices) in REFUSED:
                continue
            title = f"{kind}, {slices} × {shape}, {pools}"
            spec = merged(SPEC, {"tpu": {"topology": SHAPES[shape], "slices": slices}, "workload": {"kind": kind}}, POOLS[pools])
            with self.subTest(title):
                result = "FAILED"
                try:
                    self.check(f"{self.kinds[0]}-{number}", spec)
                    result = "admitted; a second waits for quota; both keep their slices apart; applied again, no change"
                finally:
                    TABLE.row(title, result)


class Jobs(TheirQueues, unittest.TestCase):
    kinds, controllers = ("job", "jobset"), ("jobset", "kueue")


class Servers(TheirQueues, unittest.TestCase):
    kinds, controllers = ("leaderworkerset",), ("jobset", "kueue", "lws")


if __name__ == "__main__":
    unittest.main()
