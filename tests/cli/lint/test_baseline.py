"""The baseline: what it hides, what is new, what is stale, and how it is written."""
import os
import unittest

from linting import BAD, ERROR, FINDINGS, GOOD, IO, LintCase, job

BASE = ("--baseline", "known.yaml")
WRITE = (*BASE, "--write-baseline")

PODS = """apiVersion: v1
kind: Pod
metadata: {name: d}
spec:
  restartPolicy: Never
  nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v5p-slice, cloud.google.com/gke-tpu-topology: 2x2x1}
  containers: [{name: c, image: u, command: [sleep, "1"], resources: {limits: {google.com/tpu: 4}}}]
"""
POOL = """gcloud container node-pools create v5p --region us-east5 --cluster c3 --node-locations us-east5-a --machine-type ct5p-hightpu-4t --tpu-topology 2x2x2 --num-nodes 2
"""
NO_SERVICE = """apiVersion: v1
kind: Service
metadata:
  name: headless-svc
spec:
  clusterIP: None
  selector:
    job-name: tpu-job-podslice
---
apiVersion: batch/v1
kind: Job
metadata:
  name: tpu-job-podslice
spec:
  backoffLimit: 0
  completions: 4
  parallelism: 4
  completionMode: Indexed
  template:
    spec:
      subdomain: headless
      restartPolicy: Never
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v4-podslice
        cloud.google.com/gke-tpu-topology: 2x2x4
      containers:
      - name: tpu-job
        image: us-docker.pkg.dev/cloud-tpu-images/jax-ai-image/tpu:latest
        ports:
        - containerPort: 8471
        - containerPort: 8431
        securityContext:
          privileged: true
        command: [bash, -c, "python -c 'import jax; print(jax.device_count())'"]
        resources:
          requests:
            google.com/tpu: 4
          limits:
            google.com/tpu: 4
"""


