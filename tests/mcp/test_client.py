"""flexslice mcp, by the official TypeScript SDK's client from npm."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from assistant import FLEXSLICE, ROOT, example, named

sys.path.insert(0, str(ROOT / "tests/editor"))
from language_server import npm_folder  # noqa: E402

SPEC = example("multi-host/spec.yaml")


@unittest.skipUnless(shutil.which("node"), "node is not there")
class OfficialClient(unittest.TestCase):
    def test_every_tool(self):
        package = "@modelcontextprotocol/sdk"
        home = npm_folder(package, f"{package}@1.32.2")
        calls = [
            {"name": "check", "arguments": {"specs": named(a=SPEC.replace("4x4", "4x6"))}},
            {"name": "compile", "arguments": {"specs": named(a=SPEC), "emit": ["manifests", "provision"]}},
            {"name": "lint", "arguments": {"files": named(a=example("multi-host/expected/manifests.yaml"))}},
            {"name": "import", "arguments": {"files": named(a=example("multi-host/expected/manifests.yaml"))}},
            {"name": "explain", "arguments": {"topic": "FS3002"}},
            {"name": "catalog", "arguments": {"type": "v6e", "hosts": 4}},
            {"name": "diff", "arguments": {"old": named(a=SPEC), "new": named(a=SPEC.replace("4x4", "4x8"))}},
            {"name": "check", "arguments": {}},
            {"name": "nope", "arguments": {}},
        ]
        with tempfile.TemporaryDirectory() as folder:
            plan = pathlib.Path(folder) / "plan.json"
            plan.write_text(json.dumps(calls))
            script = shutil.copy(ROOT / "tests/mcp/client.mjs", home)
            done = subprocess.run(["node", script, FLEXSLICE, str(plan)], cwd=home, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(0, done.returncode, done.stderr)
        got = json.loads(done.stdout)
        self.assertEqual([], got["faults"])
        self.assertEqual("flexslice", got["server"]["name"])
        self.assertEqual(["check", "compile", "lint", "import", "explain", "catalog", "diff"], [tool["name"] for tool in got["tools"]])
        self.assertTrue(all(tool["annotations"]["readOnlyHint"] for tool in got["tools"]))
        self.assertIn("flexslice://examples/serve", [resource["uri"] for resource in got["resources"]])
        self.assertIn("tpu.topology", got["language"][0]["text"])
        *good, wrong, unknown = got["results"]
        for result in good:
            self.assertFalse(result.get("failed"), result)
            self.assertFalse(result["isError"], result)
        self.assertTrue(wrong["isError"])
        self.assertIn("unknown tool `nope`", json.dumps(unknown))


if __name__ == "__main__":
    unittest.main()
