"""A made-up workload kind, a made-up back end and a field that is only passed on, added to a copy of the project by the steps of
CONTRIBUTING.md, are built and compiled.

    python3 tests/extend/test_extend.py      takes a build of the whole program
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
NEEDED = ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "src", "templates", "schemas", "tools", "examples")

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


RUNS_COMMAND = "&runs_command "  # in spec/fields.yaml: the kinds that have `command`, `args` and `script`


def append(path, text, before=None):
    whole = path.read_text()
    at = whole.index(before) if before else len(whole)
    path.write_text(whole[:at] + text + whole[at:])


# A back end: a folder of templates, a row and a word. Its format has pools, and no Spot.
ARTIFACT = '{{Emit::barge, "barge", "barge.yaml", true}, nullptr, nullptr, "barge/main", "barge/lacking"},'
BARGE = {
    "main.yaml": """\
# A manifest of the barge for each pool.
- $each: pool in pools
  $value:
    barge: ${pool.name}
    boxes: ${pool.nodes}
    of: ${tpu.machineType}
    sealed: {$when: cluster.create, $value: true}
""",
    "lacking.yaml": """\
- $each: pool in pools
  $value:
    - {$when: pool.spot, says: spot, kind: Barge, field: spare, of: provisioning.model}
""",
}


# A field that compile passes on: the struct, the row, the template.
FIELD = {
    "src/spec/claims.hpp": ("  Text priority_class, termination_grace;\n", "  Text scheduler_name;\n"),
    "src/spec/fields.yaml": ("    priorityClass?:\n", """\
    schedulerName?:
      pattern: dns_subdomain
      doc: Scheduler of the pods.
      example: gang-scheduler
"""),
    "templates/kubernetes/pod.yaml": ("  priorityClassName: ${?workload.priorityClass}\n", "  schedulerName: ${?workload.schedulerName}\n"),
}
# A list of objects that compile passes on; Kubernetes' own table knows by which key its items are found.
LIST = {
    "src/spec/claims.hpp": ("  List<Tree> init_containers,", "  List<Tree> host_aliases;\n"),
    "src/spec/fields.yaml": ("    sidecars?:\n", """\
    hostAliases?:
      shape: HostAlias
      doc: Names of addresses that the pods know.
      example: '[{ip: 10.0.0.1, hostnames: [cache]}]'
"""),
    "templates/kubernetes/pod.yaml": ("  priorityClassName: ${?workload.priorityClass}\n", "  hostAliases: ${?workload.hostAliases}\n"),
}
ALIASES = "hostAliases: [{ip: 10.0.0.1, hostnames: [cache]}, {ip: 10.0.0.2, hostnames: [store]}]"
WITH_LIST = SPEC.replace("kind: gang", "kind: jobset").replace("image: busybox,", f"image: busybox, {ALIASES},")

# A flag of node pools that compile passes on: the member, the row of the spec, the row with the words of others.
FLAG = {
    "src/spec/claims.hpp": ("  Text disk_size,", "  Text disk_key;\n"),
    "src/spec/fields.yaml": ("    diskType?:\n", """\
    diskKey?:
      doc: Key of the boot disks.
      example: projects/my-project/keys/disks
"""),
    "src/catalog/data/pool_flags.yaml": (None, """\
  - field: diskKey
    title: the key of the boot disks
    flag: --boot-disk-kms-key
    api: config.bootDiskKmsKey
    terraform: node_config.boot_disk_kms_key
    computeClass: priorities.storage.bootDiskKMSKey
    autopilot: leave it out
    result: recreate
    why: a disk keeps its key
