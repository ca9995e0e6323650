"""Specs without a workload: queues of teams on node pools, and the workloads of other specs that enter by them."""
import json
import subprocess
import unittest

import yaml
from running import FINDINGS, FINE, ROOT, BatchCase

EXAMPLE = ROOT / "examples/platform"
PLATFORM = (EXAMPLE / "platform.yaml").read_text()
ALL = "manifests,preflight,provision,verify,status,cleanup,queues,plan,terraform,config-connector,computeclass,picture,gcluster,volumes"


def objects(text):
    return {(each["kind"], each["metadata"].get("namespace"), each["metadata"]["name"]): each for each in yaml.safe_load_all(text)}


class Platform(BatchCase):
    def setUp(self):
        super().setUp()
        self.write("platform.yaml", PLATFORM)
        for path in sorted((EXAMPLE / "jobs").iterdir()):
            self.write(f"jobs/{path.name}", path.read_text())

    def queues(self, *specs):
        return objects(self.expect(FINE, "compile", "--emit", "queues", *specs).out)

    def found(self, *arguments):
        return [(each["file"], each["code"]) for each in json.loads(self.expect(FINDINGS, "check", "--format", "json", *arguments).out)]

    def test_objects(self):
        made = self.queues("platform.yaml")
        training = made["ClusterQueue", None, "training"]["spec"]
        self.assertEqual("research", training["cohortName"])
        self.assertEqual(["training", "training-dev"], training["namespaceSelector"]["matchExpressions"][0]["values"])
        self.assertEqual({"withinClusterQueue": "LowerPriority", "reclaimWithinCohort": "Any"}, training["preemption"])
        chips = {name: [flavor["resources"][-1] for flavor in made["ClusterQueue", None, name]["spec"]["resourceGroups"][0]["flavors"]][0]
                 for name in ("training", "serving", "interns")}
        self.assertEqual({"name": "google.com/tpu", "nominalQuota": "32"}, chips["training"])
        self.assertEqual({"name": "google.com/tpu", "nominalQuota": "32", "lendingLimit": "16"}, chips["serving"])
        self.assertEqual({"name": "google.com/tpu", "nominalQuota": "0", "borrowingLimit": "16"}, chips["interns"])
        self.assertEqual({"weight": "0.5"}, made["ClusterQueue", None, "interns"]["spec"]["fairSharing"])
        self.assertEqual({"policy": "LowerPriority", "maxPriorityThreshold": 100},
                         made["ClusterQueue", None, "serving"]["spec"]["preemption"]["borrowWithinCohort"])
        self.assertEqual([("interns", "interns"), ("serving", "serving"), ("training", "training"), ("training-dev", "training")],
                         sorted((space, name) for kind, space, name in made if kind == "LocalQueue"))
        self.assertEqual(1000, made["WorkloadPriorityClass", None, "urgent"]["value"])
        self.assertNotIn("Job", {kind for kind, _, _ in made})

    def test_every_artifact(self):
        self.expect(FINE, "compile", "--emit", ALL, "--allow", "FS4320", "--out-dir", "out", "platform.yaml")
        made = {path.name for path in (self.folder / "out/platform").iterdir()}
        self.assertEqual({"preflight.sh", "provision.sh", "verify.sh", "status.sh", "cleanup.sh", "queues.yaml", "plan.json", "platform.tf.json",
                          "config-connector.yaml", "picture.svg"}, made)
        for script in ("preflight", "provision", "verify", "status", "cleanup"):
            done = subprocess.run(["bash", str(self.folder / f"out/platform/{script}.sh"), "--dry-run"], capture_output=True, text=True, check=False)
            self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(64, json.loads((self.folder / "out/platform/plan.json").read_text())["capacity"]["queues"][1]["most"])
        self.assertIn("it has no `workload`", self.expect(FINE, "compile", "platform.yaml").err)

    def test_workloads_have_the_queues_of_the_platform(self):
        """In whatever order, and where a workload names no cluster."""
        own = self.queues("platform.yaml")
        self.assertEqual(own, self.queues("platform.yaml", "jobs"))
        self.assertEqual(own, self.queues("jobs", "platform.yaml"))
        text = (EXAMPLE / "jobs/probe.yaml").read_text()
        self.write("jobs/probe.yaml", text.replace("cluster:\n  name: research\n  location: us-east5\n", ""))
        self.assertEqual(own, self.queues("jobs/probe.yaml", "platform.yaml"))
        self.expect(FINE, "compile", "--out-dir", "out", "platform.yaml", "jobs/pre-train.yaml")
        texts = {(self.folder / f"out/{name}/queues.yaml").read_text() for name in ("platform", "pre-train")}
        self.assertEqual(1, len(texts))

    def test_two_models(self):
        """Queues of two specs are one, with the nodes of both."""
        self.write("spot.yaml", PLATFORM.replace("name: platform\n", "name: spot\n").replace("model: on-demand", "model: spot"))
        made = self.queues("platform.yaml", "spot.yaml")
        flavors = {flavor["name"]: flavor["resources"][-1]["nominalQuota"]
                   for flavor in made["ClusterQueue", None, "training"]["spec"]["resourceGroups"][0]["flavors"]}
        self.assertEqual({"v6e-4x4-on-demand": "32", "v6e-4x4-spot": "32", "ordinary-nodes": "0"}, flavors)
        self.write("more.yaml", PLATFORM.replace("name: platform\n", "name: more\n"))
        made = self.queues("platform.yaml", "more.yaml")
        serving = made["ClusterQueue", None, "serving"]["spec"]["resourceGroups"][0]["flavors"][0]["resources"]
        self.assertEqual({"cpu": "2880", "google.com/tpu": "64"}, {each["name"]: each["nominalQuota"] for each in serving if each["name"] in ("cpu", "google.com/tpu")})
        self.assertEqual("32", serving[-1]["lendingLimit"])
        # What both have together is enough for it.
        large = (EXAMPLE / "jobs/pre-train.yaml").read_text().replace("slices: 3", "slices: 6")
        self.write("large.yaml", large)
        self.expect(FINE, "check", "platform.yaml", "more.yaml", "large.yaml")
        self.write("large.yaml", large.replace("slices: 6", "slices: 7"))
        self.assertEqual([("large.yaml", "FS4245")], self.found("platform.yaml", "more.yaml", "large.yaml"))

    def test_largest(self):
        text = (EXAMPLE / "jobs/pre-train.yaml").read_text()
        self.expect(FINE, "check", "platform.yaml", "jobs")
        self.write("jobs/pre-train.yaml", text.replace("slices: 3", "slices: 4"))
        self.assertEqual([("jobs/pre-train.yaml", "FS4245")], self.found("jobs", "platform.yaml"))

    def test_round_trip(self):
        for old, new in (("", ""), ("model: on-demand", "model: spot"), ("model: on-demand", "model: reservation\n  reservation: mine"),
                         ("model: on-demand", "model: flex-start"), ("topology: 4x4\n  slices: 4", "topology: 2x2\n  slices: 16")):
            with self.subTest(new=new):
                self.write("p.yaml", PLATFORM.replace(old, new) if old else PLATFORM)
                self.expect(FINE, "compile", "--emit", "queues,provision", "--out-dir", "a", "--no-comments", "p.yaml")
                self.expect(FINE, "import", "a/platform/queues.yaml", "a/platform/provision.sh", "-o", "again.yaml", "--force")
                self.expect(FINE, "compile", "--emit", "queues,provision", "--out-dir", "b", "--no-comments", "again.yaml")
                for name in ("queues.yaml", "provision.sh"):
                    self.assertEqual(*((self.folder / f"{folder}/platform/{name}").read_text() for folder in "ab"))

    def test_diff(self):
        self.write("new.yaml", PLATFORM.replace("slices: 4", "slices: 5").replace("quota: 0", "quota: 16"))
        done = self.expect(FINDINGS, "diff", "platform.yaml", "new.yaml").out
        self.assertIn("ClusterQueue interns", done)
        self.assertIn("+ node pool platform-pool-4", done)
        self.assertNotIn("LocalQueue", done)

    def test_other_commands(self):
        self.assertIn("32 chips of its own, for namespaces training, training-dev; borrows up to", " ".join(self.expect(FINE, "explain", "platform.yaml").out.split()))
        self.expect(FINE, "compile", "--out-dir", "out", "platform.yaml")
        self.expect(FINE, "lint", "out")


if __name__ == "__main__":
    unittest.main()
