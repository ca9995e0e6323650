"""The scripts of action.yml in a repository with a good and a bad pull request, with the real npm package and GitHub's variables."""
import json
import os
import pathlib
import shutil
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

    def checkout(self, branch, *options):
        place = self.folder / self.id().rpartition(".")[2]
        shutil.rmtree(place, ignore_errors=True)
        self.run_in(self.folder, "git", "clone", "-q", *options, "--branch", branch, f"file://{self.origin}", place.name)
        return place

    def review(self, branch, base="main", place=None, **inputs):
        """The finished process, the summary, and the folder, by default one with one commit as a checkout of GitHub has."""
        place = place or self.checkout(branch, "--depth=1")
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
        self.assertIn("no pull request: nothing to compare with", done.stdout)

    def test_only_lint(self):
        done, summary, _ = self.review("bad", SPECS="")
        self.assertEqual(1, done.returncode)
        self.assertIn("::error::failed: flexslice lint\n", done.stdout)
        self.assertEqual("", summary)

    def test_new_specs(self):
        """Specs that the base lacks are new, and several paths have one sum."""
        self.run_in(self.origin, "git", "checkout", "-q", "-b", "new", "main")
        self.commit("new", "New", {"other/job.yaml": SPEC.replace("name: ", "name: new-", 1), "specs/job.yaml": SPEC.replace("4x4", "4x8")})
        done, summary, _ = self.review("new", SPECS="other", OUT_DIR="")
        self.assertEqual(0, done.returncode, done.stdout)
        self.assertIn("### new-job-1\n\n- new\n", summary)
        done, summary, _ = self.review("new", SPECS="specs\nother", OUT_DIR="")
        self.assertIn("**All 2 workloads: 4 → 12 nodes, at most $21.60 → $64.80 an hour (list prices).**\n", summary)
        self.assertEqual(1, summary.count("All 2 workloads"))

    def history(self, place):
        words = (["rev-parse", "--is-shallow-repository"], ["log", "--all", "--format=%H %D"], ["for-each-ref"], ["fsck", "--connectivity-only", "--no-dangling"])
        return [self.run_in(place, "git", *each) for each in words]

    def test_later_steps_see_the_same_history(self):
        """Of a whole checkout, of one with two commits, and of one with one."""
        for number in range(3):
            self.run_in(self.origin, "git", "checkout", "-q", "main")
            self.run_in(self.origin, "git", "commit", "-q", "--allow-empty", "-m", f"More {number}")
        self.run_in(self.origin, "git", "checkout", "-q", "-b", "late")
        self.commit("late", "Larger", {"specs/job.yaml": SPEC.replace("4x4", "4x8")}, compiles=True)
        for options in ([], ["--depth=3"], ["--depth=1"]):
            with self.subTest(options):
                place = self.checkout("late", *options)
                before = self.history(place)
                done, summary, _ = self.review("late", place=place)
                self.assertEqual(0, done.returncode, done.stdout + done.stderr)
                self.assertIn("4 → 8 nodes", summary)
                self.assertEqual(before, self.history(place))

    def test_merge_commit(self):
        """What others merged since is no change of the pull request."""
        self.run_in(self.origin, "git", "checkout", "-q", "-b", "trunk", "main")
        self.commit("trunk", "Of others", {"specs/other.yaml": SPEC.replace("name: ", "name: other-", 1)}, compiles=True)
        self.run_in(self.origin, "git", "checkout", "-q", "-b", "merge", "trunk")
        self.run_in(self.origin, "git", "merge", "-q", "-m", "Merge", "good")
        merge = self.run_in(self.origin, "git", "rev-parse", "HEAD").strip()
        self.run_in(self.origin, "git", "checkout", "-q", "trunk")
        self.commit("trunk", "Later", {"specs/later.yaml": SPEC.replace("name: ", "name: later-", 1)})
        for options in ([], ["--depth=1"]):
            with self.subTest(options):
                done, summary, _ = self.review("merge", base="trunk", place=self.checkout("merge", *options), GITHUB_SHA=merge)
                self.assertEqual(0, done.returncode, done.stdout + done.stderr)
                self.assertIn("### job-1\n", summary)
                self.assertNotIn("other-", summary.replace("All 2", ""))
                self.assertNotIn("later-", summary)

    def test_base_that_cannot_be_fetched(self):
        """The part fails and says why; where the checkout has the branch already, nothing is fetched."""
        done, summary, place = self.review("good", base="gone")
        self.assertEqual((1, ""), (done.returncode, summary), done.stdout)
        self.assertIn("::error::the base branch gone cannot be fetched, so there is nothing to compare with; check out with `fetch-depth: 0`", done.stderr)
        self.assertIn("::error::failed: flexslice diff\n", done.stdout)
        place = self.checkout("good")
        self.run_in(place, "git", "remote", "set-url", "origin", str(self.folder / "nowhere"))
        done, summary, _ = self.review("good", place=place)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertIn("4 → 8 nodes", summary)

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
