"""`explain` and `lint --placement` say which nodes take each set of pods, alike for a spec and for the files that it compiles to.

python3 test_placement.py bless writes placement.txt anew."""
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

from program import FLEXSLICE, Case

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
GOLDEN = HERE / "placement.txt"
# A Job, a JobSet of slices, groups, a Ray cluster with its head, Pathways, replicas, a queue, a class, Autopilot, and pools that exist.
SHOWN = ["multi-host", "multislice", "serve-multi-host", "serve-with-router", "ray-fine-tune", "pathways", "serve", "queued", "team-queue", "fallback", "autopilot-multi-host",
         "autopilot-multislice", "dynamic-slices", "nightly"]


def run(*arguments, cwd=None):
    return subprocess.run([FLEXSLICE, *arguments], cwd=cwd, capture_output=True, text=True, check=False)


def placed(text):
    """The sections about placement."""
    found = re.findall(r"^Placed: .*(?:\n(?: .*)?)*?(?=\n\n|\n\S|\Z)", text, re.M)
    return "\n\n".join(section.rstrip() for section in found)


def of_example(name):
    folder = EXAMPLES / name
    options = (folder / "options").read_text().split() if (folder / "options").exists() else []
    return placed(run("explain", *options, "spec.yaml", cwd=folder).stdout)


def shown():
    return "".join(f"== {name}\n{of_example(name)}\n\n" for name in SHOWN if (EXAMPLES / name / "spec.yaml").exists())


POOL = "gcloud container node-pools create a --cluster=c --location=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4"
JOB = """apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  completions: %d
  parallelism: %d
  completionMode: Indexed
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: %s}
      containers: [{name: a, image: a:1, resources: {limits: {google.com/tpu: 4}}}]
"""


