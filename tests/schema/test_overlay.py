"""`flexslice schema --overlay` describes what `--catalog` reads: its example, the facts that are built in, and nothing else."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import yaml

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLEXSLICE = os.environ.get("FLEXSLICE", str(ROOT / "build/dev/flexslice"))


def text_dates(node):
    """PyYAML makes dates and numbers of what is a word here."""
    if isinstance(node, dict):
        return {key: str(value) if key in ("asOf", "date", "checked", "version") else text_dates(value) for key, value in node.items()}
    if isinstance(node, list):
        return [text_dates(value) for value in node]
    return node if isinstance(node, (str, int, float, bool, type(None))) else str(node)


JOB_SET = """\
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: a}
spec:
  replicatedJobs:
  - name: a
    newField: b
    template:
      spec:
        template:
          spec:
            restartPolicy: Never
            nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 2x2}
            containers: [{name: a, image: "a:1", resources: {limits: {google.com/tpu: 4}}}]
"""


SPEC = """\
apiVersion: flexslice/v1
name: new
cluster: {name: c, project: my-project, location: us-east5}
tpu: {type: v9x, topology: 4x4}
provisioning: {model: spot, zones: [us-east5-c]}
workload: {image: "python:3.12", command: [python, train.py]}
"""


@unittest.skipUnless(jsonschema, "Python's jsonschema is not installed")
class Overlay(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads(subprocess.run([FLEXSLICE, "schema", "--overlay"], capture_output=True, check=True).stdout)
        jsonschema.Draft202012Validator.check_schema(cls.schema)
        cls.validator = jsonschema.Draft202012Validator(cls.schema)

    def errors(self, document):
        return [error.message for error in self.validator.iter_errors(document)]

    def test_example(self):
        [example] = self.schema["examples"]
        self.assertEqual([], self.errors(example))
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "ours.yaml")
            file.write_text(json.dumps(example))
            shown = subprocess.run([FLEXSLICE, "catalog", "zones", "--type", "v6e", "--catalog", file], capture_output=True, text=True, check=True).stdout
            object = pathlib.Path(folder, "jobset.yaml")
            object.write_text(JOB_SET)
            with_it, without = (subprocess.run([FLEXSLICE, "lint", *options, object], capture_output=True, text=True, check=False).stdout
                                for options in (["--catalog", file], []))
            spec = pathlib.Path(folder, "spec.yaml")
            spec.write_text(SPEC)
            checked, of_spot = (subprocess.run([FLEXSLICE, "check", "--catalog", file, spec], capture_output=True, text=True, check=False),
                                subprocess.run([FLEXSLICE, "explain", "--catalog", file, "model", "spot"], capture_output=True, text=True, check=True).stdout)
        self.assertIn("us-east5-c", shown)
        self.assertIn("newField", without)
        self.assertNotIn("newField", with_it)
        self.assertEqual((0, "1 spec fine\n"), (checked.returncode, checked.stderr))
        self.assertRegex(of_spot, r"\n  v9x +yes")

    def test_what_is_built_in(self):
        files = [*ROOT.glob("src/catalog/data/*.yaml"), *ROOT.glob("src/catalog/data/generations/*.yaml")]
        self.assertGreater(len(files), 15)
        for file in files:
            with self.subTest(file=file.name):
                self.assertEqual([], self.errors(text_dates(yaml.safe_load(file.read_text()))))

    def test_mistakes(self):
        for wrong in ({"generation": []}, {"generations": [{"id": "v6e", "zone": []}]}, {"prices": [{"generation": "v6e", "model": []}]}):
            with self.subTest(wrong=wrong):
                self.assertNotEqual([], self.errors(wrong))


if __name__ == "__main__":
    unittest.main()
