"""Capacity without a workload: the queues of three teams, as the spec of an admin describes them, under the real Kueue.

What each team gets, borrows, lends and gets back is what `explain` says of the queues, and the largest workload that `check`
accepts is admitted, while the next larger one is refused by `check` and never admitted.
"""

import subprocess
import time
import unittest

import report
from control_plane import ControlPlane, eventually
from gke import Gke
from workloads import FLEXSLICE, Refused, codes, compile_spec, compile_specs, merged

TABLE = report.Table("platform")
QUIET_SECONDS = 5
SLICE = 16  # chips

PLATFORM = {
    "apiVersion": "flexslice/v1", "name": "platform", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "4x4", "slices": 4},
    "provisioning": {"model": "on-demand", "zones": ["us-east5-b"], "queues": [
        {"name": "training", "namespaces": ["training"], "quota": 32, "cohort": "research",
         "preempt": {"reclaimWithinCohort": "Any", "withinClusterQueue": "LowerPriority"},
         "priorities": [{"name": "urgent", "value": 1000}, {"name": "usual", "value": 100}]},
        {"name": "serving", "namespaces": ["serving"], "quota": 32, "cohort": "research", "lend": 16,
         "preempt": {"reclaimWithinCohort": "LowerPriority"}},
        {"name": "interns", "namespaces": ["interns"], "quota": 0, "cohort": "research", "borrow": 16}]},
}
# {team: (slices at most, words of explain)}
TEAMS = {"training": (3, "borrows up to 16 chips that serving does not use: 48 chips at most. It lends up to 32 chips, and gets them back at once"),
         "serving": (4, "64 chips at most. It lends up to 16 chips, and gets them back from workloads of a lower priority"),
         "interns": (1, "16 chips at most")}


def job(name, team, slices=1, priority=None):
    """The spec of a team's workload on the platform."""
    return merged({
        "apiVersion": "flexslice/v1", "name": name, "namespace": team, "cluster": PLATFORM["cluster"], "tpu": {"type": "v6e", "topology": "4x4", "slices": slices},
        "provisioning": {"model": "on-demand", "create": False, "queue": team},
        "workload": {"image": "busybox", "command": ["run"], "resources": {"cpu": "1", "memory": "1Gi"}}},
        {"provisioning": {"priority": priority}} if priority else {}, {"workload": {"kind": "jobset"}} if slices > 1 else {})


def tearDownModule():
    TABLE.finish()


