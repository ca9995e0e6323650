"""Pathways: a head without chips and workers on slices, with the real controllers.

The head is on an ordinary node and each slice on a pool of its own; all start again together when the head fails; the
workload has ended when the head has.  The cluster has only what `explain` lists as required.
"""

import unittest

import control_plane
import report
from control_plane import ControlPlane, eventually
from stage import stage
from workloads import compile_spec, merged, with_chips

TABLE = report.Table("pathways")
SECONDS = control_plane.SECONDS + 60

SPEC = {
    "apiVersion": "flexslice/v1", "name": "t", "namespace": "pathways", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "4x4", "slices": 2}, "provisioning": {"model": "on-demand", "zones": ["us-east5-b"]},
    "workload": {"kind": "pathways", "image": "run:1", "command": ["run"], "maxRestarts": 1, "pathways": {"gcsLocation": "gs://my-bucket/pathways"}},
}
WAYS = {
    "two slices": {},
    "one slice": {"tpu": {"slices": 1}},
    "slices of one host": {"tpu": {"topology": "2x2"}},
    "nodes that come with the pods": {"provisioning": {"model": "flex-start"}},
    "in a queue": {"provisioning": {"queue": "q"}},
}


def tearDownModule():
    TABLE.finish()


class Pathways(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane(("jobset", "kueue")))

    def head(self, made):
        """The pod of the head that is not gone."""
        pods = [pod for pod in made.pods(self.plane) if not with_chips(pod) and pod["status"]["phase"] not in ("Failed", "Succeeded")]
        return pods[0] if len(pods) == 1 else None

    def check_placed(self, made, pods):
        """The head on a node without chips, which every pod has the address of."""
        head = eventually(lambda: self.head(made), lambda: made.why(self.plane))
        nodes = {node["metadata"]["name"]: node for node in self.plane.list("nodes")}
        self.assertNotIn("google.com/tpu", nodes[head["spec"]["nodeName"]]["status"]["allocatable"])
        address = f"{head['spec']['hostname']}.{head['spec']['subdomain']}"
        self.assertEqual({pod["metadata"]["labels"]["jobset.sigs.k8s.io/coordinator"] for pod in [head, *pods]}, {address})
        eventually(lambda: head["spec"]["hostname"] in made.published(self.plane, head["spec"]["subdomain"]), "the head has no address")
        return head

    def words(self, made):
        """How its files are applied, after kubectl."""
        return made.ways_to_apply()[0] if made.has("queues.yaml") else ["apply"]

    def state(self, made):
        """What the server has of the JobSet, and its pods."""
        spec = self.plane.kubectl("get", f"jobset/{made.name}", "-n", made.namespace, "-o", "jsonpath={.spec}").stdout
        return spec, sorted(pod["metadata"]["uid"] for pod in made.pods(self.plane))

    def check_again(self, made):
        before = self.state(made)
        self.plane.kubectl(*self.words(made), "-f", made.path("manifests.yaml"))
        self.assertEqual(before, self.state(made))

    def check(self, what, change):
        made = compile_spec(merged(SPEC, change))
        with stage(self.plane, made) as (gke, arguments):
            gke.provision(made.commands())
            self.plane.kubectl(*self.words(made), *arguments)
            pods = made.wait_started(self.plane, SECONDS)
            head = self.check_placed(made, pods)
            self.check_again(made)
            self.plane.patch_status("pods", made.namespace, head["metadata"]["name"], {"phase": "Failed"})
            before = {pod["metadata"]["uid"] for pod in [head, *pods]}
            eventually(lambda: (found := made.bound(self.plane)) and len(found) == made.pods_wanted() and self.head(made) and not before & {
                pod["metadata"]["uid"] for pod in [self.head(made), *found]}, lambda: made.why(self.plane), SECONDS)
            head = self.check_placed(made, made.wait_started(self.plane, SECONDS))
            gke.finish(made.namespace, head["metadata"]["labels"]["job-name"])
            made.wait_complete(self.plane, SECONDS)
            eventually(lambda: not made.bound(self.plane), "workers run on after the head has ended")
        TABLE.row(what, "head on an ordinary node, each slice on a pool of its own; all start again with the head, and end with it")

    def test_all(self):
        for what, change in WAYS.items():
            with self.subTest(what):
                self.check(what, change)


if __name__ == "__main__":
    unittest.main(verbosity=2)
