"""A sweep on a cluster: its points share a pool, run to their end, and one cleanup.sh removes all of them."""

import re
import tempfile
import time
import unittest
from pathlib import Path

import yaml

import report
from control_plane import ControlPlane, eventually
from gcloud import Google
from nodes import pools_of
from stage import stage
from workloads import ROOT, Artifacts, compile_spec, merged

TABLE = report.Table("sweep")
QUIET_SECONDS = 5
EXAMPLE = yaml.safe_load((ROOT / "examples/sweep/spec.yaml").read_text(encoding="utf-8"))


def tearDownModule():
    TABLE.finish()


class Sweep(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane())

    def compiled(self, *changes):
        """The artifacts of the sweep, those of its points, and the arguments with which provision.sh says to apply it."""
        sweep = compile_spec(merged(EXAMPLE, *changes), self.enterContext(tempfile.TemporaryDirectory()))
        points = [Artifacts(folder, sweep.spec, sweep.warnings, sweep.source) for folder in sorted(sweep.folder.parent.iterdir()) if folder != sweep.folder]
        self.assertEqual(len(points), 6)
        said = re.search(r"kubectl (apply --[a-z -]+), then", sweep.path("provision.sh").read_text(encoding="utf-8"))
        self.assertEqual(bool(said), sweep.queued)
        return sweep, points, said[1].split() if said else ["apply"]

    def state(self, sweep):
        """What the server has of the points, and the pods."""
        jobs = [(each["metadata"]["uid"], each["metadata"].get("generation"), each["spec"]) for each in self.plane.list("jobs", sweep.namespace)]
        return jobs, sorted(pod["metadata"]["uid"] for pod in self.plane.list("pods", sweep.namespace))

    def running(self, points):
        """The points whose pods run."""
        return [point for point in points if point.bound(self.plane) and not point.complete(self.plane)]

    def check_again(self, sweep, words):
        """Applied again, nothing changes."""
        time.sleep(QUIET_SECONDS)
        before = self.state(sweep)
        self.plane.kubectl(*words)
        time.sleep(QUIET_SECONDS)
        self.assertEqual(before, self.state(sweep))

    def check_cleanup(self, sweep):
        """One cleanup.sh, and nothing of the sweep is left: no Job, no pod, no node pool."""
        google = Google(self.plane, Path(self.enterContext(tempfile.TemporaryDirectory())), sweep.commands())
        self.assertEqual(google.left(), sorted(pool.name for pool in pools_of(sweep.commands())))
        done = google.run(sweep.path("cleanup.sh"))
        self.assertEqual((done.returncode, google.left()), (0, []), done.stderr)
        found = self.plane.kubectl("get", "-f", sweep.path("manifests.yaml"), "--ignore-not-found", "-o", "name")
        self.assertEqual(found.stdout, "")
        eventually(lambda: not self.plane.list("pods", sweep.namespace), "pods are still there")
        eventually(lambda: not self.plane.list("workloads", sweep.namespace), "Kueue still counts its workloads")

    def test_through_kueue(self):
        """Two points at a time, as the pool has two nodes; the others wait until one ends."""
        sweep, points, said = self.compiled()
        with stage(self.plane, sweep) as (gke, arguments):
            self.plane.kubectl(*said, *arguments)
            gke.provision(sweep.commands())
            left, first, seen = list(points), True, set()
            while left:
                two = eventually(lambda points=left: found if len(found := self.running(points)) == min(2, len(points)) else None,
                                 lambda points=left: "\n".join(point.why(self.plane) for point in points))
                seen |= {point.name for point in two}
                if first:
                    self.check_again(sweep, [*said, *arguments])
                    self.assertEqual([point.name for point in self.running(left)], [point.name for point in two])
                    self.assertEqual(sum(bool(point.suspended(self.plane)) for point in points), 4)
                    first = False
                nodes = {pod["spec"]["nodeName"] for point in two for pod in point.bound(self.plane)}
                self.assertEqual(len(nodes), len(two), "two points on one node")
                gke.finish(two[0].namespace, two[0].name)
                two[0].wait_complete(self.plane)
                left.remove(two[0])
            self.assertEqual(seen, {point.name for point in points})
            self.check_again(sweep, [*said, *arguments])
            self.assertLessEqual(len([node for node in self.plane.list("nodes") if "tune-pool" in node["metadata"]["name"]]), 2)
            self.check_cleanup(sweep)
        TABLE.row("six points through Kueue", "two at a time to their end; applied again, no change; one cleanup.sh leaves nothing")

    def test_without_a_queue(self):
        """All points run at once, each on its own pool, and cleanup.sh ends them."""
        sweep, points, said = self.compiled({"namespace": "team-b", "provisioning": {"queue": None, "maxNodes": None}})
        self.assertFalse(sweep.queued)
        with stage(self.plane, sweep) as (gke, arguments):
            self.plane.kubectl(*said, *arguments)
            gke.provision(sweep.commands())
            eventually(lambda: len(self.running(points)) == 6, lambda: "\n".join(point.why(self.plane) for point in points))
            nodes = {pod["spec"]["nodeName"] for point in points for pod in point.bound(self.plane)}
            self.assertEqual(len(nodes), 6)
            self.check_again(sweep, [*said, *arguments])
            self.check_cleanup(sweep)
        TABLE.row("six points without a queue", "all at once; applied again, no change; cleanup.sh ends them and leaves nothing")


if __name__ == "__main__":
    unittest.main()
