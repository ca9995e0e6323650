"""./bootstrap says what it does while it takes long, and what to do next. apt, cmake and ctest are stand-ins here."""
import ast
import os
import pathlib
import re
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


# On every Debian, even the smallest.
ESSENTIAL = {"bash", "dpkg", "dpkg-deb", "dpkg-query", "ldd", "nice", "tar", "unshare"}
# Programs that are called otherwise than their package.
PACKAGE = {"cpack": "cmake", "ctest": "cmake", "gcov": "g++", "readelf": "g++", "strip": "g++"}


def programs(tree):
    """Names of the programs in calls such as run(["patch", "-p0"]) and run_in(folder, "git", …)."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        function = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if function in ("run", "Popen", "check_call", "check_output") and call.args and isinstance(call.args[0], ast.List):
            first = call.args[0].elts[0] if call.args[0].elts else None
        elif function == "run_in" and len(call.args) > 1:
            first = call.args[1]
        else:
            continue
        if isinstance(first, ast.Constant) and isinstance(first.value, str) and re.fullmatch(r"[a-z][\w+-]*", first.value):
            yield first.value


def asked_for(tree):
    """Names in which("node"), need("lintian") and lists of names for which: without them the test is skipped, with that reason."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if function in ("which", "need"):
                yield from (argument.value for argument in node.args if isinstance(argument, ast.Constant))
        elif isinstance(node, ast.ListComp) and "which(" in ast.unparse(node):
            yield from (each.value for each in ast.walk(node.generators[0].iter) if isinstance(each, ast.Constant))


class Programs(unittest.TestCase):
    def test_tests_run_what_bootstrap_installs(self):
        script = (ROOT / "bootstrap").read_text()
        packages = set(re.search(r"^build_packages=\((.*)\)", script, re.M)[1].split() + re.search(r"^test_packages=\((.*)\)", script, re.M)[1].split())
        trees = {path: ast.parse(path.read_text()) for path in (ROOT / "tests").rglob("*.py")}
        # Where a helper runs flexslice, the list begins with its command.
        own = {"flexslice", *re.findall(r"^ *- name: (\S+)", (ROOT / "src/cli/help/commands.yaml").read_text(), re.M)}
        found = set()
        for path, tree in trees.items():
            skips = {name for other, its in trees.items() if other.parent == path.parent for name in asked_for(its)}
            for program in programs(tree):
                found.add(program)
                there = program in ESSENTIAL or PACKAGE.get(program, program) in packages or program in skips or program in own
                self.assertTrue(there, f"{path.relative_to(ROOT)} runs {program}, which no package of bootstrap brings")
        self.assertLessEqual({"patch", "git", "cmake", "kubectl"}, found)


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

    def test_apt_that_is_locked(self):
        """Another apt holds a lock three times, of the lists and of the archives; another failure is reported at once."""
        shutil.copy(ROOT / "tools/release/install-tools.sh", self.place)
        self.program("bin/sudo", 'exec "$@"')
        self.program("bin/sleep", 'echo slept >>"$CALLS"')
        self.program("bin/apt-get", '''
            echo "$*" >>"$CALLS"
            if [[ -n ${BROKEN-} ]]; then echo "E: Unable to locate package" >&2; exit 100; fi
            if (($(grep -c -- "$(awk "{print \\$4}" <<<"$*")" "$CALLS") < 4)); then echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)" >&2; exit 100; fi''')
        calls = self.place / "calls"
        for words in (["./install-tools.sh"], ["./bootstrap"]):
            with self.subTest(words):
                calls.write_text("")
                environment = {"PATH": f"{self.place}/bin:/usr/bin:/bin", "MISSING": "cmake", "CALLS": str(calls)}
                done = subprocess.run(words, cwd=self.place, env=environment, capture_output=True, text=True, check=False)
                self.assertEqual(0, done.returncode, done.stderr)
                self.assertNotIn("lock", done.stderr)
                self.assertEqual(6, calls.read_text().count("slept"), calls.read_text())
                self.assertIn("DPkg::Lock::Timeout=600", calls.read_text())
                calls.write_text("")
                done = subprocess.run(words, cwd=self.place, env={**environment, "BROKEN": "1"}, capture_output=True, text=True, check=False)
                self.assertNotEqual(0, done.returncode)
                self.assertIn("E: Unable to locate package", done.stderr)
                self.assertNotIn("slept", calls.read_text())

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
