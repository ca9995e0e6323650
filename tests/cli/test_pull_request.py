"""examples/ci/pull-request.yaml: its commands in a clone of a repository, with a GitHub that keeps comments."""
import json
import os
import pathlib
import re
import subprocess
import unittest

import yaml

from program import *

WORKFLOW = yaml.safe_load((ROOT / "examples/ci/pull-request.yaml").read_text())
JOB = (ROOT / "examples/multi-host/spec.yaml").read_text()
WHO = {f"GIT_{role}_{what}": "test@example.com" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
VALUES = {"github.base_ref": "main", "github.event.number": "7", "github.token": "secret", "github.server_url": "https://github.example", "github.repository": "o/r",
          "github.run_id": "99"}
# The calls of `gh api`, on comments in a file: those of page 1 and 2 in one list, as --paginate gives them.
GH = '''#!/usr/bin/env python3
import json, pathlib, re, sys
store = pathlib.Path(__file__).parent / "comments.json"
comments = json.loads(store.read_text())
words = sys.argv[1:]
assert words.pop(0) == "api"
method = words[words.index("--method") + 1] if "--method" in words else "GET"
path = next(word for word in words if word.startswith("repos/"))
if method == "GET":
    assert path == "repos/o/r/issues/7/comments" and "--paginate" in words
    start = re.search(r'startswith[(]"(.*?)"[)]', words[words.index("--jq") + 1])[1]
    print("".join(f"{each['id']}\\n" for each in comments if each["body"].startswith(start)), end="")
    sys.exit()
body = pathlib.Path(next(word for word in words if word.startswith("body=@"))[6:]).read_text()
if len(body) > 65536:
    sys.exit("gh: Validation Failed (HTTP 422)")
if method == "POST":
    assert path == "repos/o/r/issues/7/comments"
    comments.append({"id": 100 + len(comments), "body": body})
else:
    [each] = [each for each in comments if path == f"repos/o/r/issues/comments/{each['id']}"]
    each["body"] = body
store.write_text(json.dumps(comments))
'''


class PullRequest(Case):
    def setUp(self):
        super().setUp()
        self.origin, self.clone = self.folder / "origin", self.folder / "clone"
        self.write("bin/gh", GH)
        os.chmod(self.folder / "bin/gh", 0o755)
        os.symlink(FLEXSLICE, self.folder / "bin/flexslice")
        self.write("bin/comments.json", json.dumps([{"id": 1, "body": "Nice!"}]))
        self.write("origin/cluster.yaml", "tpu: {type: v6e}\n")
        self.git(self.origin, "init", "-q", "-b", "main")
        self.commit()
        self.git(self.folder, "clone", "-q", str(self.origin), "clone")

    def git(self, folder, *words):
        subprocess.run(["git", *words], cwd=folder, env={**os.environ, **WHO}, check=True, capture_output=True)

    def commit(self):
        self.git(self.origin, "add", ".")
        self.git(self.origin, "commit", "-q", "-m", "Change")
        if self.clone.exists():
            self.git(self.clone, "fetch", "-q")

    def comments(self):
        return [each["body"] for each in json.loads(self.read("bin/comments.json"))[1:]]

    def push(self, status=0, fork=False):
        """Runs the steps; the summary of the job."""
        self.write("summary", "")
        for step in WORKFLOW["jobs"]["diff"]["steps"]:
            if "run" not in step or step["run"].startswith("npm ") or (fork and "head.repo.full_name" in step.get("if", "")):
                continue
            given = {name: re.sub(r"\$\{\{ (.*?) \}\}", lambda match: VALUES[match[1]], value) for name, value in step.get("env", {}).items()}
            environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(self.folder / "summary"), "GITHUB_REPOSITORY": "o/r", **given}
            # GitHub's own shell for `run`.
            done = subprocess.run(["bash", "-e", "-c", step["run"]], cwd=self.clone, env=environment, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                break
        self.assertEqual(status, done.returncode, done.stderr)
        return self.read("summary")

    def test_first_specs(self):
        """One comment, which each push changes."""
        self.assertEqual("No differences.\n", self.push() if self.write("clone/specs/notes.yaml", "none: here\n") else "")
        self.assertEqual([], self.comments())
        job = JOB.replace("  type: v6e\n", "")
        self.write("clone/specs/job.yaml", job)
        self.assertIn("### job-1\n\n- new\n", self.push())
        [comment] = self.comments()
        self.assertTrue(comment.startswith("<!-- flexslice diff -->\n### job-1\n"), comment)
        self.write("clone/specs/other.yaml", job.replace("job-1", "job-2"))
        self.assertIn("All 2 workloads: 0 → 8 nodes", self.push())
        [comment] = self.comments()
        self.assertIn("### job-2\n", comment)
        for name in ("job.yaml", "other.yaml"):
            (self.clone / "specs" / name).unlink()
        self.push()
        self.assertEqual(["<!-- flexslice diff -->\nNo differences.\n"], self.comments())

    def test_changes(self):
        job = JOB.replace("  type: v6e\n", "")
        self.write("origin/specs/job.yaml", job)
        self.commit()
        self.write("clone/specs/job.yaml", job.replace("topology: 4x4", "topology: 4x8"))
        self.assertIn("| ! | node pool job-1-pool | recreate", self.push())
        self.write("clone/specs/job.yaml", job)
        self.write("clone/cluster.yaml", "tpu: {type: v5e}\n")
        self.assertIn("- tpu.type: v6e → v5e\n", self.push())
        self.write("clone/cluster.yaml", "tpu: {type: v6e}\n")
        (self.clone / "specs/job.yaml").unlink()
        self.assertIn("### job-1\n\n- gone\n", self.push())
        self.write("clone/specs/job.yaml", job + "nonsense: 1\n")
        self.push(status=1)

    def test_fork(self):
        """Its token cannot comment; the summary has the same."""
        self.write("clone/specs/job.yaml", JOB)
        self.assertIn("### job-1\n", self.push(fork=True))
        self.assertEqual([], self.comments())

    def test_long(self):
        self.write("clone/specs/jobs.yaml", "---\n".join(JOB.replace("job-1", f"job-{number}") for number in range(500)))
        self.assertIn("All 500 workloads", self.push())
        self.assertEqual(["<!-- flexslice diff -->\nThe changes are too long for a comment: [the summary](https://github.example/o/r/actions/runs/99) has them.\n"], self.comments())


if __name__ == "__main__":
    unittest.main()
