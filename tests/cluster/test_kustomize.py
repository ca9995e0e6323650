"""kustomize itself runs examples/kustomize, where it is installed."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from test_krm import FLEXSLICE, KUSTOMIZE, krm, names  # noqa: E402

TRANSFORMER = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: compile
  annotations:
    config.kubernetes.io/function: |
      exec:
        path: ./krm.sh
"""
KUSTOMIZE_PROGRAM = shutil.which(os.environ.get("FLEXSLICE_KUSTOMIZE", "kustomize"))


@unittest.skipUnless(KUSTOMIZE_PROGRAM, "kustomize is missing: neither $FLEXSLICE_KUSTOMIZE nor PATH has it")
class RealKustomize(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()), "kustomize")
        shutil.copytree(KUSTOMIZE, self.folder)

    def build(self):
        done = subprocess.run([KUSTOMIZE_PROGRAM, "build", "--enable-alpha-plugins", "--enable-exec", self.folder],
                              env=os.environ | {"FLEXSLICE": FLEXSLICE}, capture_output=True, text=True, timeout=60)
        return done.returncode, list(yaml.safe_load_all(done.stdout)), done.stderr

    def change(self, file, old, new):
        text = (self.folder / file).read_text()
        self.assertIn(old, text)
        (self.folder / file).write_text(text.replace(old, new))

    def compiled(self):
        """What kustomize has to print: the manifests that `flexslice krm` makes, in the namespace that kustomization.yaml sets."""
        spec = yaml.safe_load((self.folder / "sleep.yaml").read_text())
        _, out, _ = krm(json.dumps({"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "functionConfig": spec, "items": []}))
        items = yaml.safe_load(out)["items"]
        self.assertEqual([("Service", "sleep"), ("Job", "sleep")], names(items))
        for each in items:
            each["metadata"]["namespace"] = "research"
        return items

    def transform(self):
        """The spec becomes a resource among others, and the function a transformer."""
        text = (self.folder / "sleep.yaml").read_text()
        (self.folder / "sleep.yaml").write_text(text[:text.index("  annotations:")] + text[text.index("cluster:"):])
        (self.folder / "compile.yaml").write_text(TRANSFORMER)
        (self.folder / "other.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\ndata: {a: b}\n")
        self.change("kustomization.yaml", "generators:\n  - sleep.yaml\n", "resources: [sleep.yaml, other.yaml]\ntransformers: [compile.yaml]\n")

    def test_a_generator(self):
        status, items, err = self.build()
        self.assertEqual((0, self.compiled()), (status, items), err)

    def test_a_transformer(self):
        self.transform()
        status, items, err = self.build()
        self.assertEqual(0, status, err)
        other = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "other", "namespace": "research"}, "data": {"a": "b"}}
        key = lambda each: each["kind"]
        self.assertEqual(sorted([*self.compiled(), other], key=key), sorted(items, key=key))

    def test_a_mistake_ends_the_build(self):
        for prepare in (lambda: None, self.transform):
            prepare()
            self.change("sleep.yaml", "4x4", "4x5")
            status, items, err = self.build()
            self.assertEqual((1, []), (status, items))
            self.assertIn("error[FS3002]: topology 4x5 is not available for v6e", err)
            self.change("sleep.yaml", "4x5", "4x4")


if __name__ == "__main__":
    unittest.main()
