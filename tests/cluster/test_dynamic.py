"""Dynamic slices on a cluster: the manifests are applied again before the workload is admitted, while it runs and when it has ended.

Kueue chooses nodes, the slice controllers form slices of them, and both write into the workload what its pods select.  No
apply undoes that: it changes nothing, or it is refused where the first lines of the file say so.
"""

import time
import unittest

import yaml

import report
from control_plane import ControlPlane, eventually
from nodes import GKE, PARTS, chips_of, part_label
from slices import Slices, part_of
from stage import stage
from workloads import ROOT, compile_spec, merged

TABLE = report.Table("dynamic slices")
QUIET_SECONDS = 5
EXAMPLE = yaml.safe_load((ROOT / "examples/dynamic-slices/spec.yaml").read_text(encoding="utf-8"))
# The pools of the same spec, if its scripts created them.
CREATED = {"provisioning": {"create": None, "zones": ["us-central1-c"], "reservation": "projects/p/reservations/r/reservationBlocks/b"}}
ROWS = {
    "the example": {},
    "a JobSet of one sub-block": {"tpu": {"topology": "4x4x4", "slices": 1}},
    "a JobSet of two sub-blocks": {"tpu": {"topology": "4x4x8", "slices": 1}, "provisioning": {"nodePool": None}},
    "a Job of several hosts": {"tpu": {"topology": "2x4x4", "slices": None}, "workload": {"kind": "job"}},
    "a Job of one host": {"tpu": {"topology": "2x2x1", "slices": None}, "workload": {"kind": "job"}},
}


def tearDownModule():
    TABLE.finish()


class Dynamic(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane())

    def state(self, made):
        """What the server has of the workload, and its pods."""
        found = [self.plane.kubectl("get", f"{each['kind'].lower()}/{each['metadata']['name']}", "-n", made.namespace, "-o",
                                    "jsonpath={.metadata.generation} {.spec}").stdout for each in made.objects()]
        return found, sorted(pod["metadata"]["uid"] for pod in self.plane.list("pods", made.namespace))

    def check_again(self, made, arguments):
        """Applied in each way that its files name, nothing changes."""
        time.sleep(QUIET_SECONDS)
        before = self.state(made)
        for words in made.ways_to_apply():
            self.plane.kubectl(*words, *arguments)
            time.sleep(QUIET_SECONDS)
            self.assertEqual(before, self.state(made), " ".join(words))

    def check_admitted(self, made, arguments):
        """It runs, or has run."""
        if "delete the workload first" not in made.path("manifests.yaml").read_text(encoding="utf-8").partition("---")[0]:
            self.check_again(made, arguments)
        time.sleep(QUIET_SECONDS)
        before = self.state(made)
        refused = self.plane.kubectl(*made.next_words(), *arguments, check=False)
        time.sleep(QUIET_SECONDS)
        self.assertEqual(refused.returncode, 1, "it is accepted, and the first lines of the file say that it is not")
        self.assertIn("immutable", refused.stderr)
        self.assertEqual(before, self.state(made))

    def reserved(self, made):
        """Whether Kueue has chosen nodes, and waits for the check."""
        return any(condition["type"] == "QuotaReserved" and condition["status"] == "True"
                   for each in self.plane.list("workloads", made.namespace) for condition in each.get("status", {}).get("conditions", []))

    def check_slices(self, made, pods):
        """The pods of a slice have its parts whole, and no other slice is there."""
        shape = made.spec["tpu"]["topology"]
        part = part_label(part_of(shape))
        labels = {node["metadata"]["name"]: node["metadata"]["labels"] for node in self.plane.list("nodes")}
        used = {}
        for pod in pods:
            self.assertEqual(pod["spec"]["nodeSelector"][GKE + "tpu-topology"], shape)
            used.setdefault(pod["metadata"]["labels"]["job-name"], []).append(labels[pod["spec"]["nodeName"]][part])
        parts = [name for names in used.values() for name in set(names)]
        self.assertEqual(len(used), made.slices)
        self.assertEqual(len(parts), len(set(parts)), used)
        self.assertEqual(len(parts), made.slices * max(1, chips_of(shape) // chips_of(PARTS[-1])), used)

    def check(self, change):
        made = compile_spec(merged(EXAMPLE, change))
        created = compile_spec(merged(EXAMPLE, change, CREATED), options=("--gcloud-version", "588.0.0"))
        with Slices(self.plane) as slices, stage(self.plane, made) as (gke, arguments):
            gke.provision(created.commands())
            self.plane.kubectl(*made.next_words(), *arguments)
            eventually(lambda: self.reserved(made), lambda: made.why(self.plane))
            self.check_again(made, arguments)
            self.assertTrue(made.suspended(self.plane))
            slices.form = True
            pods = eventually(lambda: found if len(found := made.bound(self.plane)) == made.pods_wanted() else None, lambda: made.why(self.plane))
            self.check_slices(made, pods)
            self.check_admitted(made, arguments)
            gke.finish(made.namespace, made.name)
            made.wait_complete(self.plane)
            self.check_admitted(made, arguments)
            self.assertEqual(slices.trouble, [])

    def test_applied_again(self):
        for what, change in ROWS.items():
            with self.subTest(what):
                result = "FAILED"
                try:
                    self.check(change)
                    result = "starts on slices of its own, ends; applied again before, meanwhile and after, as its file says, no change"
                finally:
                    TABLE.row(what, result)


if __name__ == "__main__":
    unittest.main()
