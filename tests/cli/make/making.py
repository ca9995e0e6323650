"""Runs the real make, with the program under test in front of the path."""
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from program import FLEXSLICE, ROOT, Case, spec  # noqa: E402,F401

EARLIER, LATER = 1_000_000_000, 1_100_000_000


def environment():
    """Without what a make that runs the tests has left there."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}
    return {**kept, "PATH": f"{pathlib.Path(FLEXSLICE).parent}:{os.environ['PATH']}"}


class MakeCase(Case):
    def setUp(self):
        super().setUp()
        if shutil.which("make") is None:
            if os.environ.get("CI"):
                self.fail("make is not installed")
            raise unittest.SkipTest("make is not installed")

    def make(self, *arguments, status=0):
        done = subprocess.run(["make", *arguments], cwd=self.folder, env=environment(), capture_output=True, text=True, check=False)
        self.assertEqual(status, done.returncode, done.stdout + done.stderr)
        self.assertNotIn("warning", done.stderr)
        return done.stdout

    def compile(self, *arguments, status=0):
        done = subprocess.run([FLEXSLICE, "compile", *arguments], cwd=self.folder, env=environment(), capture_output=True, text=True, check=False)
        self.assertEqual(status, done.returncode, done.stderr)
        return done

    def set_time(self, name, seconds):
        os.utime(self.folder / name, (seconds, seconds))

    def time(self, name):
        return (self.folder / name).stat().st_mtime_ns
