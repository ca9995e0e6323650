"""Every example on a real control plane: applied as emitted, started, and unchanged when it is applied again.

Client-side and server-side apply are each tried on an empty cluster: the second apply changes nothing and `kubectl diff`
prints nothing, before the workload starts, while it runs, and when it has ended.  Only a JobSet that Kueue has admitted
cannot be applied client-side again; the header of its manifests says so.  In the end cleanup.sh deletes everything but the
queue: of a workload that runs (client-side), and of one that has ended (server-side).

The cluster has the controllers, and beyond that only what `explain` lists as required.
"""

import json
import tempfile
import unittest

import report
from control_plane import ALL, ControlPlane, eventually
from gcloud import Google
from stage import stage
from workloads import EXAMPLES_OF_GKE, ROOT, changed_lines, compile_spec, merged

# test_sweep.py has the sweep, and test_starts.py what waits for the night. What forms dynamic slices, and what makes nodes of a ComputeClass, is GKE's own.
EXAMPLES = sorted({path.parent.name for path in (ROOT / "examples").glob("*/spec.yaml")} - {"sweep", "nightly", "dynamic-slices", "fallback"} - EXAMPLES_OF_GKE)
TABLE = report.Table("examples")


def tearDownModule():
    TABLE.finish()


class Examples(unittest.TestCase):
    """Base: all examples with one way of applying."""

    apply = None
    ends = False

    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane(ALL))

    def check_examples(self):
        for name in EXAMPLES:
            with self.subTest(name):
                result = "FAILED"
                try:
                    result = f"{self.check_example(name)}; second apply changes nothing; cleanup.sh leaves nothing"
                finally:
                    TABLE.row(f"{name}, {' '.join(self.apply)}", result)

    def check_example(self, name):
        with tempfile.TemporaryDirectory() as directory:
            made = compile_spec(ROOT / "examples" / name / "spec.yaml", directory)
            with stage(self.plane, made) as (gke, arguments):
                return self.check(made, gke, arguments)

    def check(self, made, gke, arguments):
        """What became of the workload."""
        result = "starts"
        self.plane.kubectl(*self.apply, *arguments)
        gke.provision(self.pools_of_others(made) or made.commands())
        self.check_unchanged(made, arguments, "before it starts")
        made.wait_started(self.plane)
        self.check_unchanged(made, arguments, "while it runs")
        if self.ends and made.ends:
            result = "starts, ends"
            gke.finish(made.namespace, made.name)
            made.wait_complete(self.plane)
            self.check_unchanged(made, arguments, "when it has ended")
        self.check_cleanup(made)
        return result

    def pools_of_others(self, made):
        """The commands by which somebody else would have made the node pools that the workload finds."""
        if made.spec["provisioning"].get("create", True):
            return None
        with tempfile.TemporaryDirectory() as directory:
            own = merged(made.spec, {"provisioning": {"create": None, "zones": [made.spec["cluster"]["location"] + "-a"]}})
            return compile_spec(own, directory).commands()

    def check_cleanup(self, made):
        """cleanup.sh deletes all that manifests.yaml made, and the node pools; a queue is for other workloads, too, and claims stay."""
        google = Google(self.plane, made.folder, made.commands())
        done = google.run(made.path("cleanup.sh"))
        self.assertEqual((done.returncode, google.left()), (0, []), done.stderr)
        left = self.plane.kubectl("get", "-f", made.path("manifests.yaml"), "--ignore-not-found", "-o", "name")
        self.assertEqual(left.stdout, "")
        if made.has("volumes.yaml"):
            self.plane.kubectl("get", "-f", made.path("volumes.yaml"))  # which fails where one is gone
        eventually(lambda: not made.pods(self.plane), "pods are still there")

    def check_no_difference(self, arguments, when):
        """kubectl reads an object and then asks what the apply would make of it: a status that a controller writes in between
        looks like a difference, and only once."""
        seen = []

        def same():
            run = self.plane.kubectl("diff", *arguments, check=False)
            seen.append(run.stdout or run.stderr)
            return run.returncode == 0 and not run.stdout

        eventually(same, lambda: f"{when}: kubectl diff says {seen[-1]}", 10)

    def check_unchanged(self, made, arguments, when):
        raise NotImplementedError


class ClientSide(Examples):
    """kubectl apply -f"""

    apply = ("apply",)

    def check_unchanged(self, made, arguments, when):
        text = made.path("manifests.yaml").read_text(encoding="utf-8")
        if "queue" in made.spec["provisioning"] and made.controller["kind"] == "JobSet":
            header = text[:text.index("---")]
            self.assertIn("kubectl apply --server-side --force-conflicts", header)
            return
        lines = self.plane.kubectl("apply", *arguments).stdout.splitlines()
        self.assertEqual(changed_lines(lines, text), [], when)
        self.check_no_difference(arguments, when)

    def test_examples(self):
        self.check_examples()


class ServerSide(Examples):
    """kubectl apply --server-side -f"""

    apply = ("apply", "--server-side")
    ends = True

    def versions(self, arguments):
        found = json.loads(self.plane.kubectl("get", *arguments, "-o", "json").stdout)
        return [(each["kind"], each["metadata"]["name"], each["metadata"].get("generation"), each.get("spec"))
                for each in found.get("items", [found])]

    def check_unchanged(self, made, arguments, when):
        def unchanged():  # Kueue may be at it meanwhile, though not for long
            before = self.versions(arguments)
            self.plane.kubectl(*self.apply, *arguments)
            return self.versions(arguments) == before

        eventually(unchanged, f"{when}: each apply changes something", 10)
        self.check_no_difference(["--server-side", *arguments], when)

    def test_examples(self):
        self.check_examples()


if __name__ == "__main__":
    unittest.main()