class Placement(Case):
    maxDiff = None

    def rows(self, *words):
        result = run("lint", "--placement", "--format", "json", *words, cwd=self.folder)
        return [each["placement"] for each in json.loads(result.stdout) if each["code"] == "FS4550"]

    def test_examples(self):
        self.assertEqual(GOLDEN.read_text(), shown())

    def test_everything_of_a_spec_is_placed(self):
        for folder in sorted(path.parent for path in EXAMPLES.glob("*/spec.yaml")):
            with self.subTest(example=folder.name):
                text = of_example(folder.name)
                self.assertNotIn("never:", text)
                self.assertNotIn("as far as the files say it", text)

    def test_files_say_what_the_spec_says(self):
        for name in ("multi-host", "multislice", "serve", "ray-fine-tune", "queued", "fallback", "pathways"):
            with self.subTest(example=name):
                folder = EXAMPLES / name
                out = self.folder / name
                done = run("compile", "--out-dir", str(out), "spec.yaml", cwd=folder)
                self.assertEqual(0, done.returncode, done.stderr)
                self.assertEqual(sorted(of_example(name).split("\n\n")), sorted(placed(run("explain", str(out)).stdout).split("\n\n")))

    def test_never(self):
        self.write("pool.sh", POOL + "\n")
        self.write("job.yaml", JOB % (4, 4, "4x4"))
        self.assertEqual([("placed", "node pool `a` (v6e, 4x4, 4 nodes)")], [(row["state"], row["nodes"]) for row in self.rows(".")])
        self.write("job.yaml", JOB % (8, 8, "4x4"))
        row, = self.rows(".")
        self.assertEqual("never", row["state"])
        self.assertIn("8 nodes", row["startsWhen"])
        self.assertIn("never: ", self.fine("explain", "pool.sh", "job.yaml").out)

    def test_open(self):
        self.write("job.yaml", JOB % (4, 4, "4x4"))
        row, = self.rows("job.yaml")
        self.assertEqual("open", row["state"])
        self.assertEqual("Job `train`: 4 pods with 4 chips each", row["pods"])
        self.assertIn("nothing here creates them", row["startsWhen"])

    def test_pools_that_mix(self):
        self.write("pool.sh", f"{POOL}\n{POOL.replace('create a', 'create b')}\n")
        self.write("job.yaml", JOB % (4, 4, "4x4"))
        row, = self.rows(".")
        self.assertEqual("placed", row["state"])
        self.assertIn("4 nodes are ready, which may be of several slices: 2 node pools have these labels", row["startsWhen"])
        self.write("job.yaml", (JOB % (4, 4, "4x4")).replace("4x4}", "4x4, cloud.google.com/gke-nodepool: a}"))
        row, = self.rows(".")
        self.assertIn("all 4 nodes of the slice are ready", row["startsWhen"])

    def test_a_label_that_somebody_may_set(self):
        self.write("pool.sh", POOL + "\n")
        self.write("job.yaml", (JOB % (4, 4, "4x4")).replace("4x4}", "4x4, example.com/team: a}"))
        row, = self.rows(".")
        self.assertEqual(("open", "node pool `a` (v6e, 4x4, 4 nodes), as far as the files say it"), (row["state"], row["nodes"]))

    def states_of_change(self, example, file, old, new):
        """The states of what compile makes of an example, with one change."""
        done = run("compile", "--out-dir", str(self.folder / example), "spec.yaml", cwd=EXAMPLES / example)
        self.assertEqual(0, done.returncode, done.stderr)
        out, = (self.folder / example).iterdir()
        files = [out / name for name in ("manifests.yaml", "queues.yaml", "provision.sh") if (out / name).exists()]
        text = (out / file).read_text()
        self.assertIn(old, text)
        (out / file).write_text(text.replace(old, new))
        return {row["state"] for row in self.rows(*map(str, files))}

    def test_a_finding_leaves_it_open(self):
        """The scheduler binds none of these pods, or too few."""
        for example, file, old, new in (
                ("multislice", "manifests.yaml", "exclusive-topology: cloud.google.com/", "exclusive-topology: cloud.google.cmo/"),
                ("nightly", "manifests.yaml", "operator: NotIn", "operator: In"),
                ("queued", "manifests.yaml", "  parallelism: 4\n", ""),
                ("queued", "provision.sh", "--node-labels=cloud.google.com/gke-", "--node-labels=cloud.google.com/kge-"),
                ("queued", "queues.yaml", "tpu-v6e-slice", "tpu-v6e-lsice"),
                ("shared-gateway", "manifests.yaml", "tpu-v5-lite-podslice", "tpu-v5-liet-podslice"),
                ("multi-host", "provision.sh", "--tpu-topology=", "--tpu-toplogy="),
                ("multi-host", "provision.sh", "--max-nodes=4", "--max-nodes=3"),
                ("multi-host", "provision.sh", "--node-locations=us-east5-b", "--node-locations=us-eats5-b")):
            with self.subTest(example=example, new=new):
                self.assertNotIn("placed", self.states_of_change(example, file, old, new))
        # The other rows are those of groups whose pods are bound.
        for old, new in (("    size: 4", "    # size: 4"), ("big-chat-pool-1", "big-chta-pool-1")):
            with self.subTest(new=new):
                self.assertNotEqual({"placed"}, self.states_of_change("serve-multi-host", "manifests.yaml", old, new))

    def test_pools_of_an_affinity(self):
        self.write("pool.sh", POOL + "\n" + POOL.replace("create a", "create b") + "\n")
        affinity = "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: cloud.google.com/gke-nodepool, operator: In, values: [%s]}]}]}}}"
        for pods, names, state in ((4, "a, b", "placed"), (4, "a, c", "open"), (8, "a, b", "placed"), (8, "a, a", "never")):
            with self.subTest(pods=pods, names=names):
                self.write("job.yaml", (JOB % (pods, pods, "4x4")).replace("      containers", f"      {affinity % names}\n      containers"))
                row, = self.rows(".")
                self.assertEqual(state, row["state"])

    def test_a_row_adds_a_program(self):
        self.write("job.yaml", (JOB % (4, 4, "4x4")).replace("image: a:1", "image: a:1, command: [shardserve, --shards=32]"))
        self.assertNotIn("FS4369", self.expect(0, "lint", "job.yaml").out)
        self.write("own.yaml", "servers:\n  - {name: Shardserve, programs: [shardserve], flags: [{name: --shards, is: tensor}]}\n")
        found = self.run_flexslice("lint", "--catalog", "own.yaml", "job.yaml").out
        self.assertIn("FS4369", found)
        self.assertIn("32", found)

    def test_findings_are_counted(self):
        self.write("job.yaml", JOB % (4, 4, "4x6"))
        self.assertIn("`flexslice lint` reports 1 error", self.fine("explain", "job.yaml").out)

    def test_only_when_asked(self):
        self.write("job.yaml", JOB % (4, 4, "4x4"))
        self.assertNotIn("FS4550", run("lint", "--notes", "job.yaml", cwd=self.folder).stdout)


if __name__ == "__main__":
    if sys.argv[1:] == ["bless"]:
        GOLDEN.write_text(shown())
    else:
        unittest.main()
