"""What the tests of this folder share: faulty and good files, and repositories."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "batch"))
from running import FINDINGS, FINE, FLEXSLICE, IO, MIB, USAGE, BatchCase, spec  # noqa: E402,F401

JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {{name: {name}}}
spec:
  completionMode: Indexed
  completions: 4
  parallelism: 4
  template:
    spec:
      subdomain: {name}
      restartPolicy: Never
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
        cloud.google.com/gke-tpu-topology: 4x4
      containers:
        - name: train
          image: us-docker.pkg.dev/acme/train/finetune:2.1
          resources:
            limits:
              google.com/tpu: {chips}
"""


def job(chips=4, name="train"):
    """A good one with 4 chips; with 16 it has one error, which a fix ends."""
    return JOB.format(chips=chips, name=name)


BAD = job(16)
GOOD = job(4)
ERROR = "FS5003"


class LintCase(BatchCase):
    def git(self, *words, folder=""):
        who = {f"GIT_{role}_{what}": "test@example.com" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        environment = {**os.environ, "HOME": str(self.folder), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", **who}
        return subprocess.run(["git", *words], cwd=self.folder / folder, env=environment, capture_output=True, text=True, check=True).stdout

    def lint(self, *arguments, **options):
        """(places with findings, the summary)"""
        result = self.run_flexslice("lint", "--format", "short", *arguments, **options)
        return [line.split(":")[0] for line in result.out.splitlines()], result.err