class Platform(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane())
        cls.gke = cls.enterClassContext(Gke(cls.plane))
        cls.platform = compile_spec(PLATFORM)
        for team in TEAMS:
            cls.plane.namespace(team)
        cls.gke.provision(cls.platform.commands())
        cls.plane.kubectl("apply", "--server-side", "--force-conflicts", "-f", cls.platform.path("queues.yaml"))

    def setUp(self):
        self.made = []
        self.addCleanup(self.clear)

    def clear(self):
        """No workload is left for the next test."""
        for each in self.made:
            self.plane.kubectl("delete", "--ignore-not-found", "-f", each.path("manifests.yaml"), check=False)
        eventually(lambda: not any(self.plane.list("pods", team) for team in TEAMS), "pods are still there")
        eventually(lambda: not self.plane.list("workloads"), "Kueue still has workloads")
        self.assertEqual(self.gke.trouble, [])

    def submit(self, *names, alone=False):
        """Applies jobs: `training-1`, or with a priority `training-1-urgent`, or with slices `training-1-3x`."""
        for name in names:
            team, _, *more = name.split("-")
            slices = next((int(word[:-1]) for word in more if word.endswith("x")), 1)
            priority = next((word for word in more if not word.endswith("x")), None)
            spec = job(name, team, slices, priority)
            made = compile_spec(spec) if alone else compile_specs([PLATFORM, spec])[1]
            self.made.append(made)
            self.plane.kubectl("apply", "--server-side", "-f", made.path("manifests.yaml"))

    def running(self):
        """Names of the jobs that are admitted."""
        found = set()
        for made in self.made:
            if made.suspended(self.plane) is False:
                found.add(made.name)
        return found

    def runs(self, *wanted):
        """Just these are admitted, and it stays so; all of their pods have nodes."""
        def why():
            return f"admitted: {sorted(self.running())}\n" + "\n".join(made.why(self.plane) for made in self.made)
        eventually(lambda: self.running() == set(wanted), why)
        for made in self.made:
            if made.name in wanted:
                made.wait_started(self.plane)
        time.sleep(QUIET_SECONDS)
        self.assertEqual(self.running(), set(wanted), why())

    def test_explain(self):
        """The words that the other tests show to be true."""
        text = " ".join(subprocess.run([FLEXSLICE, "explain", "--color=never", self.platform.source], check=True, capture_output=True, encoding="utf-8").stdout.split())
        for team, (_, words) in TEAMS.items():
            self.assertIn(words, text, team)

    def test_largest_workload(self):
        """The largest one that check accepts is admitted; the next larger one is refused, and Kueue never admits it."""
        for team, (most, _) in TEAMS.items():
            with self.subTest(team):
                larger = f"{team}-larger-{most + 1}x"
                with self.assertRaises(Refused) as caught:
                    compile_specs([PLATFORM, job(larger, team, most + 1)])
                self.assertIn("FS4245", codes(caught.exception))
                self.submit(larger, alone=True)
                self.runs()
                self.clear()
                self.made.clear()
                self.submit(f"{team}-largest-{most}x")
                self.runs(f"{team}-largest-{most}x")
                self.clear()
                self.made.clear()
                TABLE.row(team, f"{most * SLICE} chips are admitted, {(most + 1) * SLICE} never are")

    def test_borrow(self):
        """Each gets what others leave, up to its limit."""
        self.submit("interns-1", "interns-2")
        eventually(lambda: len(self.running()) == 1, "none of the interns' jobs is admitted")
        self.runs(*self.running())
        first = [made.name for made in self.made if made.name in self.running()]
        self.submit("serving-1", "serving-2", "serving-3")
        self.runs(*first, "serving-1", "serving-2", "serving-3")
        TABLE.row("borrow", "interns get one slice, serving gets one that training does not use")

    def test_lend(self):
        """Training borrows the slice that serving lends, and no more: one stays free."""
        self.submit("training-1", "training-2", "training-3")
        self.runs("training-1", "training-2", "training-3")
        self.submit("training-4")
        self.runs("training-1", "training-2", "training-3")
        self.submit("serving-1")
        self.runs("training-1", "training-2", "training-3", "serving-1")
        TABLE.row("lend", "training gets 48 chips, and the last slice is serving's own")

    def test_reclaim_from_any(self):
        """Training gets its two slices back at once, whoever has them."""
        self.submit("interns-1", "serving-1-urgent", "serving-2-urgent", "serving-3-urgent")
        self.runs("interns-1", "serving-1-urgent", "serving-2-urgent", "serving-3-urgent")
        self.submit("training-1")
        # The one of the lowest priority goes first.
        self.runs("training-1", "serving-1-urgent", "serving-2-urgent", "serving-3-urgent")
        self.submit("training-2")
        eventually(lambda: {"training-1", "training-2"} <= self.running(), "training does not get back its second slice")
        running = self.running()
        self.assertEqual(len(running), 4, running)
        self.runs(*running)
        TABLE.row("reclaim, Any", "training stops the interns' job, then one of serving that borrows")

    def test_reclaim_from_lower_priorities(self):
        """Serving gets the slice that it has lent back from a workload of a lower priority alone."""
        self.submit("training-1-usual", "training-2-usual", "training-3-usual", "serving-1")
        self.runs("training-1-usual", "training-2-usual", "training-3-usual", "serving-1")
        self.submit("serving-2")
        self.runs("training-1-usual", "training-2-usual", "training-3-usual", "serving-1")
        self.submit("serving-3-urgent")
        eventually(lambda: "serving-3-urgent" in self.running(), "serving does not get its slice back")
        running = self.running()
        self.assertEqual(len([name for name in running if name.startswith("training")]), 2, running)
        TABLE.row("reclaim, LowerPriority", "a usual job goes on beside one without a priority, and is stopped by an urgent one")

    def test_priorities(self):
        """Within a queue an urgent job stops a usual one."""
        self.submit("training-1-usual", "training-2-usual", "training-3-usual")
        self.runs("training-1-usual", "training-2-usual", "training-3-usual")
        self.submit("training-4-urgent")
        eventually(lambda: "training-4-urgent" in self.running(), "the urgent job waits")
        eventually(lambda: len(self.running()) == 3, lambda: f"admitted: {self.running()}")
        TABLE.row("priorities", "an urgent job stops a usual one of its queue")


if __name__ == "__main__":
    unittest.main()
