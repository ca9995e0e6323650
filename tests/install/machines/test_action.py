"""The scripts of action.yml in a repository with a good and a bad pull request, with the real npm package and GitHub's variables."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import packages
import yaml

SPEC = (packages.ROOT / "examples/multi-host/spec.yaml").read_text()
ACTION = yaml.safe_load((packages.ROOT / "action.yml").read_text())
WHO = {f"GIT_{role}_{what}": "test@example.com" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
POD = """\
apiVersion: v1
kind: Pod
metadata: {{name: a}}
spec:
  nodeSelector: {{cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: {topology}}}
  containers:
  - {{name: a, image: example.com/a, resources: {{requests: {{google.com/tpu: 4}}, limits: {{google.com/tpu: 4}}}}}}
"""


class Action(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        packages.need("npm")
        packages.need("git")
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.folder = pathlib.Path(directory.name)
        done = cls.install(" ".join(map(str, packages.packed())))
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        cls.path = (cls.folder / "path").read_text().splitlines()
        cls.make_repository()

    @classmethod
    def environment(cls, **more):
        return packages.clean_environment(cls.folder, GIT_CONFIG_GLOBAL="/dev/null", GITHUB_PATH=str(cls.folder / "path"), **WHO, **more)

    @classmethod
    def install(cls, version):
        return subprocess.run([packages.ROOT / "tools/action/install.sh"], env=cls.environment(FLEXSLICE_VERSION=version), capture_output=True, text=True, check=False)

    @classmethod
    def run_in(cls, folder, *command):
        return subprocess.run(command, cwd=folder, env=cls.environment(PATH=f"{cls.path[0]}:{os.environ['PATH']}"), capture_output=True, text=True, check=True).stdout

    @classmethod
    def make_repository(cls):
        """main has a spec and its outputs; `good` grows the slice; `bad` has a mistake in the spec and one in a manifest."""
        cls.origin = cls.folder / "origin"
        cls.run_in(cls.folder, "git", "init", "-q", "-b", "main", "origin")
        cls.commit("main", "Start", {"specs/job.yaml": SPEC, "manifests/pod.yaml": POD.format(topology="2x2")}, compiles=True)
        cls.run_in(cls.origin, "git", "checkout", "-q", "-b", "good")
        cls.commit("good", "Larger", {"specs/job.yaml": SPEC.replace("4x4", "4x8")}, compiles=True)
        cls.run_in(cls.origin, "git", "checkout", "-q", "-b", "bad", "main")
        cls.commit("bad", "Wrong", {"specs/job.yaml": SPEC.replace("4x4", "4x6"), "manifests/pod.yaml": POD.format(topology="4x6")})

    @classmethod
    def commit(cls, branch, message, files, compiles=False):
        for name, text in files.items():
            (cls.origin / name).parent.mkdir(parents=True, exist_ok=True)
            (cls.origin / name).write_text(text)
        if compiles:
            cls.run_in(cls.origin, "flexslice", "compile", "--prune", "--out-dir", "out", "specs")
        cls.run_in(cls.origin, "git", "add", ".")
        cls.run_in(cls.origin, "git", "commit", "-q", "-m", message)

    def review(self, branch, base="main", **inputs):
        """The finished process, the summary, and the folder, which has one commit as a checkout of GitHub does."""
        place = self.folder / self.id().rpartition(".")[2]
        self.run_in(self.folder, "git", "clone", "-q", "--depth=1", "--branch", branch, f"file://{self.origin}", place.name)
        summary = place / ".git/summary"
        summary.write_text("")
        defaults = {name.upper().replace("-", "_"): str(row["default"]) for name, row in ACTION["inputs"].items() if name != "version"}
        github = {"GITHUB_STEP_SUMMARY": str(summary), "GITHUB_BASE_REF": base, "GITHUB_ACTIONS": "true"}
        environment = self.environment(PATH=f"{self.path[0]}:{os.environ['PATH']}", **github, **{**defaults, "OUT_DIR": "out", **inputs})
        done = subprocess.run([packages.ROOT / "tools/action/review.sh"], cwd=place, env=environment, capture_output=True, text=True, check=False)
        return done, summary.read_text(), place

    def test_inputs(self):
        """Each input reaches the scripts, which read nothing else."""
        steps = {step["run"].rpartition("/")[2].strip('"'): step["env"] for step in ACTION["runs"]["steps"] if "run" in step}
        passed = {name: value for step in steps.values() for name, value in step.items()}
        self.assertEqual({"${{ inputs." + name + " }}" for name in ACTION["inputs"]}, set(passed.values()))
        self.assertEqual({"install.sh", "review.sh"}, set(steps))
        for script in steps:
            self.assertTrue(os.access(packages.ROOT / "tools/action" / script, os.X_OK))

    def test_good(self):
        done, summary, place = self.review("good", SARIF="lint.sarif")
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertIn("job-1", summary)
        self.assertIn("4 → 8 nodes", summary)
        self.assertEqual([], json.loads((place / "lint.sarif").read_text())["runs"][0]["results"])

    def test_bad(self):
        """Every part runs, and the findings of both mistakes are annotations."""
        done, _, place = self.review("bad", SARIF="lint.sarif")
        self.assertEqual(1, done.returncode, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^::error .*file=specs/job.yaml.*FS3002")
        self.assertRegex(done.stdout, r"(?m)^::error .*file=manifests/pod.yaml")
        self.assertIn("::error::failed: flexslice check, flexslice compile --check, flexslice lint, flexslice diff\n", done.stdout)
        self.assertTrue(json.loads((place / "lint.sarif").read_text())["runs"][0]["results"])

    def test_stale_outputs(self):
        done, _, _ = self.review("good", SPECS="specs/job.yaml", OUT_DIR="elsewhere")
        self.assertEqual(1, done.returncode)
        self.assertIn("::error::failed: flexslice compile --check\n", done.stdout)

    def test_no_pull_request(self):
        done, summary, _ = self.review("good", base="")
        self.assertEqual((0, ""), (done.returncode, summary), done.stdout)
        self.assertIn("nothing to compare with", done.stderr)

    def test_only_lint(self):
        done, summary, _ = self.review("bad", SPECS="")
        self.assertEqual(1, done.returncode)
        self.assertIn("::error::failed: flexslice lint\n", done.stdout)
        self.assertEqual("", summary)

    def test_new_specs(self):
        """What the base does not have is not compared."""
        self.run_in(self.origin, "git", "checkout", "-q", "-b", "new", "main")
        self.commit("new", "New", {"other/job.yaml": SPEC.replace("name: ", "name: new-", 1)})
        done, summary, _ = self.review("new", SPECS="other", OUT_DIR="")
        self.assertEqual(0, done.returncode, done.stdout)
        self.assertEqual("`other` is new.\n\n", summary)

    def test_bad_versions(self):
        for version, words in (("", "the input `version` is empty"), ("9.9.9", "npm cannot install flexslice@9.9.9; check the input `version`")):
            with self.subTest(version):
                # Where nothing is installed or cached.
                with tempfile.TemporaryDirectory() as home:
                    environment = {**self.environment(FLEXSLICE_VERSION=version), "HOME": home}
                    done = subprocess.run([packages.ROOT / "tools/action/install.sh"], env=environment, capture_output=True, text=True, check=False)
                self.assertEqual(1, done.returncode)
                self.assertIn(f"::error::{words}", done.stdout)

    def test_the_cache_is_used(self):
        """A version that is installed already needs no npm."""
        done = self.install("1.0.0")
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertIn("flexslice ", done.stdout)


if __name__ == "__main__":
    unittest.main()
