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


UNKNOWN = {"PodMonitoring", "Gateway", "InferencePool", "HTTPRoute", "CheckpointConfiguration", "CapacityBuffer"}  # kinds that it has no schema for


@unittest.skipUnless(PROGRAM.exists(), "the offline check is not here")
class ValidateOffline(test_lint.ArtifactsCase):
    """One run over all files."""

    def test_all_objects_pass(self):
        require("node")
        objects = {path: yaml_readers.load_pyyaml(path.read_text(encoding="utf-8")) for path in self.manifests}
        known = {path: all_of for path, all_of in objects.items() if not UNKNOWN & {each["kind"] for each in all_of}}
        last = self.passes(PROGRAM, *known).splitlines()[-1]
        objects = sum(len(all_of) for all_of in known.values())
        self.assertEqual(last, f"{objects} passed, 0 failed")


if __name__ == "__main__":
    unittest.main()