class Baselines(LintCase):
    def test_from_today_on(self):
        self.write("a.yaml", BAD)
        self.write("b/c.yaml", BAD + "---\n" + BAD)
        result = self.fine("lint", *WRITE)
        self.assertEqual(("", "2 files, 2 with TPUs: 3 findings of 2 files written to known.yaml\n"), (result.out, result.err))
        result = self.fine("lint", *BASE)
        self.assertEqual(("", "2 files, 2 with TPUs: no findings; 3 hidden by the baseline\n"), (result.out, result.err))
        self.write("new.yaml", BAD)
        result = self.expect(FINDINGS, "lint", "--format", "short", *BASE)
        self.assertRegex(result.out, r"\Anew.yaml:[^\n]+\n\Z")
        self.assertIn(": 1 error; 3 hidden by the baseline\n", result.err)

    def test_can_be_reviewed(self):
        self.write("b.yaml", BAD + "---\n" + BAD)
        self.write("a.yaml", BAD)
        self.fine("lint", *WRITE)
        text = self.read("known.yaml")
        self.assertRegex(text, r"\A# [^\n]+\n---\nfile: a.yaml\nfindings:\n  - code: " + ERROR + r"\n    message: [^\n]+\n    line: 'google.com/tpu: 16'\n    count: 1\n"
                         r"---\nfile: b.yaml\n(.|\n)*count: 2\n\Z" if "'" in text else r"\A# [^\n]+\n---\nfile: a.yaml\n")
        self.assertEqual(text, (self.fine("lint", *WRITE), self.read("known.yaml"))[1])

    def test_lines_move_and_counts_count(self):
        self.write("a.yaml", BAD)
        self.fine("lint", *WRITE)
        self.write("a.yaml", "# head\n\n" + BAD.replace("    spec:\n", "    # more\n    spec:\n"))
        self.fine("lint", *BASE)
        self.write("a.yaml", BAD + "---\n" + BAD)
        result = self.expect(FINDINGS, "lint", "--format", "short", *BASE)
        self.assertRegex(result.out, r"\Aa.yaml:41:[^\n]+\n\Z")
        # What the line says counts.
        self.write("a.yaml", BAD.replace("tpu: 16", "tpu: 32"))
        self.assertIn("1 error; 1 stale in the baseline", self.expect(FINDINGS, "lint", *BASE).err)

    def test_stale(self):
        for name in ("a.yaml", "b.yaml", "c.yaml", "d.yaml"):
            self.write(name, BAD)
        self.fine("lint", *WRITE)
        self.write("a.yaml", GOOD)
        self.write("b.yaml", "kind: ConfigMap\n")
        (self.folder / "c.yaml").unlink()
        self.assertIn("no findings; 1 hidden by the baseline; 3 stale in the baseline\n", self.fine("lint", *BASE).err)
        # Of files that were not asked for nothing is known.
        self.assertIn("no findings; 1 hidden by the baseline; 1 stale in the baseline\n", self.fine("lint", *BASE, "d.yaml").err)
        self.assertIn("no findings; 1 stale in the baseline\n", self.fine("lint", *BASE, "--only", "FS3002").err)
        self.fine("lint", *WRITE)
        self.assertIn("no findings; 1 hidden by the baseline\n", self.fine("lint", *BASE).err)

    def test_findings_that_compare_objects_and_files(self):
        """They are known only after the last file of their folder, or of the run."""
        self.write("a/pod.yaml", PODS)
        self.write("a/pool.sh", POOL)
        self.write("b/job.yaml", NO_SERVICE)
        self.assertIn("3 files, 3 with TPUs: 2 findings of 2 files written to known.yaml\n", self.fine("lint", *WRITE).err)
        first = self.read("known.yaml")
        result = self.fine("lint", *BASE, "--deny", "warnings")
        self.assertEqual(("", "3 files, 3 with TPUs: no findings; 2 hidden by the baseline\n"), (result.out, result.err))
        self.fine("lint", *WRITE)
        self.assertEqual(first, self.read("known.yaml"))
        # A second one of the kind is new, and one that is mended is stale.
        self.write("a/pod2.yaml", PODS.replace("name: d", "name: e"))
        self.assertIn("1 error; 2 hidden by the baseline\n", self.expect(FINDINGS, "lint", *BASE, "--deny", "warnings").err)
        (self.folder / "a/pod2.yaml").unlink()
        self.write("a/pool.sh", POOL.replace(" --tpu-topology 2x2x2 --num-nodes 2", " --num-nodes 1"))
        self.assertIn("no findings; 1 hidden by the baseline; 1 stale in the baseline\n", self.fine("lint", *BASE, "--deny", "warnings").err)

    def test_numbers_that_were_merged(self):
        """A baseline, a comment and an option of an earlier version go on hiding what they hid."""
        text = GOOD.replace("tpu-v6e-slice", "tpu-v6-slice")
        self.write("a.yaml", text)
        self.assertIn("[FS3001]", self.expect(FINDINGS, "lint", "--format", "short").out)
        self.write("known.yaml", "---\nfile: a.yaml\nfindings:\n  - code: FS5001\n    message: no node has it\n"
                   "    line: 'cloud.google.com/gke-tpu-accelerator: tpu-v6-slice'\n    count: 1\n")
        self.assertIn("no findings; 1 hidden by the baseline\n", self.fine("lint", *BASE).err)
        self.assertIn("[FS3001]", self.expect(FINDINGS, "lint", "--format", "short", "--only", "FS5001").out)
        pods = GOOD.rstrip() + '\n          env: [{name: TPU_WORKER_ID, value: "0"}]\n'
        self.write("a.yaml", pods)
        self.assertIn("1 warning", self.fine("lint").err)
        self.assertIn("no findings", self.fine("lint", "--allow", "FS5012").err)
        self.write("a.yaml", "# flexslice: allow FS5012 - our launcher sets it\n" + pods)
        self.assertIn("no findings", self.fine("lint").err)

    def test_a_part_is_updated(self):
        self.write("a.yaml", BAD)
        self.write("b.yaml", BAD)
        self.fine("lint", *WRITE)
        self.write("a.yaml", GOOD)
        self.assertIn("1 finding of 1 file written", self.fine("lint", *WRITE, "a.yaml").err)
        self.fine("lint", *BASE)

    def test_from_anywhere(self):
        self.write("sub/a.yaml", BAD)
        self.fine("lint", *WRITE)
        for words in (["sub"], ["./sub/a.yaml"], [str(self.folder)], ["sub/../sub"]):
            self.assertIn("1 hidden", self.fine("lint", *BASE, *words).err)
        self.assertIn("1 hidden", self.fine("lint", "--baseline", str(self.folder / "known.yaml")).err)
        self.assertIn("1 hidden", self.fine("lint", *BASE, "--stdin-filename", "sub/a.yaml", "-", stdin=BAD).err)
        os.rename(self.folder / "known.yaml", self.folder / "sub/known.yaml")
        self.expect(FINDINGS, "lint", "--baseline", "sub/known.yaml")

    def test_names(self):
        names = ["-x.yaml", "with\nbreak.yaml", "'quote\".yaml", "a: b.yaml", "ümlaut.yaml"]
        for name in names:
            self.write(name, BAD)
        (self.folder / os.fsdecode(b"\xff.yaml")).write_text(BAD)
        self.fine("lint", *WRITE)
        self.assertIn("6 hidden by the baseline\n", self.fine("lint", *BASE).err)

    def test_what_is_hidden_is_not_fixed(self):
        self.write("a.yaml", BAD)
        self.fine("lint", *WRITE)
        self.write("b.yaml", BAD)
        self.fine("lint", "--fix", *BASE)
        self.assertEqual((BAD, GOOD), (self.read("a.yaml"), self.read("b.yaml")))

    def test_the_rest_after_fixes(self):
        self.write("a.yaml", BAD)
        self.assertIn("0 findings of 0 files written", self.fine("lint", "--fix", *WRITE).err)
        self.assertEqual(GOOD, self.read("a.yaml"))

    def test_is_no_file_to_lint(self):
        self.write("a.yaml", BAD)
        self.fine("lint", *WRITE)
        self.assertIn("1 file, 1 with TPUs", self.fine("lint", *BASE).err)

    def test_missing(self):
        self.assertEqual("flexslice: known.yaml: no such file; `flexslice lint --baseline known.yaml --write-baseline` writes it\n", self.expect(IO, "lint", *BASE).err)

    def test_no_baseline(self):
        for text in ("[1]\n", "a: b\n", "file: x\nfindings: [{code: FS1}]\n", "file: x\nfindings: [{code: FS1, message: a, line: b, count: 0}]\n",
                     "file: x\nfindings: [{code: FS1, message: a, line: b, count: many}]\n"):
            with self.subTest(text=text):
                self.write("known.yaml", "# x\n---\nfile: a\nfindings: []\n---\n" + text)
                self.assertRegex(self.expect(IO, "lint", *BASE).err, r"\Aflexslice: known.yaml:5: this is not a baseline; expected [^\n]+\n\Z")
        self.write("known.yaml", "a: [\n")
        self.assertIn("flexslice: known.yaml: ", self.expect(IO, "lint", *BASE).err)
        self.write("known.yaml", "")
        self.fine("lint", *BASE)
        # JSON, and without counts.
        self.write("a.yaml", BAD)
        self.fine("lint", *WRITE)
        message = self.read("known.yaml").split("message: ")[1].split("\n")[0]
        self.write("known.yaml", '{"file": "a.yaml", "findings": [{"code": "%s", "message": "%s", "line": "google.com/tpu: 16"}]}' % (ERROR, message.strip("'\"")))
        self.assertIn("1 hidden", self.fine("lint", *BASE).err)

    def test_whole_or_not_at_all(self):
        self.write("a.yaml", BAD)
        self.write("known.yaml", "")
        os.chmod(self.folder / "known.yaml", 0o444)
        self.assertIn("known.yaml: is read-only", self.expect(IO, "lint", *WRITE).err)
        self.assertEqual("", self.read("known.yaml"))
        self.assertIn("no such file or directory", self.expect(IO, "lint", "--baseline", "missing/known.yaml", "--write-baseline").err)

    def test_usage(self):
        self.assertIn("--write-baseline needs --baseline FILE", self.usage("lint", "--write-baseline"))
        self.assertIn("leave out --only", self.usage("lint", *WRITE, "--only", "FS3002"))


if __name__ == "__main__":
    unittest.main()
