"""flexslice lsp in Neovim, by its own client and the set-up of examples/editor."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FLEXSLICE = pathlib.Path(os.environ.get("FLEXSLICE", ROOT / "build/dev/flexslice"))
SPEC = (ROOT / "examples/multi-host/spec.yaml").read_text()


@unittest.skipUnless(shutil.which("nvim"), "nvim is not installed")
class Neovim(unittest.TestCase):
    def test_a_spec_is_opened_asked_about_and_fixed(self):
        with tempfile.TemporaryDirectory() as folder:
            home = pathlib.Path(folder)
            (home / "flexslice").symlink_to(FLEXSLICE.resolve())
            (home / "spec.yaml").write_text(SPEC.replace("topology: 4x4", "topology: 4x6"))
            environment = {**os.environ, "HOME": folder, "XDG_STATE_HOME": folder, "SPEC": str(home / "spec.yaml"), "PATH": f"{folder}:{os.environ['PATH']}"}
            done = subprocess.run(["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-S", str(ROOT / "examples/editor/flexslice.lua"), "-S", str(HERE / "drive.lua")],
                                  env=environment, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
            self.assertTrue(done.stdout, done.stderr)
            found = json.loads(done.stdout)
            line = SPEC.split("\n").index("  topology: 4x4")
            self.assertEqual([[line, 12, "FS3002"]], found["findings"])
            self.assertIn("tpu.topology: field of a spec", found["hover"])
            self.assertIn("4x8", found["offered"])
            self.assertEqual(1, found["symbols"])


if __name__ == "__main__":
    unittest.main()
