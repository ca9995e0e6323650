"""run.sh of a workload with places, through the real gcloud against the fake Google: a place without capacity leaves nothing billed."""

import tempfile
import unittest
from pathlib import Path

from artifacts import compile_spec
from fake_google import FakeGoogle
from sandbox import Sandbox, require

SPEC = """\
apiVersion: flexslice/v1
name: train
namespace: default
tpu: {type: v6e, topology: 4x4}
provisioning: {model: spot}
workload: {image: busybox, script: "true"}
places:
  - {name: us, for: 5m, cluster: {name: one, location: us-east5}, provisioning: {zones: [us-east5-b]}}
  - {name: eu, for: 5m, cluster: {name: two, location: europe-west4}, provisioning: {zones: [europe-west4-a]}}
"""
PLACES = {"us": ("one", "us-east5"), "eu": ("two", "europe-west4")}


class Places(unittest.TestCase):
    def setUp(self):
        require("gcloud")
        self.scripts = self.compiled(SPEC)
        self.fake = self.enterContext(FakeGoogle())
        for name, location in PLACES.values():
            self.fake.add_cluster(name, location)
        self.sandbox = self.enterContext(Sandbox(self.fake))
        self.sandbox.answer("kubectl", "get pods *jsonpath=*", stdout="[a][b][c][d]")
        self.sandbox.answer("sleep", "*")

    def compiled(self, spec):
        """The folder with the scripts, without what preflight.sh checks, which has a test of its own."""
        scripts = compile_spec(spec, Path(self.enterContext(tempfile.TemporaryDirectory())))
        for place in PLACES:
            (scripts / place / "preflight.sh").write_text("exit 0\n", encoding="utf-8")
        return scripts

    def pools(self):
        """The node pools that are there, by cluster; a new cluster has a default pool."""
        done = {}
        for place, (name, location) in PLACES.items():
            listed = self.sandbox.run("gcloud", "container", "node-pools", "list", f"--cluster={name}", f"--location={location}", "--format=value(name)")
            done[place] = [word for word in listed.stdout.split() if word.startswith("train")]
        return done

    def run_script(self):
        # No pod is there yet when it looks for the workload.
        self.sandbox.answer("kubectl", "get pods *jsonpath=*", stdout="", times=len(PLACES))
        return self.sandbox.run_script(self.scripts / "run.sh")

    def test_first_place(self):
        done = self.run_script()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("runs in us", done.stdout)
        self.assertEqual(self.pools(), {"us": ["train-pool"], "eu": []})

    def test_second_place(self):
        self.fake.fail_operation("GCE_STOCKOUT")
        done = self.run_script()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("runs in eu", done.stdout)
        self.assertEqual(self.pools(), {"us": [], "eu": ["train-pool"]})

    def test_no_place(self):
        self.fake.fail_next("POST", r".*/nodePools$", 403, "quota exceeded", times=2)
        done = self.run_script()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("no place has nodes for all pods", done.stderr)
        self.assertEqual(self.pools(), {"us": [], "eu": []})

    def test_disk_that_stays(self):
        """A claim outlives the place that is given up: the end says that its disk is billed there."""
        self.scripts = self.compiled(SPEC.replace('script: "true"', 'script: "true", volumes: [{name: out, mountPath: /out, pvc: {name: out, size: 1Ti, class: standard-rwx}}]'))
        kept = "run.sh: in us, of train is still billed: PersistentVolumeClaim out of 1Ti (--delete-volumes deletes it)"
        self.sandbox.answer("kubectl", "get persistentvolumeclaim/out *", stdout="out 1Ti")
        self.fake.fail_operation("GCE_STOCKOUT")
        done = self.run_script()
        self.assertEqual((done.returncode, done.stderr.splitlines()[-1]), (0, kept), done.stderr)
        self.sandbox.run_script(self.scripts / "eu" / "cleanup.sh")
        self.fake.fail_next("POST", r".*/nodePools$", 403, "quota exceeded", times=2)
        done = self.run_script()
        self.assertEqual((done.returncode, done.stderr.splitlines()[-3:]), (1, ["run.sh: no place has nodes for all pods", kept, kept.replace("in us", "in eu")]), done.stderr)

    def test_pods_without_nodes(self):
        """The pool is there and its nodes do not come: the place is given up, and its pool deleted."""
        self.sandbox.answer("kubectl", "get pods *jsonpath=*", stdout="[a][b][c][]")
        script = self.scripts / "run.sh"
        script.write_text(script.read_text(encoding="utf-8").replace(" 300 ", " 1 "), encoding="utf-8")
        done = self.run_script()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(self.pools(), {"us": [], "eu": []})


if __name__ == "__main__":
    unittest.main()
