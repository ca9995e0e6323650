"""Every generated script and manifest, of the examples and of the rows of test_models.py, before other tools' eyes."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

import artifacts
from fake_kubernetes import FakeKubernetes
from sandbox import require, sample
from test_models import ROWS

sys.path.insert(0, str(artifacts.ROOT / "tests" / "manifests"))
import check_manifests
import yaml_readers


class ArtifactsCase(unittest.TestCase):
    """Base: the files of all specs."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        directory = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        folders = [artifacts.compile_example(name, directory / name) for name in sample(artifacts.examples(), ("everything", "queued", "serve"))]
        for number, row in enumerate(sample(ROWS.values(), 24)):
            place = directory / f"row-{number}"
            place.mkdir()
            folders.append(artifacts.compile_spec(row.spec, place))
        cls.scripts = [path for folder in folders for path in sorted(folder.glob("*.sh"))]
        cls.manifests = [path for folder in folders for path in sorted(folder.glob("*.yaml"))]
        assert len(cls.scripts) == 5 * len(folders) and len(cls.manifests) > len(folders)

    def passes(self, *argv, **more):
        """The program succeeds; returns what it prints."""
        run = subprocess.run([os.fspath(word) for word in argv], capture_output=True, encoding="utf-8", check=False, **more)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run.stdout


class Lint(ArtifactsCase):
    """One tool a test, over all files at once where the tool can."""

    def test_bash_reads_the_scripts(self):
        for script in self.scripts:
            self.passes("bash", "-n", script)

    def test_shellcheck(self):
        require("shellcheck")
        own = [artifacts.ROOT / "bootstrap", artifacts.ROOT / ".ci/run", *artifacts.ROOT.glob("tests/*/*.sh"), *artifacts.ROOT.glob("tests/*.sh")]
        self.passes("shellcheck", "--severity=style", "--norc", *own, *self.scripts)

    def test_yamllint(self):
        require("yamllint")
        self.passes("yamllint", "--strict", "-d", "{extends: default, rules: {line-length: disable}}", *self.manifests)

    def test_schema(self):
        for path in self.manifests:
            checked = check_manifests.check(path.read_text(encoding="utf-8"))
            self.assertTrue(checked)
            self.assertEqual(list(check_manifests.report(path, checked)), [])

    def test_readers_agree(self):
        whole = "".join(path.read_text(encoding="utf-8") for path in self.manifests)
        self.assertEqual(list(yaml_readers.differences(whole)), [])

    def test_kustomize(self):
        require("kubectl")
        for path in self.manifests:
            with tempfile.TemporaryDirectory() as folder:
                shutil.copy(path, Path(folder, "all.yaml"))
                Path(folder, "kustomization.yaml").write_text("resources: [all.yaml]\n", encoding="utf-8")
                built = list(yaml.safe_load_all(self.passes("kubectl", "kustomize", folder)))
            meant = yaml_readers.load_pyyaml(path.read_text(encoding="utf-8"))
            self.assertEqual(sorted(built, key=json.dumps), sorted(sorted_keys(meant), key=json.dumps))

    def test_kubectl_would_create_them(self):
        require("kubectl")
        home = self.enterContext(tempfile.TemporaryDirectory())
        environment = os.environ | {"KUBECONFIG": os.devnull, "HOME": home}
        with FakeKubernetes() as kubernetes:
            for path in self.manifests:
                printed = self.passes("kubectl", f"--server={kubernetes.url}", "create", "--dry-run=client",
                                      "--validate=false", "-f", path, env=environment)
                meant = yaml_readers.load_pyyaml(path.read_text(encoding="utf-8"))
                lines = [f"{kind_of(each)}/{each['metadata']['name']} created (dry run)" for each in meant]
                self.assertEqual(printed.splitlines(), lines)
            self.assertEqual(kubernetes.unknown, [])


def kind_of(thing):
    """`job.batch`, as kubectl prints it."""
    group = thing["apiVersion"].rpartition("/")[0]
    return thing["kind"].lower() + (f".{group}" if group else "")


def sorted_keys(value):
    """The same with all mappings in the order of their keys, as kustomize writes them."""
    if isinstance(value, dict):
        return {key: sorted_keys(value[key]) for key in sorted(value)}
    return [sorted_keys(item) for item in value] if isinstance(value, list) else value


if __name__ == "__main__":
    unittest.main()
