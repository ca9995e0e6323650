"""The hooks of .pre-commit-hooks.yaml, run by the real pre-commit in a repository made for the test."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["FLEXSLICE_SOURCE"])
FLEXSLICE = os.environ["FLEXSLICE"]
SPEC = (SOURCE / "examples/multi-host/spec.yaml").read_text()
CONFIG = """repos:
- repo: {hooks}
  rev: {revision}
  hooks:
  - id: flexslice-lint
  - id: flexslice-check
  - id: flexslice-compile
    args: [--out-dir=out, --defaults=house.yaml, specs]
"""
HOUSE = "labels: {team: vision}\n"


class PreCommit(unittest.TestCase):
    def setUp(self):
        if shutil.which("pre-commit") is None:
            if "CI" in os.environ:
                self.fail("pre-commit is missing")
            self.skipTest("pre-commit is missing")
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.place = pathlib.Path(directory.name)
        (self.place / "bin").mkdir()
        (self.place / "bin/flexslice").symlink_to(FLEXSLICE)
        who = {f"GIT_{role}_{what}": "test@example.com" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        self.environment = {"PATH": f"{self.place}/bin:{os.environ['PATH']}", "HOME": str(self.place), "PRE_COMMIT_HOME": str(self.place / "cache"),
                            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "PRE_COMMIT_COLOR": "never", "LC_ALL": "C.UTF-8", **who}
        hooks = self.repository("hooks", {".pre-commit-hooks.yaml": (SOURCE / ".pre-commit-hooks.yaml").read_text()})
        revision = self.run_in(hooks, "git", "rev-parse", "HEAD").stdout.strip()
        self.work = self.repository("work", {"specs/job.yaml": SPEC, "house.yaml": HOUSE, ".pre-commit-config.yaml": CONFIG.format(hooks=hooks, revision=revision)})
        self.compile()

    def run_in(self, folder, *command):
        return subprocess.run(command, cwd=folder, env=self.environment, capture_output=True, text=True, check=False)

    def repository(self, name, files):
        folder = self.place / name
        for file, text in files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text)
        for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "Start"]):
            done = self.run_in(folder, "git", *command)
            self.assertEqual(done.returncode, 0, done.stderr)
        return folder

    def compile(self):
        done = self.run_in(self.work, "flexslice", "compile", "--out-dir", "out", "--defaults", "house.yaml", "specs")
        self.assertEqual(done.returncode, 0, done.stderr)

    def hooks(self):
        self.run_in(self.work, "git", "add", ".")
        return self.run_in(self.work, "pre-commit", "run", "--all-files")

    def test_current(self):
        done = self.hooks()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("Passed"), 3, done.stdout)

    def assert_stale(self, line):
        done = self.hooks()
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(f"\n{line}", done.stdout)
        self.compile()
        self.assertEqual(self.hooks().returncode, 0)

    def test_other_files_are_passed_over(self):
        """Not only the hooks' own configuration: any YAML."""
        (self.work / "docker-compose.yaml").write_text("services: {}\n")
        (self.work / "broken.json").write_text("{")
        done = self.hooks()
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_hand_edited_output(self):
        path = self.work / "out/job-1/provision.sh"
        path.write_text(path.read_text().replace("--max-nodes=4", "--max-nodes=5"))
        self.run_in(self.work, "git", "add", ".")
        done = self.run_in(self.work, "pre-commit", "run", "--files", "out/job-1/provision.sh")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, r"\n- +--max-nodes=5 \\\n\+ +--max-nodes=4 \\\n")

    def test_changed_defaults(self):
        (self.work / "house.yaml").write_text(HOUSE.replace("vision", "speech"))
        self.assert_stale("+    team: speech")

    def test_output_that_is_no_longer_made(self):
        (self.work / "out/job-1/queues.yaml").write_text("old: true\n")
        done = self.hooks()
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("1 file no longer made", done.stdout)

    def test_commit(self):
        """Installed, they let a commit through or not."""
        self.assertEqual(self.run_in(self.work, "pre-commit", "install").returncode, 0)
        self.run_in(self.work, "git", "add", ".")
        self.assertEqual(self.run_in(self.work, "git", "commit", "-q", "-m", "Outputs").returncode, 0)
        (self.work / "specs/job.yaml").write_text(SPEC.replace("4x4", "4x8"))
        refused = self.run_in(self.work, "git", "commit", "-a", "-m", "Larger")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("+  completions: 8", refused.stderr + refused.stdout)
        self.compile()
        taken = self.run_in(self.work, "git", "commit", "-a", "-m", "Larger")
        self.assertEqual(taken.returncode, 0, taken.stderr)

    def test_the_command_that_updates(self):
        (self.work / "specs/job.yaml").write_text(SPEC.replace("4x4", "4x8"))
        (self.work / "out/job-1/queues.yaml").write_text("# queue q for job-1, compiled by flexslice from job.yaml.\n")
        done = self.hooks()
        command = re.search(r"to update: (flexslice compile .*)", done.stdout)[1]
        self.assertEqual("flexslice compile --prune --out-dir=out --defaults=house.yaml specs", command)
        self.assertEqual(self.run_in(self.work, *command.split()).returncode, 0)
        self.assertEqual(self.hooks().returncode, 0)

    def test_shared_settings(self):
        """The layout of examples/make: both hooks take `--defaults`, and the file itself is no spec."""
        example = SOURCE / "examples/make"
        (self.work / "specs/job.yaml").unlink()
        for path in (example / "cluster.yaml", *(example / "specs").iterdir()):
            target = self.work / path.relative_to(example)
            target.write_text(path.read_text())
        (self.work / "house.yaml").unlink()
        shutil.rmtree(self.work / "out")
        config = (self.work / ".pre-commit-config.yaml").read_text().replace("house.yaml", "cluster.yaml")
        config = config.replace("- id: flexslice-check\n", "- id: flexslice-check\n    args: [--defaults=cluster.yaml]\n")
        (self.work / ".pre-commit-config.yaml").write_text(config)
        compiled = self.run_in(self.work, "flexslice", "compile", "--out-dir=out", "--defaults=cluster.yaml", "specs")
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        done = self.hooks()
        self.assertEqual(done.returncode, 0, done.stdout)
        path = self.work / "specs/train.yaml"
        path.write_text(path.read_text().replace("4x4", "4x6"))
        self.assertIn("specs/train.yaml:4:13: error[FS3002]", self.hooks().stdout)

    def test_what_readme_says(self):
        """Copied as it is there, with specs/ and out/ as it names them."""
        config = re.search(r"```yaml\n(# .pre-commit-config.yaml\n.*?)```", (SOURCE / "examples/ci/README.md").read_text(), re.S)[1]
        (self.work / ".pre-commit-config.yaml").write_text(config)
        self.run_in(self.work, "flexslice", "compile", "--out-dir", "out", "specs")
        done = self.hooks()
        self.assertEqual(done.stdout.count("Passed"), 3, done.stdout)
        (self.work / "specs/job.yaml").write_text(SPEC.replace("4x4", "4x6"))
        self.assertEqual(self.hooks().stdout.count("Failed"), 2)

    def test_lint(self):
        """Pages and scripts too; specs have no finding of lint."""
        page = "# Serve\n\n```yaml\napiVersion: v1\nkind: Pod\nspec:\n  nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice}\n" \
               "  containers: [{name: a, resources: {limits: {google.com/tpu: 16}}}]\n```\n"
        (self.work / "README.md").write_text(page)
        (self.work / "pool.sh").write_text("gcloud container node-pools create a --machine-type=ct6e-standard-4t \\\n  --tpu-topology=4x6\n")
        done = self.hooks()
        self.assertIn("README.md:8:63: error[FS5003]", done.stdout)
        self.assertIn("pool.sh:2:18: error[FS3002]", done.stdout)
        self.assertEqual((1, 2), (done.stdout.count("Failed"), done.stdout.count("Passed")), done.stdout)

    def test_mistake(self):
        (self.work / "specs/job.yaml").write_text(SPEC.replace("4x4", "4x6"))
        done = self.hooks()
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[FS3002]: topology 4x6 is not available for v6e", done.stdout)

    def test_stale_outputs(self):
        (self.work / "specs/job.yaml").write_text(SPEC.replace("4x4", "4x8"))
        self.assert_stale("+  completions: 8")


if __name__ == "__main__":
    unittest.main()
