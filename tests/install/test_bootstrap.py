"""./bootstrap says what it does while it takes long, and what to do next. apt, cmake and ctest are stand-ins here."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get("FLEXSLICE_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(ROOT / "tests"))
import skipped  # noqa: E402

LOG = """\
1/3 Testing: one
Output:
----------------------------------------------------------
test_a (test_one.One.test_a) ... skipped 'pre-commit is missing'
test_b (test_one.One.test_b) ... skipped "kubectl's binary is missing"
test_c (test_one.One.test_c) ... ok
OK (skipped=2)
<end of output>
Test time =   0.27 sec
"one" end time: Nov 22 03:50 UTC
2/3 Testing: two
Output:
----------------------------------------------------------
setUpClass (test_two.Two) ... skipped 'pre-commit is missing'
OK (skipped=1)
<end of output>
"two" end time: Nov 22 03:50 UTC
3/3 Testing: three
Output:
----------------------------------------------------------
no go here
<end of output>
Test Pass Reason:
Skip return code=77
"three" end time: Nov 22 03:50 UTC
4/4 Testing: four
Output:
----------------------------------------------------------
All tests passed
<end of output>
Test Passed.
"four" end time: Nov 22 03:50 UTC
"""


class Skipped(unittest.TestCase):
    def test_reasons(self):
        self.assertEqual({"pre-commit is missing": {"one": 1, "two": 1}, "kubectl's binary is missing": {"one": 1}, "no go here": {"three": 1}},
                         skipped.reasons(LOG))
        self.assertIn("  pre-commit is missing\n    one\n    two\n", skipped.report(LOG))
        self.assertEqual("no test was skipped\n", skipped.report(""))


class Bootstrap(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.place = pathlib.Path(directory.name)
        (self.place / "tests").mkdir()
        shutil.copy(ROOT / "bootstrap", self.place)
        shutil.copy(ROOT / "tests/skipped.py", self.place / "tests")
        self.program("build/release/flexslice", 'echo "flexslice $*"')
        (self.place / "build/release/Testing/Temporary").mkdir(parents=True)
        (self.place / "build/release/Testing/Temporary/LastTest.log").write_text(LOG)
        for name in ("apt-get", "cmake", "sudo"):
            self.program(f"bin/{name}", ":")
        self.program("bin/ctest", "exit ${CTEST_STATUS-0}")
        self.program("bin/dpkg-query", "[[ ${@: -1} == $MISSING ]] || echo installed")

    def program(self, name, text):
        path = self.place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/usr/bin/env bash\n{text}\n")
        path.chmod(0o755)

    def bootstrap(self, *words, **environment):
        done = subprocess.run(["./bootstrap", *words], cwd=self.place, capture_output=True, text=True, check=False,
                              env={"PATH": f"{self.place}/bin:/usr/bin:/bin", "MISSING": "", **environment})
        return done.returncode, done.stdout, done.stderr.splitlines()

    def test_apt(self):
        said = self.bootstrap(MISSING="cmake")[2]
        self.assertRegex(said[0], r"^==> Reading the package lists \(apt-get update\)")
        self.assertRegex(said[1], r"^==> Installing \(apt-get install\).*: cmake$")
        self.assertNotIn("apt-get", "".join(self.bootstrap()[2]))

    def test_next(self):
        status, out, said = self.bootstrap()
        self.assertEqual(0, status)
        self.assertIn("flexslice compile examples/multi-host/spec.yaml", out)
        self.assertEqual("==> Next: build/release/flexslice init train -o train.yaml", said[-1])

    def test_skipped_tests_are_listed(self):
        status, _, said = self.bootstrap("test")
        self.assertEqual(0, status)
        self.assertIn("  pre-commit is missing", said)
        self.assertIn("Next: build/release/flexslice init", said[-1])
        status, _, said = self.bootstrap("test", CTEST_STATUS="8")
        self.assertEqual(8, status)
        self.assertIn("  pre-commit is missing", said)
        self.assertIn("--rerun-failed", said[-1])


if __name__ == "__main__":
    unittest.main()
