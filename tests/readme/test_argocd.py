"""examples/argocd: the plugin's command gives Kubernetes YAML alone on stdout, and fails with the finding on stderr."""
import pathlib
import subprocess
import tempfile
import unittest

import yaml

import readme

FOLDER = readme.ROOT / "examples/argocd"


class Plugin(unittest.TestCase):
    plugin = yaml.safe_load((FOLDER / "plugin.yaml").read_text())

    def generate(self, spec):
        command = [str(readme.FLEXSLICE) if word == "flexslice" else word for word in self.plugin["spec"]["generate"]["command"]]
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "train.yaml").write_text(spec)
            pathlib.Path(folder, "values.yaml").write_text("replicas: 1\n")
            return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    def test_generate(self):
        spec = (readme.ROOT / "examples/multi-host/spec.yaml").read_text()
        done = self.generate(spec)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(["Service", "Job"], [each["kind"] for each in yaml.safe_load_all(done.stdout)])
        done = self.generate(spec.replace("topology: 4x4", "topology: 4x6"))
        self.assertEqual((1, ""), (done.returncode, done.stdout))
        self.assertIn("FS3002", done.stderr)

    def test_names(self):
        """The application asks for the plugin under its name and version."""
        application = yaml.safe_load((FOLDER / "application.yaml").read_text())
        self.assertEqual(f"{self.plugin['metadata']['name']}-{self.plugin['spec']['version']}", application["spec"]["source"]["plugin"]["name"])
        self.assertIn(" ".join(self.plugin["spec"]["generate"]["command"]), (FOLDER / "README.md").read_text())


if __name__ == "__main__":
    unittest.main()
