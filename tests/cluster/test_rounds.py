"""Equal workloads started at the same moment do not block each other: twenty rounds, on Autopilot and on Standard.

Workloads of one name in several namespaces do not, either: five rounds, also on node pools of somebody else.
"""

import unittest

import report
import workloads
from control_plane import ControlPlane, eventually
from gke import Gke
from workloads import compile_spec

ROUNDS = 20
NAMES = ("red", "green", "blue")
ONE_NAME = [{"name": "red", "namespace": name} for name in ("here", "there")]
TABLE = report.Table("equal workloads at once")

SPEC = {
    "apiVersion": "flexslice/v1", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "4x4"}, "workload": {"image": "busybox", "command": ["run"]},
}
AUTOPILOT = workloads.merged(SPEC, {"cluster": {"mode": "autopilot"}, "provisioning": {"model": "spot"}})
FLEX = {"provisioning": {"model": "flex-start", "zones": ["us-east5-b"]}}
ALWAYS = {"provisioning": {"model": "on-demand", "zones": ["us-east5-b"]}}


def tearDownModule():
    TABLE.finish()


class Rounds(unittest.TestCase):
    """Each round: all applied in one command, all pods get nodes, each workload on a pool of its own; then all end.

    Rounds begin by turns with no node and with the idle nodes of the round before.
    """

    def check_rounds(self, what, specs, autopilot=False, pools=(), rounds=ROUNDS):
        made = [compile_spec(each) for each in specs]
        with ControlPlane(controllers=()) as plane, Gke(plane, autopilot) as gke:
            for each in made:
                plane.namespace(each.namespace)
            for each in [compile_spec(pool) for pool in pools] or made:
                gke.provision(each.commands())
            for number in range(rounds):
                self.one_round(plane, gke, made, number)
            self.assertEqual(gke.trouble, [])
        TABLE.row(f"{what}: {rounds} rounds of {len(made)} Jobs of four hosts", "none stuck")

    def one_round(self, plane, gke, made, number):
        files = [word for each in made for word in ("-f", each.path("manifests.yaml"))]
        for each in made:
            gke.unfinish(each.namespace, each.name)
        plane.kubectl("apply", *files)
        for each in made:
            each.wait_started(plane)
        for each in made:
            gke.finish(each.namespace, each.name)
        for each in made:
            each.wait_complete(plane)
        plane.kubectl("delete", *files)
        eventually(lambda: not plane.list("pods"), "pods of the round are still there")
        if number % 2:
            gke.scale_to_zero()

    def test_autopilot(self):
        self.check_rounds("Autopilot", [workloads.merged(AUTOPILOT, {"name": name}) for name in NAMES], autopilot=True)

    def test_standard(self):
        self.check_rounds("Standard", [workloads.merged(SPEC, FLEX, {"name": name}) for name in NAMES])

    def test_one_name(self):
        self.check_rounds("one name in two namespaces, Autopilot", [workloads.merged(AUTOPILOT, each) for each in ONE_NAME], autopilot=True, rounds=5)
        theirs = [workloads.merged(SPEC, ALWAYS, {"name": name}) for name in ("first", "second")]
        own = [workloads.merged(SPEC, ALWAYS, {"provisioning": {"create": False, "zones": None}}, each) for each in ONE_NAME]
        self.check_rounds("one name in two namespaces, any pool that is there", own, pools=theirs, rounds=5)


if __name__ == "__main__":
    unittest.main()
