"""A JSON Schema library and the decoder agree about what is a spec, value by value."""
import json
import math
import os
import pathlib
import random
import subprocess
import tempfile
import unittest
import warnings

import instances

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    try:
        import jsonschema
    except ImportError:
        jsonschema = None

FLEXSLICE = os.environ.get("FLEXSLICE", str(instances.ROOT / "build/dev/flexslice"))
DECODER = {f"FS{number}" for number in range(2001, 2012)} | {"FS2095"}
# What a spec has as Kubernetes has it is judged by these, which say more than a schema can.
KUBERNETES = {"FS4150", "FS4151", "FS5005"}
# What the catalog has to say about `tpu.type`, `topology`, `machineType` and `poolTopology`, and about their form.
SHAPES = {"FS3002", "FS3031", "FS3007", "FS3008", "FS3009", "FS3015"}
CATALOG = SHAPES | {"FS3001", "FS3003", "FS3004", "FS3005", "FS3016"}


def setUpModule():
    if jsonschema is None:
        reason = "Python's jsonschema is not installed"
        raise AssertionError(reason) if os.environ.get("CI") else unittest.SkipTest(reason)


def codes_of(texts):
    """The codes that `flexslice check` finds in each of the texts."""
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            pathlib.Path(folder, f"{number}.yaml").write_text(text)
        files = [f"{number}.yaml" for number in range(len(texts))]
        found = [set() for _ in texts]
        for begin in range(0, len(files), 500):
            done = subprocess.run([FLEXSLICE, "check", "--format", "json", *files[begin : begin + 500]], cwd=folder, capture_output=True, check=False)
            for each in json.loads(done.stdout):
                found[int(each["file"].removesuffix(".yaml"))].add(each["code"])
    return found


def is_whole_float(value):
    return isinstance(value, float) and math.isfinite(value) and value == int(value)


def somewhere(value, wanted):
    if isinstance(value, dict):
        return any(somewhere(each, wanted) for each in value.values())
    if isinstance(value, list):
        return any(somewhere(each, wanted) for each in value)
    return wanted(value)


# Where the two differ, and why: a predicate on the value and on the codes that flexslice finds.
EXCEPTIONS = {
    "JSON Schema takes 3.0 for an integer; a spec is written by people, and 3.0 slices is a mistake":
        lambda value, refused: somewhere(value, is_whole_float),
    "a placeholder is a string like any other to the schema":
        lambda value, refused: refused == ["FS2011"],
    "the schema does not know what a patch is merged into, so that an item which it adds has to be whole":
        lambda value, refused: refused == ["FS2002"] and "strategicMerge" in json.dumps(value),
    "only the catalog knows which boot disks a machine takes":
        lambda value, refused: refused == ["FS2005"] and "diskType" in json.dumps(value),
    "the points of a matrix are judged, and not the spec below them; a mistake in the matrix itself comes first":
        lambda value, refused: isinstance(value, dict) and "matrix" in value,
}


class Agreement(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        schema = json.loads((instances.ROOT / "schemas/flexslice.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        cls.validator = jsonschema.Draft202012Validator(schema)

    def compare(self, named):
        """`named` has (name, text, value). Returns how many of them are good."""
        self.assertTrue(named)
        good = 0
        for (name, text, value), codes in zip(named, codes_of([text for _, text, _ in named])):
            if any(code < "FS2" for code in codes):
                continue  # not readable as YAML, or with duplicate keys
            refused = sorted(codes & DECODER)
            errors = [error.message for error in self.validator.iter_errors(value)]
            good += not refused
            if not refused and errors:
                refused = sorted(codes & (CATALOG | KUBERNETES))
            if bool(refused) != bool(errors) and not any(exception(value, refused) for exception in EXCEPTIONS.values()):
                with self.subTest(name=name):
                    self.fail(f"flexslice finds {refused or 'nothing'}, the schema {errors or 'nothing'} in\n{text[:2000]}")
        return good

    def compare_values(self, named):
        return self.compare([(name, json.dumps(value, ensure_ascii=False), value) for name, value in named])

    def test_schema_is_current(self):
        made = subprocess.run([FLEXSLICE, "schema"], capture_output=True, check=True).stdout
        self.assertEqual((instances.ROOT / "schemas/flexslice.schema.json").read_bytes(), made)

    def test_examples_are_good(self):
        named = instances.examples()
        self.assertEqual(len(named), self.compare(named))

    def test_shapes_of_every_type(self):
        """The schema allows a topology for a type if and only if the compiler does."""
        spec = json.loads(json.dumps(instances.examples()[0][2]))
        shapes, types = set(), set()
        for rule in self.validator.schema["properties"]["tpu"]["allOf"]:
            if "then" not in rule:
                continue
            shapes |= set(rule["then"]["properties"]["topology"]["enum"])
            types |= set(rule["if"]["properties"]["type"]["enum"])
        self.assertLessEqual({"v3", "v4", "v5e", "v5p", "v6e", "tpu7x", "tpu-v6e-slice"}, types)
        self.assertLessEqual({"1x1", "4x4", "4x4x4", "2x2x1"}, shapes)
        pairs = [(a, b) for a in sorted(types) for b in sorted(shapes | {"4x7", "4x4x6", "2x4x2", "16", "4X4"})]
        specs = [{**spec, "tpu": {"type": a, "topology": b}} for a, b in pairs]
        for (a, b), value, codes in zip(pairs, specs, codes_of([json.dumps(each) for each in specs])):
            with self.subTest(type=a, topology=b):
                self.assertEqual(bool(codes & SHAPES), not self.validator.is_valid(value))

    def test_ui_cases(self):
        named = instances.cases()
        good = self.compare(named)
        self.assertTrue(0 < good < len(named), "some are specs with other mistakes, some are not")

    def test_every_change_of_every_field(self):
        named = list(instances.mutations())
        self.assertGreater(len(named), 1000)
        if not os.environ.get("FLEXSLICE_WHOLE"):
            named = random.Random(len(named)).sample(named, len(named) // 12)
        good = self.compare_values(named)
        self.assertTrue(30 < good < len(named) - 30, f"{good} of {len(named)} are good")

    def test_two_changes_at_once(self):
        named = list(instances.twice_changed(300 if os.environ.get("FLEXSLICE_WHOLE") else 100))
        self.compare_values(named)


if __name__ == "__main__":
    unittest.main()
