"""What an editor makes of the JSON Schema: completion, explanation and checks by the language server that editors use for YAML."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from language_server import LanguageServer, npm_folder

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLEXSLICE = os.environ.get("FLEXSLICE", str(ROOT / "build/dev/flexslice"))
SCHEMA = ROOT / "schemas/flexslice.schema.json"
PACKAGE = "yaml-language-server@1.25.0"
FIELDS = json.loads(SCHEMA.read_text())["properties"]
HEAD = "apiVersion: flexslice/v1\nname: train\n"


def install():
    """The server's command."""
    return ["node", str(npm_folder("yaml-language-server", PACKAGE) / "node_modules/yaml-language-server/bin/yaml-language-server"), "--stdio"]


def flexslice(*arguments):
    return subprocess.run([FLEXSLICE, *arguments], check=True, capture_output=True, text=True).stdout


class Editor:
    """`|` in a text is the cursor. The first lines of each text say where the schema is, or the settings do."""

    @classmethod
    def setUpClass(cls):
        command = install()
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.folder = pathlib.Path(directory.name)
        cls.prepare()
        settings = {"completion": True, "hover": True, "validate": True, "schemaStore": {"enable": False}, "schemas": cls.schemas}
        cls.server = LanguageServer(command, cls.folder, {"yaml": settings})
        cls.addClassCleanup(cls.server.close)
        cls.opened = 0
        cls.server.wait_for_findings(cls.server.open(cls.folder / "bad.yaml", cls.first + "no: field\n"))

    def open(self, text):
        type(self).opened += 1
        return self.server.open(self.folder / f"{self.opened}.yaml", self.first + text)

    def ask(self, method, text):
        before = (self.first + text[:text.index("|")]).split("\n")
        return method(self.open(text.replace("|", "", 1)), len(before) - 1, len(before[-1]))

    def completions(self, text):
        return self.ask(self.server.completions, HEAD + text)

    def findings(self, text):
        """With lines as in `text`."""
        skipped = self.first.count("\n")
        return [(line - skipped, message) for line, message in self.server.findings(self.open(text))]

    def test_completion_offers_all_fields(self):
        for section in ("cluster", "tpu", "provisioning", "workload"):
            with self.subTest(section=section):
                offered = self.completions(f"{section}:\n  |\n")
                for name, field in FIELDS[section]["properties"].items():
                    self.assertIn(field["description"], offered[name][1])

    def test_completion_inserts_what_is_needed_and_no_more(self):
        def inserted(letter, name):
            return re.sub(r"\$\d", "", self.completions(letter + "|")[name][0])

        self.assertEqual("tpu:\n  type: \n  topology: ", inserted("t", "tpu"))
        # A headless workload of Pathways has no image.
        self.assertEqual("workload:\n  ", inserted("w", "workload"))
        self.assertEqual("provisioning:\n  ", inserted("p", "provisioning"))
        self.assertEqual("topology: ${1:4x4}", self.completions("tpu:\n  |")["topology"][0])

    def test_completion_of_a_value_offers_the_words(self):
        for section, field, words in (("provisioning", "model", {"flex-start", "spot", "reservation"}), ("tpu", "type", {"v5e", "v6e"}),
                                      ("tpu", "machineType", {"ct6e-standard-4t"}), ("cluster", "mode", {"standard", "autopilot"}),
                                      ("workload", "restartPolicy", {"Never", "OnFailure"})):
            with self.subTest(field=field):
                self.assertLessEqual(words, set(self.completions(f"{section}:\n  {field}: |\n")))

    def test_completion_of_a_topology_offers_those_of_the_type(self):
        for type_, offered, other in (("v6e", "4x4", "2x2x1"), ("tpu-v5-lite-podslice", "2x4", "2x2x1"), ("v5p", "2x2x1", "4x4")):
            with self.subTest(type=type_):
                found = self.completions(f"tpu:\n  type: {type_}\n  topology: |\n")
                self.assertIn(offered, found)
                self.assertNotIn(other, found)

    def test_a_topology_of_another_type_is_marked(self):
        for type_, topology, good in (("v6e", "4x4", True), ("v6e", "4x7", False), ("v5p", "4x4x8", True), ("v5p", "4x4", False)):
            with self.subTest(type=type_, topology=topology):
                found = self.findings(f"{HEAD}tpu:\n  type: {type_}\n  topology: {topology}\nworkload: {{image: busybox}}\n")
                self.assertEqual([] if good else [5], [line for line, _ in found], found)

    def test_hover_explains(self):
        for text, section, field in (("tpu:\n  topo|logy: 4x4\n", "tpu", "topology"), ("tpu:\n  topology: 4|x4\n", "tpu", "topology"),
                                     ("provisioning:\n  mo|del: spot\n", "provisioning", "model")):
            with self.subTest(text=text):
                shown = self.ask(self.server.hover, HEAD + text)
                self.assertIn(f"{section}.{field}", shown)
                self.assertIn(FIELDS[section]["properties"][field]["description"], shown)

    def test_mistakes_are_marked(self):
        spec = flexslice("init", "--type", "v6e").split("\n", 1)[1]
        self.assertEqual([], self.findings(spec))
        for old, new, message in (
                ("  topology: 2x2", "  topology: 4", "string"),
                ("  topology:", "  topolgy:", "topolgy"),
                ("  location: us-east5", "  mode: automatic", "autopilot"),
                ("name: my-job", "name: My_Job", "It must be"),
                ("  zones: [", "  zones: [7, ", "string"),
                ("  image:", "  backoffLimit: -1\n  image:", "0")):
            with self.subTest(new=new):
                self.assertEqual(1, spec.count(old), spec)
                line = spec[:spec.index(old)].count("\n") + 1
                found = self.findings(spec.replace(old, new))
                self.assertTrue([words for at, words in found if at == line and message in words], found)


class ByTheLineOfInit(Editor, unittest.TestCase):
    """The first line that `flexslice init` writes, beside the schema as it says."""

    schemas = {}

    @classmethod
    def prepare(cls):
        cls.first = flexslice("init").split("\n")[0] + "\n"
        (cls.folder / "flexslice.schema.json").write_text(flexslice("schema"))

    def test_it_is_the_line(self):
        self.assertEqual("# yaml-language-server: $schema=flexslice.schema.json\n", self.first)


class BySettings(Editor, unittest.TestCase):
    first = ""
    schemas = {SCHEMA.as_uri(): "*.yaml"}

    @classmethod
    def prepare(cls):
        pass

    def test_examples_have_no_findings(self):
        examples = sorted(ROOT.glob("examples/*/spec.yaml"))
        self.assertGreater(len(examples), 10)
        for path in examples:
            with self.subTest(example=path.parent.name):
                self.assertEqual([], self.findings(path.read_text()))


if __name__ == "__main__":
    unittest.main()
