"""flexslice lsp by the client library of VS Code, under node."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
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


class Extension(unittest.TestCase):
    FOLDER = ROOT / "examples/editor/vscode"

    def started(self, platform):
        """The options of the server that the extension gives to the client library, which is a stand-in."""
        stub = """
          const Module = require("module"), load = Module._load;
          Object.defineProperty(process, "platform", {value: process.argv[2]});
          Module._load = (name, ...more) => name !== "vscode-languageclient/node" ? load(name, ...more) :
            {LanguageClient: class { constructor(id, server) { console.log(JSON.stringify(server)); } start() {} stop() {} }};
          require(process.argv[1]).activate();"""
        done = subprocess.run(["node", "-e", stub, str(self.FOLDER / "extension.js"), platform], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    @unittest.skipUnless(shutil.which("node"), "node is missing")
    def test_shell_on_windows(self):
        for platform in ("linux", "darwin", "win32"):
            server = self.started(platform)
            self.assertEqual(("flexslice", ["lsp"], platform == "win32"), (server["command"], server["args"], server["options"]["shell"]))

    def test_package(self):
        """`npm run package` asks nothing, and makes the file that the page installs."""
        home = npm_folder("vsce", "@vscode/vsce@3.6.0")
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place, "vscode")
            shutil.copytree(self.FOLDER, folder)
            # The library that it bundles is not needed for the questions.
            package = json.loads((folder / "package.json").read_text())
            package.pop("dependencies")
            (folder / "package.json").write_text(json.dumps(package))
            environment = {**os.environ, "PATH": f"{home / 'node_modules/.bin'}:{os.environ['PATH']}", "npm_config_update_notifier": "false"}
            done = subprocess.run(["npm", "run", "--silent", "package"], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
            self.assertEqual(0, done.returncode, done.stdout + done.stderr)
            [made] = folder.glob("*.vsix")
            self.assertIn(f"code --install-extension {made.name}", (self.FOLDER.parent / "README.md").read_text())


if __name__ == "__main__":
    unittest.main()