"""),
}
KEY = "projects/my-project/keys/disks"
WITH_FLAG = SPEC.replace("zones: [us-east5-b]", f"zones: [us-east5-b], diskKey: {KEY}").replace("kind: gang", "kind: jobset")
WITH_FIELD = SPEC.replace("kind: gang", "kind: jobset").replace("image: busybox,", "image: busybox, schedulerName: gang-scheduler,")


class Extended(unittest.TestCase):
    """One copy with all, since a build takes minutes."""

    @classmethod
    def setUpClass(cls):
        if "program" in vars(Extended):
            return
        Extended.folder = pathlib.Path(tempfile.mkdtemp(prefix="flexslice-extended-"))
        unittest.addModuleCleanup(shutil.rmtree, Extended.folder)
        for name in NEEDED:
            if (SOURCE / name).is_dir():
                shutil.copytree(SOURCE / name, cls.folder / name)
            elif (SOURCE / name).exists():
                shutil.copy(SOURCE / name, cls.folder)
        cls.add_kind()
        cls.add_back_end()
        for added in (FIELD, LIST, FLAG):
            for name, (before, text) in added.items():
                append(cls.folder / name, text, before)
        (cls.folder / "field.yaml").write_text(WITH_FIELD)
        (cls.folder / "flag.yaml").write_text(WITH_FLAG)
        (cls.folder / "spec.yaml").write_text(SPEC)
        (cls.folder / "spot.yaml").write_text(SPEC.replace("on-demand", "spot"))
        build = cls.folder / "build"
        for command in (["cmake", "-S", cls.folder, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DFLEXSLICE_TESTS=OFF", "-DFLEXSLICE_UNITY=ON"],
                        ["cmake", "--build", build, "--target", "flexslice", "--parallel", str(os.cpu_count())]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        Extended.program = build / "flexslice"

    @classmethod
    def add_kind(cls):
        append(cls.folder / "src/spec/kinds.hpp", ROW, before="};\n\nconstexpr const")
        fields = cls.folder / "src/spec/fields.yaml"
        fields.write_text(fields.read_text().replace(RUNS_COMMAND, RUNS_COMMAND + "gang ", 1))
        (cls.folder / "templates/kubernetes/gang.yaml").write_text(TEMPLATE)
        append(cls.folder / "src/catalog/data/controllers.yaml", CONTROLLER, before="\nservedApis:")

    @classmethod
    def add_back_end(cls):
        append(cls.folder / "src/flexslice.hpp", "  barge,\n", before="};\n\n// `manifests`.")
        append(cls.folder / "src/driver/artifacts.cpp", f"    {ARTIFACT}\n", before="};\n\nValue expand_document")
        (cls.folder / "templates/barge").mkdir()
        for name, text in BARGE.items():
            (cls.folder / "templates/barge" / name).write_text(text)

    def run_program(self, *arguments, status=0):
        done = subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(status, done.returncode, done.stderr)
        return done.stdout + (done.stderr if status else "")


class BackEnd(Extended):
    def test_it_is_compiled(self):
        """Only where --emit names it."""
        self.assertEqual("".join(f"---\nbarge: crowd-pool-{i}\nboxes: 4\nof: ct6e-standard-4t\n" for i in range(2)),
                         self.run_program("compile", "--no-comments", "--emit", "barge", "spec.yaml"))
        self.run_program("compile", "--out-dir", "out", "spec.yaml")
        self.assertNotIn("barge.yaml", [each.name for each in (self.folder / "out").rglob("*")])
        self.run_program("compile", "--out-dir", "out", "--emit", "barge", "spec.yaml")
        self.assertTrue((self.folder / "out/crowd/barge.yaml").exists())

    def test_what_it_lacks(self):
        """The field that asks for it is named, at its place."""
        out = self.run_program("compile", "--format", "short", "--emit", "barge", "spot.yaml", status=1)
        self.assertRegex(out, r"spot.yaml:5:23: error\[FS4210\].*spare")
        self.run_program("compile", "--emit", "manifests", "spot.yaml")

    def test_its_word(self):
        self.assertIn(", barge\n", self.run_program("compile", "--emit", "boat", "spec.yaml", status=2))


class Kind(Extended):
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


class PassedOn(Extended):
    """Three places are all that a field needs which is only passed on."""

    def test_it_is_compiled(self):
        self.assertIn("schedulerName: gang-scheduler\n", self.run_program("compile", "field.yaml"))

    def test_it_is_known(self):
        self.assertIn('"schedulerName"', self.run_program("schema"))
        self.assertIn("Scheduler of the pods.", self.run_program("explain", "field", "workload.schedulerName"))
        self.assertIn("schedulerName", self.run_program("explain", "field", "workload"))
        self.assertIn("did you mean `schedulerName`?", self.check(WITH_FIELD.replace("schedulerName", "schedulerNam")))

    def check(self, text):
        (self.folder / "other.yaml").write_text(text)
        return self.run_program("check", "other.yaml", status=1)

    def test_a_wrong_value_by_every_door(self):
        wrong = WITH_FIELD.replace("gang-scheduler", "[1, 2]")
        line, before = wrong[: wrong.index("[1, 2]")].count("\n") + 1, wrong[: wrong.index("[1, 2]")].rpartition("\n")[2]
        self.assertIn(f"other.yaml:{line}:{len(before) + 1}: error[FS2003]", self.check(wrong))
        patched = SPEC.replace("kind: gang", "kind: jobset") + "patches: [{target: {kind: JobSet, pod: worker}, merge: {spec: {schedulerName: [1]}}}]\n"
        self.assertIn("error[FS2003]", self.check(patched))
        made = self.run_program("compile", "field.yaml")
        (self.folder / "made.yaml").write_text(made.replace("gang-scheduler", "[1]"))
        self.assertIn("error[FS2003]", self.run_program("lint", "made.yaml", status=1))
        (self.folder / "page.md").write_text(f"```yaml\n{made.replace('gang-scheduler', '[1]')}```\n")
        self.assertIn("error[FS2003]", self.run_program("lint", "page.md", status=1))

    def test_it_is_imported_as_a_field(self):
        (self.folder / "made.yaml").write_text(self.run_program("compile", "field.yaml") + "---\n")
        (self.folder / "provision.sh").write_text(self.run_program("compile", "--emit", "provision", "field.yaml"))
        spec = self.run_program("import", "made.yaml", "provision.sh")
        self.assertRegex(spec, r"\nworkload:\n(  .*\n)*  schedulerName: gang-scheduler\n")
        self.assertNotIn("patches:", spec)

    def test_a_change_is_found(self):
        (self.folder / "new.yaml").write_text(WITH_FIELD.replace("gang-scheduler", "other"))
        self.assertIn("schedulerName", self.run_program("diff", "field.yaml", "new.yaml", status=1))

    def test_the_editor_offers_it(self):
        def message(**body):
            text = json.dumps({"jsonrpc": "2.0", **body})
            return f"Content-Length: {len(text)}\r\n\r\n{text}".encode()
        text = WITH_FIELD.replace("schedulerName: gang-scheduler", "sch")
        at = text.index("sch,") + 3
        line, column = text[:at].count("\n"), at - text.rindex("\n", 0, at) - 1
        document = {"uri": "file:///spec.yaml"}
        asked = (message(id=1, method="initialize", params={"capabilities": {}}) +
                 message(method="textDocument/didOpen", params={"textDocument": {**document, "languageId": "yaml", "version": 1, "text": text}}) +
                 message(id=2, method="textDocument/completion", params={"textDocument": document, "position": {"line": line, "character": column}}) +
                 message(id=3, method="shutdown") + message(method="exit"))
        done = subprocess.run([self.program, "lsp"], input=asked, capture_output=True, check=False)
        self.assertIn(b"schedulerName", done.stdout)


class PassedList(Extended):
    """The same three places for a list of objects."""

    def imported(self, change=lambda text: text):
        (self.folder / "list.yaml").write_text(WITH_LIST)
        (self.folder / "listed.yaml").write_text(change(self.run_program("compile", "list.yaml")))
        done = subprocess.run([self.program, "import", "listed.yaml"], cwd=self.folder, capture_output=True, text=True, check=False)
        return done.stdout, done.stderr

    def test_good_items_are_a_field(self):
        spec, report = self.imported()
        self.assertRegex(spec, r"\n  hostAliases:\n(    .*\n)+")
        self.assertEqual((1, 1), (spec.count("10.0.0.1"), spec.count("10.0.0.2")), spec)
        self.assertNotIn("patches:", spec)
        self.assertNotIn("FS5107", report)

    def test_a_bad_item_leaves_the_good_one(self):
        spec, report = self.imported(lambda text: text.replace("ip: 10.0.0.2", "ip: 10.0.0.2.2"))
        self.assertIn("error[FS2006]", report)
        self.assertEqual(1, spec.count("ip: 10.0.0.1"), spec)
        self.assertNotIn("ip: 10.0.0.2.2", "".join(line for line in spec.splitlines(True) if not line.lstrip().startswith("#")))

    def test_a_patch_is_judged_by_its_key(self):
        text = WITH_LIST + "patches: [{target: {kind: JobSet, pod: worker}, strategicMerge: {spec: {hostAliases: [{ip: 10.0.0.1, hostnames: [other]}]}}}]\n"
        (self.folder / "patched.yaml").write_text(text)
        made = self.run_program("compile", "patched.yaml")
        self.assertIn("other", made)
        self.assertEqual(made.count("ip: 10.0.0.2"), made.count("ip: 10.0.0.1"))


class PassedToPools(Extended):
    """A member and two rows are all that a flag of node pools needs which is only passed on."""

    def compiled(self, *options):
        return self.run_program("compile", *options, "flag.yaml")

    def test_scripts_create_and_compare_it(self):
        provision = self.compiled("--emit", "provision")
        self.assertEqual(2, provision.count(f"--boot-disk-kms-key={KEY}"))
        self.assertIn(f"config.bootDiskKmsKey={KEY}", provision)

    def test_others_who_make_pools(self):
        (self.folder / "owned.yaml").write_text(WITH_FLAG.replace("model: on-demand", "model: on-demand, owner: terraform"))
        pool = json.loads(self.run_program("compile", "--emit", "terraform", "owned.yaml"))["resource"]["google_container_node_pool"]
        self.assertEqual({KEY}, {each["node_config"]["boot_disk_kms_key"] for each in pool.values()})
        (self.folder / "class.yaml").write_text(WITH_FLAG.replace("model: on-demand", "model: spot, fallback: [on-demand]"))
        self.assertEqual(2, self.run_program("compile", "class.yaml").count(f"bootDiskKMSKey: {KEY}"))
        (self.folder / "connected.yaml").write_text(WITH_FLAG.replace("model: on-demand", "model: on-demand, owner: config-connector"))
        lacking = self.run_program("compile", "--emit", "config-connector", "connected.yaml", status=1)
        self.assertIn("error[FS4210]", lacking)
        self.assertIn("the key of the boot disks", lacking)

    def test_where_it_does_not_belong(self):
        for changed, wanted in ((("name: c1", "name: c1, mode: autopilot"), "error[FS4006]"), (("model: on-demand", "model: on-demand, create: false"), "warning[FS4293]")):
            (self.folder / "wrong.yaml").write_text(WITH_FLAG.replace(*changed))
            done = subprocess.run([self.program, "check", "wrong.yaml"], cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertTrue([line for line in done.stdout.splitlines() if wanted in line and "diskKey" in line], done.stdout)

    def test_it_is_imported(self):
        (self.folder / "made.yaml").write_text(self.compiled())
        (self.folder / "provision.sh").write_text(self.compiled("--emit", "provision"))
        self.assertIn(f"diskKey: {KEY}\n", self.run_program("import", "made.yaml", "provision.sh"))

    def test_another_value_is_another_pool(self):
        (self.folder / "new.yaml").write_text(WITH_FLAG.replace(KEY, KEY + "-2"))
        self.assertIn("a disk keeps its key", self.run_program("diff", "flag.yaml", "new.yaml", status=1))


if __name__ == "__main__":
    unittest.main(verbosity=2)
