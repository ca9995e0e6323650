"""flexslice lsp by the client library of VS Code, under node."""
import json
import os
import pathlib
import subprocess
import unittest

from language_server import ROOT, npm_folder

HERE = pathlib.Path(__file__).resolve().parent
FLEXSLICE = os.environ.get("FLEXSLICE", str(ROOT / "build/dev/flexslice"))
NAME = "vscode-languageserver-protocol"


class ClientOfVSCode(unittest.TestCase):
    def test_a_session(self):
        modules = npm_folder(NAME, f"{NAME}@3.17.5") / "node_modules"
        spec = (ROOT / "examples/multi-host/spec.yaml").read_text().replace("topology: 4x4", "topology: 4X4")
        done = subprocess.run(["node", HERE / "drive.js", FLEXSLICE, spec], env={**os.environ, "NODE_PATH": str(modules)}, capture_output=True, text=True,
                              timeout=120, check=False)
        self.assertEqual(0, done.returncode, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual((0, ["FS3007"]), (found["status"], found["codes"]))
        self.assertIn("4x8", found["offered"])
        self.assertIn("tpu.topology: field of a spec", found["hover"])
        self.assertEqual("write `4x4` (FS3007)", found["actions"][0])


if __name__ == "__main__":
    unittest.main()
