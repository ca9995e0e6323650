"""A node that reaches the end of its lifetime while its workload runs: no new pod, and so no new node, unless the spec asks for one.

`maxRunDuration: 6h` means that it costs six hours.  The end comes in both ways that GKE has: the kubelet is told and ends
its pod, or the node is just gone and Kubernetes deletes its pods.
"""

import time
import unittest

import control_plane
import report
from control_plane import ControlPlane, eventually
from stage import stage
from workloads import compile_spec, merged

TABLE = report.Table("the end of a node's lifetime")
SECONDS = control_plane.SECONDS + 90  # Kubernetes deletes the pods of a node that is gone after a minute
QUIET_SECONDS = 10

SPEC = {
    "apiVersion": "flexslice/v1", "name": "t", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "2x2"},
    "provisioning": {"model": "flex-start", "zones": ["us-east5-b"], "maxRunDuration": "6h"},
    "workload": {"image": "run:1", "command": ["run"]},
}
ENDS = {
    "Job on one host": {},
    "Job on slices of one host": {"tpu": {"slices": 2}},
    "Job on several hosts": {"tpu": {"topology": "4x4"}},
    "JobSet on one host": {"workload": {"kind": "jobset"}},
}
STARTS_AGAIN = {
    "Job on one host with backoffLimit": {"workload": {"backoffLimit": 2}},
    "JobSet on one host with maxRestarts": {"workload": {"kind": "jobset", "maxRestarts": 2}},
}


def tearDownModule():
    TABLE.finish()


class Lifetime(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane(("jobset",)))

    def failed(self, made):
        """The message with which it has failed, or None."""
        found = self.plane.get(made.controller["kind"].lower() + "s", made.namespace, made.name)
        return next((each["message"] for each in found.get("status", {}).get("conditions", [])
                     if each["type"] == "Failed" and each["status"] == "True"), None)

    def check(self, what, change, told, again):
        made = compile_spec(merged(SPEC, change))
        with stage(self.plane, made) as (gke, arguments):
            gke.provision(made.commands())
            self.plane.kubectl("apply", *arguments)
            pods = {pod["metadata"]["uid"] for pod in made.wait_started(self.plane)}
            nodes = gke.made
            gke.end_lifetime(told)
            if again:
                eventually(lambda: gke.made > nodes and (found := made.bound(self.plane)) and not pods & {
                    pod["metadata"]["uid"] for pod in found}, lambda: made.why(self.plane), SECONDS)
                result = "starts again on a new node, as the spec asks for"
            else:
                result = f"fails: {eventually(lambda: self.failed(made), lambda: made.why(self.plane), SECONDS)}"
                time.sleep(QUIET_SECONDS)
                self.assertLessEqual({pod["metadata"]["uid"] for pod in made.pods(self.plane)}, pods, "there is a new pod")
                self.assertEqual(gke.made, nodes, "there are new nodes")
        TABLE.row(f"{what}; {'its kubelet ends the pod' if told else 'the node is just gone'}", result)

    def check_all(self, rows, again):
        for what, change in rows.items():
            for told in (True, False):
                with self.subTest(what, told=told):
                    self.check(what, change, told, again)

    def test_it_ends(self):
        self.check_all(ENDS, False)

    def test_it_starts_again_where_the_spec_says_so(self):
        self.check_all(STARTS_AGAIN, True)


if __name__ == "__main__":
    unittest.main(verbosity=2)
