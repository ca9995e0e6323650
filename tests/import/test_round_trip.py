"""A spec that is imported from what compile made of another one compiles to the same, and is imported unchanged."""
import unittest

import importing

# Facts that no artifact but the plan shows: an Autopilot cluster that the scripts do not create, for example.
FILLED = ["--set", "cluster.name=my-cluster", "--set", "cluster.location=us-central1"]


def fill(spec):
    """Options for the placeholders that the spec has in place of what its input does not show."""
    return FILLED if "$CLUSTER" in spec else []


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
        self.assertEqual(files, again, f"{findings}\n{imported}")
        twice, findings, _ = importing.import_files(again)
        self.assertEqual(imported, twice, findings)


if __name__ == "__main__":
    unittest.main()
