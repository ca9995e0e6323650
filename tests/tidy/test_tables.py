"""What stands in one table has its other half elsewhere: diagnostics, kinds, models, fields, facts."""
import json
import re
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


class Diagnostics(unittest.TestCase):
    def test_numbers_are_used_once(self):
        numbers = [number for _, number, _, _ in source.diagnostics()]
        self.assertEqual(sorted(set(numbers)), sorted(numbers))
        self.assertGreater(len(numbers), 50)

    def test_every_row_has_an_emitter(self):
        code = "\n".join(text for file, text in source.cpp_files("src") if file.endswith(".cpp"))
        for name, number, _, _ in source.diagnostics():
            self.assertTrue(re.search(rf"<(diag::)?Code::{name}>", code), f"nothing reports FS{number} {name}")

    def test_every_row_has_a_case(self):
        cases = {path.name.split("-")[0] for folder in (CASES, LINT_CASES, IMPORT_CASES) for path in folder.iterdir()}
        missing = [f"FS{number} {name}" for name, number, _, _ in source.diagnostics() if f"FS{number}" not in cases]
        self.assertEqual([], missing)

    def test_every_case_has_a_row(self):
        known = {f"FS{number}" for _, number, _, _ in source.diagnostics()}
        used = {code for code in (path.name.split("-")[0] for path in CASES.iterdir()) if code.startswith("FS")}
        self.assertEqual([], sorted(used - known))

    def test_numbers_follow_the_passes(self):
        """1 YAML, 2 spec, 3 catalog, 4 across resources, 5 lint, 9 files and usage."""
        for name, number, _, _ in source.diagnostics():
            self.assertIn(number // 1000, (1, 2, 3, 4, 5, 9), name)

    def test_rules_of_lint_have_examples(self):
        numbers = {name: number for name, number, _, _ in source.diagnostics()}
        rows = re.split(r"^FS_TEXT\(", (source.SRC / "diag/texts.def").read_text(), flags=re.MULTILINE)
        for row in rows[1:]:
            name = re.match(r"\s*(\w+)", row)[1]
            if 5000 <= numbers[name] < 5100:
                text = re.sub(r'"\s*"', "", row)
                self.assertRegex(text, "Wrong: .*Right: ", f"FS{numbers[name]} explains no wrong and right example")

    def test_messages_have_one_style(self):
        for name, number, _, message in source.diagnostics():
            self.assertNotRegex(message, r"^\{[^}]*\}$", f"FS{number} {name}: SARIF and explain would not name the rule")
            self.assertFalse(message.endswith("."), f"FS{number} {name}")
            if message[0].isalpha():
                self.assertTrue(message[0].islower() or message.split()[0] in ("Autopilot", "GKE", "Kubernetes", "Multislice", "U+{number}"), f"FS{number} {name}")


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
        self.assertEqual([], sorted(known - used))


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
