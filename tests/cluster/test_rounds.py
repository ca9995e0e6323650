"""Equal workloads started at the same moment do not block each other: twenty rounds, on Autopilot and on Standard."""

import unittest

import report
import workloads
from control_plane import ControlPlane, eventually
from gke import Gke
from workloads import compile_specs

ROUNDS = 20
NAMES = ("red", "green", "blue")
TABLE = report.Table("equal workloads at once")

SPEC = {
    "apiVersion": "flexslice/v1", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "4x4"}, "workload": {"image": "busybox", "command": ["run"]},
}


def tearDownModule():
    TABLE.finish()


class Rounds(unittest.TestCase):
    """Each round: all applied in one command, all pods get nodes, each workload on a pool of its own; then all end.

    Rounds begin by turns with no node and with the idle nodes of the round before.
    """

    def check_rounds(self, specs, autopilot):
        made = compile_specs(specs)
        with ControlPlane(controllers=()) as plane, Gke(plane, autopilot) as gke:
            for each in made:
                gke.provision(each.commands())
            for number in range(ROUNDS):
                self.one_round(plane, gke, made, number)
            self.assertEqual(gke.trouble, [])
        TABLE.row(f"{'Autopilot' if autopilot else 'Standard'}: {ROUNDS} rounds of {len(made)} Jobs of four hosts", "none stuck")

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
        eventually(lambda: not plane.list("pods", "default"), "pods of the round are still there")
        if number % 2:
            gke.scale_to_zero()

    def test_autopilot(self):
        spec = workloads.merged(SPEC, {"cluster": {"mode": "autopilot"}, "provisioning": {"model": "spot"}})
        self.check_rounds([workloads.merged(spec, {"name": name}) for name in NAMES], autopilot=True)

    def test_standard(self):
        spec = workloads.merged(SPEC, {"provisioning": {"model": "flex-start", "zones": ["us-east5-b"]}})
        self.check_rounds([workloads.merged(spec, {"name": name}) for name in NAMES], autopilot=False)


if __name__ == "__main__":
    unittest.main()
