"""A spec that is imported from what compile made of another one compiles to the same, and is imported unchanged."""
import difflib
import json
import unittest

import yaml
import importing

# Facts that no artifact but the plan shows: an Autopilot cluster that the scripts do not create, for example.
FILLED = ["--set", "cluster.name=my-cluster", "--set", "cluster.location=us-central1"]


def fill(spec):
    """Options for the placeholders that the spec has in place of what its input does not show."""
    return FILLED if "$CLUSTER" in spec else []


def meaning(name, text):
    """Of YAML the documents, in which the order of keys says nothing; of scripts the lines."""
    if not name.endswith(".yaml"):
        return text
    return "\n---\n".join(json.dumps(document, indent=1, sort_keys=True) for document in yaml.safe_load_all(text))


def difference(files, again):
    return "\n".join(line for name in sorted({*files, *again}) for line in difflib.unified_diff(
        meaning(name, files.get(name, "")).splitlines(), meaning(name, again.get(name, "")).splitlines(), name, "imported", lineterm="", n=1))


class RoundTrip(unittest.TestCase):
    maxDiff = None

    def test_examples(self):
        examples = sorted(path.parent for path in (importing.ROOT / "examples").glob("*/spec.yaml"))
        self.assertGreater(len(examples), 20)
        for example in examples:
            with self.subTest(example=example.name):
                self.round_trip((example / "spec.yaml").read_text(), importing.options(example))

    def round_trip(self, spec, options):
        files, findings, _ = importing.compile_spec(spec, *options)
        self.assertTrue(files, findings)
        imported, findings, _ = importing.import_files(files)
        self.assertTrue(imported, findings)
        again, findings, _ = importing.compile_spec(imported, *options, *fill(imported))
        self.assertEqual("", difference(files, again), f"{findings}\n{imported}")
        twice, findings, _ = importing.import_files(again)
        self.assertEqual(imported, twice, findings)


if __name__ == "__main__":
    unittest.main()
