"""What stands in one table has its other half elsewhere: diagnostics, kinds, models, fields, facts."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import yaml

import source

CASES = source.ROOT / "tests/ui/cases"
LINT_CASES = source.ROOT / "tests/ui/lint"
IMPORT_CASES = source.ROOT / "tests/ui/import"


def templates():
    """Names of the templates, as the program knows them: kubernetes/job."""
    folder = source.ROOT / "templates"
    return {str(path.relative_to(folder).with_suffix("")) for path in folder.rglob("*") if path.is_file()}


ROW = """\
FS1001:
  name: InvalidYaml
  level: error
  message: "invalid YAML: {problem}"
  explanation: Why.
"""


class Diagnostics(unittest.TestCase):
    def test_values_in_capitals_are_no_placeholders(self):
        """`MAX_THROUGHPUT` looks like `CLUSTER_NAME`."""
        known = set(re.findall(r'"(\w+)"', re.search(r" values\[\] = \{(.*?)\};", (source.ROOT / "src/schema/placeholder.cpp").read_text(), re.DOTALL).group(1)))
        choices = re.findall(r"\{[^}]*\}", (source.ROOT / "src/catalog/gcloud/commands.txt").read_text()) + re.findall(r"choices: \[[^]]*\]", (source.ROOT / "src/spec/fields.yaml").read_text())
        values = set(re.findall(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b", " ".join(choices)))
        self.assertTrue(values)
        self.assertEqual([], [f"{value} is a value: it belongs to `values` of src/schema/placeholder.cpp" for value in sorted(values - known)])

    def test_every_row_has_an_emitter(self):
        code = "\n".join(text for file, text in source.cpp_files("src") if file.endswith(".cpp"))
        for code_text, row in source.diagnostics().items():
            self.assertTrue(re.search(rf"<(diag::)?Code::{row['name']}>", code), f"nothing reports {code_text} {row['name']}")

    def test_every_row_has_a_case(self):
        cases = {path.name.split("-")[0] for folder in (CASES, LINT_CASES, IMPORT_CASES) for path in folder.iterdir()}
        self.assertEqual([], [code for code in source.diagnostics() if code not in cases])

    def test_every_case_has_a_row(self):
        used = {code for code in (path.name.split("-")[0] for path in CASES.iterdir()) if code.startswith("FS")}
        self.assertEqual([], sorted(used - set(source.diagnostics())))

    def test_numbers_follow_the_passes(self):
        """1 YAML, 2 spec, 3 catalog, 4 across resources, 5 lint, 9 files and usage."""
        self.assertGreater(len(source.diagnostics()), 50)
        for code in source.diagnostics():
            self.assertRegex(code, "^FS[123459]")

    def test_rules_of_lint_have_examples(self):
        for code, row in source.diagnostics().items():
            if code.startswith("FS50"):
                self.assertRegex(row["explanation"], "Wrong: .*Right: ", f"{code} explains no wrong and right example")

    def test_messages_have_one_style(self):
        for code, row in source.diagnostics().items():
            message = row["message"]
            self.assertNotRegex(message, r"^\{[^}]*\}$", f"{code}: SARIF and explain would not name the rule")
            self.assertFalse(message.endswith("."), code)
            if message[0].isalpha():
                self.assertTrue(message[0].islower() or message.split()[0] in ("Autopilot", "GKE", "Kubernetes", "Kueue", "Multislice", "Pathways", "U+{number}"), code)

    def test_a_row_that_is_not_like_the_others(self):
        """The build names the file, the place and the reason, and writes nothing."""
        cases = {
            "1:1: a row is called `FS` and four digits": ROW.replace("FS1001", "FS101"),
            "6:1: FS1001 is after FS1001": ROW + ROW,
            "6:1: FS1000 is after FS1001": ROW + ROW.replace("1001", "1000"),
            "7:9: InvalidYaml is another row's name": ROW + ROW.replace("1001", "1002"),
            "1:1: FS1001 has no level": ROW.replace("  level: error\n", ""),
            "1:1: FS1001 has no message": ROW.replace('"invalid YAML: {problem}"', ""),
            "1:1: FS1001 has something else": ROW + "  helps: no\n",
            "3:10: a level is error, soft, warning or note": ROW.replace("level: error", "level: fatal"),
            "4:12: each value of a message is a name in braces": ROW.replace("{problem}", "{}"),
        }
        cases |= {f"{list(cases)[-1]} ": ROW.replace("{problem}", "{problem"), f"{list(cases)[-1]}  ": ROW.replace("{problem}", "problem}")}
        tool = pathlib.Path(os.environ["FLEXSLICE_BUILD"]) / "flexslice-codes"
        with tempfile.TemporaryDirectory() as folder:
            table, codes, texts = (pathlib.Path(folder) / name for name in ("table.yaml", "codes.inl", "texts.inl"))
            for expected, text in cases.items():
                table.write_text(text)
                done = subprocess.run([tool, table, codes, texts], capture_output=True, text=True, check=False)
                self.assertEqual((1, f"{table}:{expected.rstrip()}\n"), (done.returncode, done.stderr))
                self.assertFalse(codes.exists())
            table.write_text(ROW)
            subprocess.run([tool, table, codes, texts], check=True)
            self.assertEqual("FS_CODE(InvalidYaml, 1001, error, 1, false)\n", codes.read_text())
            before = codes.stat().st_mtime_ns
            table.write_text(ROW.replace("Why", "Because"))
            subprocess.run([tool, table, codes, texts], check=True)
            self.assertIn("Because", texts.read_text())
            self.assertEqual(before, codes.stat().st_mtime_ns, "all would be compiled again")
            table.write_text(ROW.replace("  level: error\n", "  level: error\n  of: run\n"))
            subprocess.run([tool, table, codes, texts], check=True)
            self.assertEqual("FS_CODE(InvalidYaml, 1001, error, 1, true)\n", codes.read_text())


class Halves(unittest.TestCase):
    def test_workload_kinds(self):
        self.assertTrue(source.kinds())
        for word, its_templates in source.kinds().items():
            self.assertIn(word, its_templates)
            for name in its_templates:
                self.assertIn(f"kubernetes/{name}", templates())

    def test_no_template_is_forgotten(self):
        """Every template is named in C++, by a table, or by another template."""
        named = {literal for _, text in source.cpp_files("src") for _, literal in source.strings(text)}
        # Of a schedule, whose kind has no word.
        named |= {f"kubernetes/{name}" for name in re.search(r'kind\.templates = "([^"]+)"', (source.ROOT / "src/spec/kinds.hpp").read_text())[1].split()}
        named |= {f"kubernetes/{name}" for its_templates in source.kinds().values() for name in its_templates}
        for path in (source.ROOT / "templates").rglob("*.yaml"):
            named |= set(re.findall(r"[a-z]+/[a-z-]+", path.read_text()))
            named |= {f"check/{function}" for function in re.findall(r"check:(?: \[|\s+- )(\w+)", path.read_text())}
        for name in templates():
            self.assertTrue({name, name.split("/", 1)[1], name.rsplit("/", 1)[1]} & named, name)


def field_paths(schema, path=""):
    """`workload.env.*.secret`, `workload.volumes[].name`: every field that the schema has."""
    for key, each in schema.get("properties", {}).items():
        below = f"{path}.{key}" if path else key
        yield below
        yield from field_paths(each, below)
    if isinstance(schema.get("additionalProperties"), dict):
        yield from field_paths(schema["additionalProperties"], path + ".*")
    if "items" in schema:
        yield from field_paths(schema["items"], path + "[]")
    for each in schema.get("anyOf", []):
        yield from field_paths(each, path)


def used_paths(value, known, path=""):
    """Those of `known` that a spec has."""
    if path in known:
        yield path
    if isinstance(value, dict):
        for key, each in value.items():
            below = f"{path}.{key}" if path else key
            yield from used_paths(each, known, below if below in known else path + ".*")
    elif isinstance(value, list):
        for each in value:
            yield from used_paths(each, known, path + "[]")


class Fields(unittest.TestCase):
    def test_every_field_stands_in_an_example(self):
        """The output of examples is compared byte for byte by the golden test."""
        schema = json.loads((source.ROOT / "schemas/flexslice.schema.json").read_text())
        known = set(field_paths(schema))
        self.assertGreater(len(known), 80)
        used = set()
        for spec in (source.ROOT / "examples").rglob("*.yaml"):
            if "expected" not in spec.parts:
                for document in yaml.safe_load_all(spec.read_text()):
                    used |= set(used_paths(document, known))
        # A place is a layer over the spec, so what lies in it is a field of the spec.
        layered = {f"places[].{path}" for path in known if "." in path}
        self.assertEqual([], sorted(known - used - layered))


INHERITED = {"generations", "machineTypes", "shapes", "minimums", "zones", "models", "supports", "features", "ports"}


def facts(value, evidence, path):
    """(path, evidence) of each fact, the evidence taken from the nearest thing around it that has some."""
    own = {**evidence, **value["evidence"]} if isinstance(value, dict) and "evidence" in value else evidence
    if isinstance(value, dict):
        for key, each in value.items():
            for index, item in enumerate(each if key in INHERITED and isinstance(each, list) else []):
                name = item if isinstance(item, str) else item.get("id") or item.get("name") or item.get("topology") or index
                below = f"{path} / {key} {name}"
                yield below, {**own, **item.get("evidence", {})} if isinstance(item, dict) else own
                yield from facts(item, own, below)
            if key in ("limitEvidence", "graceEvidence"):
                yield f"{path} / {key.removesuffix('Evidence')}", {**own, **each}


class Facts(unittest.TestCase):
    def test_every_fact_has_evidence(self):
        count = 0
        for path, document in source.catalog().items():
            for where, evidence in facts(document, {}, path.name):
                count += 1
                self.assertIn(evidence.get("confidence"), ("high", "medium", "low"), where)
                self.assertTrue(evidence.get("asOf"), where)
                self.assertTrue(evidence.get("sources") or evidence.get("note"), f"{where}: neither a source nor why there is none")
                if not evidence.get("sources"):
                    self.assertEqual("low", evidence["confidence"], f"{where} has no source")
        self.assertGreater(count, 100)

    def test_sources_are_known(self):
        known = {each["id"] for each in source.things("sources")}
        for path, document in source.catalog().items():
            for where, evidence in facts(document, {}, path.name):
                self.assertLessEqual(set(evidence.get("sources", [])), known, where)

    def test_other_things_say_why(self):
        for kind in ("mistakes", "reservedEnv"):
            self.assertTrue(source.things(kind))
            for each in source.things(kind):
                self.assertTrue(each.get("why") or each.get("note"), f"{kind} {each}")


if __name__ == "__main__":
    unittest.main()
