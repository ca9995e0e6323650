"""Options, exit statuses, streams and fixes of lint."""
import json
import os
import stat
import subprocess
import unittest

from linting import BAD, ERROR, FINDINGS, FINE, FLEXSLICE, GOOD, IO, LintCase, job, spec

WARNING = "FS5007"
WARNS = "\n".join(line for line in GOOD.split("\n") if "completion" not in line)


class Lint(LintCase):
    def test_summary_and_status(self):
        self.write("plain.yaml", "kind: ConfigMap\n")
        self.assertEqual("1 file, 0 with TPUs: no findings\n", self.fine("lint").err)
        self.write("good.yaml", GOOD)
        result = self.fine("lint")
        self.assertEqual(("", "2 files, 1 with TPUs: no findings\n"), (result.out, result.err))
        self.write("warns.yaml", WARNS)
        result = self.fine("lint", "--format", "short")
        self.assertIn(f"warning[{WARNING}]", result.out)
        self.assertEqual("3 files, 2 with TPUs: 1 warning\n", result.err)
        self.write("bad.yaml", BAD + "---\n" + BAD)
        result = self.expect(FINDINGS, "lint", "--format", "short")
        self.assertEqual("4 files, 3 with TPUs: 2 errors, 1 warning\n", result.err)

    def test_one_object_a_file(self):
        """A run with TPUs is one cluster's: its other objects are judged as in the same file."""
        parts = {
            "hpa.yaml": "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: a}\nspec: {maxReplicas: 0, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: a}}\n",
            "queue.yml": "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: a}\nspec: {clusterQueues: a}\n",
            "deep/claim.json": '{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "a"}, "spec": {"accessModes": ["Many"], "resources": {"requests": {"storage": "1Gi"}}}}\n',
            "frame.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadta: {name: a}\ndata: {a: b}\n",
        }
        for name, text in parts.items():
            self.write(name, text)
        self.write("page.md", "```yaml\napiVersion: v1\nkind: Secret\nmetdata: {name: a}\n```\n")
        self.assertEqual("5 files, 0 with TPUs: no findings\n", self.fine("lint").err)
        self.write("job.yaml", GOOD)
        result = self.expect(FINDINGS, "lint", "--format", "short")
        self.assertEqual("6 files, 1 with TPUs: 4 errors\n", result.err, result.out)
        for name in parts:
            self.assertIn(name + ":", result.out)
        self.assertEqual("6 files, 1 with TPUs: 4 findings of 4 files written to known.yaml\n", self.fine("lint", "--baseline", "known.yaml", "--write-baseline").err)
        self.assertIn("no findings; 4 hidden by the baseline\n", self.fine("lint", "--baseline", "known.yaml").err)
        self.assertEqual("4 files, 0 with TPUs: no findings\n", self.fine("lint", *parts).err)

    def test_suffix_of_a_kustomization(self):
        self.write("job.yaml", GOOD.replace("metadata: {name: train}", "metadata: {name: train-}"))
        self.assertIn("`train-` is not a valid `metadata.name`", self.expect(FINDINGS, "lint").out)
        self.write("kustomization.yaml", "nameSuffix: v1\nresources: [job.yaml]\n")
        self.assertNotIn("metadata.name", self.fine("lint").out)

    def test_counts_files_that_use_tpus(self):
        self.write("good.yaml", GOOD)
        self.write("words.md", "About google.com/tpu and gke-tpu.\n")
        self.assertEqual("2 files, 1 with TPUs: no findings\n", self.fine("lint").err)

    def test_says_what_it_does_not_read(self):
        self.write("pool.toml", "# google.com/tpu\nnodes = 4\n")
        self.write("notes.txt", "Buy milk.\n")
        for name in ("pool.toml", "notes.txt"):
            err = self.fine("lint", name).err
            self.assertIn(f"{name}: not read: lint reads YAML, JSON, Terraform, Markdown, shell scripts and Makefiles\n", err)
            self.assertIn("0 files, 0 with TPUs: no findings; left out: 1 of other types\n", err)

    def test_points_from_a_named_spec_to_check(self):
        """Which knows its defaults and overrides."""
        self.write("spec.yaml", "# a spec\n---\n" + spec(topology="4x6"))
        self.assertNotIn("not read", self.fine("lint", ".").err)
        self.assertIn("flexslice: spec.yaml: a spec, not read: `flexslice check` judges it\n", self.fine("lint", "spec.yaml").err)

    def test_check_points_to_lint(self):
        self.write("job.yaml", GOOD)
        self.assertIn("`flexslice lint` checks manifests, and `flexslice import` turns them into a spec", self.expect(FINDINGS, "check", "job.yaml").out)

    def test_policy(self):
        self.write("warns.yaml", WARNS)
        self.expect(FINDINGS, "lint", "--deny", "warnings")
        self.expect(FINDINGS, "lint", "--deny", WARNING)
        self.assertEqual("", self.fine("lint", "--allow", WARNING).out)
        self.write("bad.yaml", BAD)
        self.assertEqual("2 files, 2 with TPUs: 2 warnings\n", self.fine("lint", "--allow", ERROR).err)

    def test_only(self):
        self.write("warns.yaml", WARNS)
        self.write("bad.yaml", BAD)
        self.assertIn(": 1 warning\n", self.fine("lint", "--only", WARNING).err)
        self.assertIn(": 1 error, 1 warning\n", self.expect(FINDINGS, "lint", "--only", f"{WARNING},{ERROR[2:]}").err)
        self.assertIn(": 1 error, 1 warning\n", self.expect(FINDINGS, "lint", "--only", WARNING, "--only", ERROR.lower()).err)
        self.assertIn(": no findings\n", self.fine("lint", "--only", "FS3002").err)
        self.assertIn("--only: unknown diagnostic code `FS5999`", self.usage("lint", "--only", "FS5999"))
        self.assertIn("did you mean `FS3002`?", self.usage("lint", "--only", "UnknownTopology"))
        self.fine("lint", "--fix", "--only", WARNING)
        self.assertEqual(BAD, self.read("bad.yaml"))

    def test_flags_of_the_stated_gcloud(self):
        command = "gcloud container node-pools create a --cluster=c --machine-type=ct6e-standard-1t"
        self.write("pool.sh", f"{command} --flexstart --num-node=1 --accelerator-network-profile=auto\n")
        self.fine("lint")
        out = self.expect(FINDINGS, "lint", "--gcloud-version", "528.0.0").out
        self.assertIn("has no flag `--flexstart`", out)
        self.assertIn("did you mean `--flex-start`?", out)
        self.assertIn("did you mean `--num-nodes`?", out)
        self.assertIn("available since gcloud 563.0.0", out)
        self.assertEqual(2, out.count("did you mean"))

    def test_stdin(self):
        result = self.expect(FINDINGS, "lint", "--format", "short", "-", stdin=BAD)
        self.assertIn(f"<stdin>:20:31: error[{ERROR}]", result.out)
        self.assertEqual("1 file, 1 with TPUs: 1 error\n", result.err)
        script = "kubectl apply -f - <<EOF\n" + BAD + "EOF\n"
        result = self.expect(FINDINGS, "lint", "--format", "short", "--stdin-filename", "docs/run.sh", "-", stdin=script)
        self.assertIn(f"docs/run.sh:21:31: error[{ERROR}]", result.out)
        self.assertIn("add `-` to read stdin", self.usage("lint", "--stdin-filename", "run.sh"))
        result = self.fine("lint", "--fix", "-", stdin=BAD)
        self.assertEqual((GOOD, "fixed 1 finding in 1 file\n1 file, 1 with TPUs: no findings\n"), (result.out, result.err))
        self.assertEqual("kind: A\n", self.fine("lint", "--fix", "-", stdin="kind: A\n").out)
        result = self.expect(FINDINGS, "lint", "--diff", "-", stdin=BAD)
        self.assertIn("-              google.com/tpu: 16\n+              google.com/tpu: 4\n", result.out)

    def test_formats(self):
        self.write("bad.yaml", BAD)
        found, = json.loads(self.expect(FINDINGS, "lint", "--format", "json").out)
        self.assertEqual((ERROR, "bad.yaml", 20, 31), (found["code"], found["file"], found["line"], found["column"]))
        run, = json.loads(self.expect(FINDINGS, "lint", "--format", "sarif").out)["runs"]
        self.assertEqual(ERROR, run["results"][0]["ruleId"])
        self.assertIn("::error file=bad.yaml,line=20,col=31,", self.expect(FINDINGS, "lint", "--format", "github").out)
        self.assertIn("\x1b[", self.expect(FINDINGS, "lint", "--color", "always").out)
        # Nothing at all is still a document.
        for form in ("json", "sarif"):
            json.loads(self.fine("lint", "--format", form, "--exclude", "*").out)

    def test_fix(self):
        for name, text in (("a.yaml", BAD + "---\n" + BAD), ("b/c.sh", "kubectl apply -f - <<EOF\n" + BAD + "EOF\n"), ("d.yaml", BAD.replace("\n", "\r\n")),
                           ("e.yaml", "\ufeff" + BAD), ("good.yaml", GOOD)):
            self.write(name, text)
        before = (self.folder / "good.yaml").stat()
        result = self.fine("lint", "--fix")
        self.assertEqual(("", "fixed 5 findings in 4 files\n5 files, 5 with TPUs: no findings\n"), (result.out, result.err))
        self.assertEqual(GOOD + "---\n" + GOOD, self.read("a.yaml"))
        self.assertEqual("kubectl apply -f - <<EOF\n" + GOOD + "EOF\n", self.read("b/c.sh"))
        self.assertEqual(GOOD.replace("\n", "\r\n").encode(), (self.folder / "d.yaml").read_bytes())
        self.assertEqual("\ufeff" + GOOD, self.read("e.yaml"))
        after = (self.folder / "good.yaml").stat()
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))
        self.assertEqual(["a.yaml", "b/c.sh", "d.yaml", "e.yaml", "good.yaml"], self.files())

    def test_fix_keeps_mode_and_links(self):
        self.write("real.yaml", BAD)
        os.chmod(self.folder / "real.yaml", 0o640)
        os.symlink("real.yaml", self.folder / "link.yaml")
        self.fine("lint", "--fix", "link.yaml")
        self.assertEqual(GOOD, self.read("real.yaml"))
        self.assertTrue((self.folder / "link.yaml").is_symlink())
        self.assertEqual(0o640, stat.S_IMODE((self.folder / "real.yaml").stat().st_mode))

    def test_fix_changes_only_the_text(self):
        """A script that nobody may execute stays so, and a file of several names is left alone."""
        script = "kubectl apply -f - <<EOF\n" + BAD + "EOF\n"
        for mode in (0o644, 0o755):
            self.write("run.sh", script)
            os.chmod(self.folder / "run.sh", mode)
            self.fine("lint", "--fix", "run.sh")
            self.assertEqual(script.replace(BAD, GOOD), self.read("run.sh"))
            self.assertEqual(mode, stat.S_IMODE((self.folder / "run.sh").stat().st_mode))
        self.write("one.yaml", BAD)
        os.link(self.folder / "one.yaml", self.folder / "two.yaml")
        result = self.expect(IO, "lint", "--fix", "one.yaml")
        self.assertIn("flexslice: one.yaml: has 2 hard links, and only this name would get the new text; not fixed\n", result.err)
        self.assertEqual((BAD, BAD), (self.read("one.yaml"), self.read("two.yaml")))

    def test_read_only(self):
        self.write("a.yaml", BAD)
        self.write("b.yaml", BAD)
        os.chmod(self.folder / "a.yaml", 0o444)
        result = self.expect(IO, "lint", "--fix", "--format", "short")
        self.assertIn("flexslice: a.yaml: read-only; not fixed\n", result.err)
        self.assertIn(f"a.yaml:20:31: error[{ERROR}]", result.out)
        self.assertEqual((BAD, GOOD), (self.read("a.yaml"), self.read("b.yaml")))

    def test_diff(self):
        self.write("a.yaml", BAD)
        self.write("b/c.yaml", BAD)
        result = self.expect(FINDINGS, "lint", "--diff")
        self.assertEqual("would fix 2 findings in 2 files\n2 files, 2 with TPUs: no findings\n", result.err)
        self.assertEqual((BAD, BAD), (self.read("a.yaml"), self.read("b/c.yaml")))
        subprocess.run(["patch", "-p0"], input=result.out, cwd=self.folder, text=True, capture_output=True, check=True)
        self.assertEqual((GOOD, GOOD), (self.read("a.yaml"), self.read("b/c.yaml")))
        self.assertEqual("", self.fine("lint", "--diff").out)

    def test_changed_by_somebody_else_meanwhile(self):
        self.write("a.yaml", BAD)
        os.utime(self.folder / "a.yaml", (1000, 1000))
        os.mkfifo(self.folder / "pipe.yaml")
        process = subprocess.Popen([FLEXSLICE, "lint", "--fix", "--jobs", "1", "a.yaml", "pipe.yaml"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        # It opens the pipe once it has read the file, and waits there for what is written. The time stays, the text does not.
        with open(self.folder / "pipe.yaml", "w") as pipe:
            self.write("a.yaml", BAD + "# mine\n")
            os.utime(self.folder / "a.yaml", (1000, 1000))
            pipe.write(GOOD)
        err = process.communicate()[1]
        self.assertEqual(IO, process.returncode, err)
        self.assertIn("a.yaml: changed on disk; not fixed\n", err)
        self.assertEqual(BAD + "# mine\n", self.read("a.yaml"))
        self.assertEqual(["a.yaml", "pipe.yaml"], self.files())

    def test_notes(self):
        service = GOOD.replace("completionMode: Indexed\n  completions: 4\n  parallelism: 4", "replicas: 4\n  serviceName: train").replace("batch/v1\nkind: Job", "apps/v1\nkind: StatefulSet").replace("restartPolicy: Never", "restartPolicy: Always")
        self.write("a.yaml", service)
        self.assertEqual("1 file, 1 with TPUs: no findings\n", self.fine("lint").err)
        result = self.fine("lint", "--notes", "--format", "short")
        self.assertIn("note[FS4232]", result.out)
        self.assertRegex(result.err, r"1 with TPUs: \d notes?\n")

    def test_jobs_give_the_same(self):
        for index in range(300):
            self.write(f"{index % 7}/{index}.yaml", job(16 if index % 3 == 0 else 4, f"job-{index}"))
        one = self.expect(FINDINGS, "lint", "--jobs", "1")
        for jobs in ("2", "8", "64"):
            many = self.expect(FINDINGS, "lint", "--jobs", jobs)
            self.assertEqual((one.out, one.err), (many.out, many.err))

    def test_closed_stdout(self):
        for index in range(3000):
            self.write(f"{index}.yaml", BAD)
        done = subprocess.run(["bash", "-o", "pipefail", "-c", f"{FLEXSLICE} lint --format json | head -1"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertNotIn("broken pipe", done.stderr.lower())

    def test_help_and_completion_know_it(self):
        self.assertIn("--stdin-filename", self.fine("lint", "--help").out)
        self.assertIn("--write-baseline", self.fine("completion", "bash").out)
        self.assertIn("flexslice lint", self.fine("man").out)


if __name__ == "__main__":
    unittest.main()
