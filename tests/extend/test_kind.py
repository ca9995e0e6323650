"""A made-up workload kind, added to a copy of the project by the steps of CONTRIBUTING.md, is built and compiled.

    python3 tests/extend/test_kind.py      takes a build of the whole program
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
NEEDED = ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "src", "templates", "schemas", "tools")

ROW = """\
    {.word = "gang",
     .object = "Gang",
     .templates = "gang",
     .pod_label = "gangs.example.com/gang",
     .slices = Slices::joined,
     .slice_part = "-member-"},
"""

TEMPLATE = """\
# Several slices, each a member of the gang.
apiVersion: gangs.example.com/v1
kind: Gang
metadata:
  name: ${name}
  namespace: ${?namespace}
  labels:
    $merge: labels
spec:
  members: ${tpu.slices}
  podsPerMember: ${tpu.hosts}
  template: ${kubernetes/pod}
"""

CONTROLLER = """
  - name: Gangs
    group: gangs.example.com/
    site: https://gangs.example.com
    minimums: []
"""

SPEC = """\
apiVersion: flexslice/v1
name: crowd
cluster: {name: c1, location: us-east5}
tpu: {type: v6e, topology: 4x4, slices: 2}
provisioning: {model: on-demand, zones: [us-east5-b]}
workload: {kind: gang, image: busybox, script: "true"}
"""


RUNS_COMMAND = 'runs_command = "'  # in spec/fields.cpp: the kinds that have `command`, `args` and `script`


def append(path, text, before=None):
    whole = path.read_text()
    at = whole.index(before) if before else len(whole)
    path.write_text(whole[:at] + text + whole[at:])


class Kind(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="flexslice-kind-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        for name in NEEDED:
            if (SOURCE / name).is_dir():
                shutil.copytree(SOURCE / name, cls.folder / name)
            elif (SOURCE / name).exists():
                shutil.copy(SOURCE / name, cls.folder)
        append(cls.folder / "src/spec/kinds.hpp", ROW, before="};\n\nconstexpr const")
        fields = cls.folder / "src/spec/spec_fields.cpp"
        fields.write_text(fields.read_text().replace(RUNS_COMMAND, RUNS_COMMAND + "gang ", 1))
        (cls.folder / "templates/kubernetes/gang.yaml").write_text(TEMPLATE)
        append(cls.folder / "src/catalog/data/controllers.yaml", CONTROLLER)
        (cls.folder / "spec.yaml").write_text(SPEC)
        build = cls.folder / "build"
        for command in (["cmake", "-S", cls.folder, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DFLEXSLICE_TESTS=OFF"],
                        ["cmake", "--build", build, "--target", "flexslice", "--parallel", str(os.cpu_count())]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        cls.program = build / "flexslice"

    def run_program(self, *arguments, status=0):
        done = subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(status, done.returncode, done.stderr)
        return done.stdout

    def test_it_is_compiled(self):
        out = self.run_program("compile", "--no-comments", "spec.yaml")
        self.assertIn("apiVersion: gangs.example.com/v1\nkind: Gang\nmetadata:\n  name: crowd\n", out)
        self.assertIn("  members: 2\n  podsPerMember: 4\n", out)
        self.assertIn("gke-tpu-topology: 4x4", out)

    def test_its_pods_have_their_names(self):
        out = self.run_program("compile", "--no-comments", "spec.yaml")
        self.assertIn("crowd-member-0-0", out + self.run_program("explain", "spec.yaml"))

    def test_it_is_in_the_schema_and_the_explanation(self):
        kinds = json.loads(self.run_program("schema"))
        self.assertIn('"gang"', json.dumps(kinds))
        self.assertIn("Gangs", self.run_program("explain", "spec.yaml"))

    def test_the_scripts_name_it(self):
        for script in ("verify", "cleanup"):
            self.assertIn("gang", self.run_program("compile", "--emit", script, "spec.yaml").lower(), script)


if __name__ == "__main__":
    unittest.main(verbosity=2)
