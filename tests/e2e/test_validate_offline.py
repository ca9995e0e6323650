"""Every generated manifest passes the strict offline check that stands beside some checkouts.

It is looked for at $FLEXSLICE_VALIDATE_OFFLINE, else in the shared folder beside this checkout; elsewhere this is skipped.
"""

import os
import unittest
from pathlib import Path

import artifacts
import test_lint
import yaml_readers
from sandbox import require

PROGRAM = Path(os.environ.get("FLEXSLICE_VALIDATE_OFFLINE")
               or artifacts.ROOT.parent / "shared/tools/validate-manifests/validate-offline")


@unittest.skipUnless(PROGRAM.exists(), "the offline check is not here")
class ValidateOffline(test_lint.ArtifactsCase):
    """One run over all files."""

    def test_all_objects_pass(self):
        require("node")
        last = self.passes(PROGRAM, *self.manifests).splitlines()[-1]
        objects = sum(len(yaml_readers.load_pyyaml(path.read_text(encoding="utf-8"))) for path in self.manifests)
        self.assertEqual(last, f"{objects} passed, 0 failed")


if __name__ == "__main__":
    unittest.main()
