"""import and lint read node pools of Terraform as they read the gcloud commands that create the same."""
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from test_terraform import EXAMPLES, expected


def run(folder, *words):
    return subprocess.run([expected.FLEXSLICE, *words], cwd=folder, capture_output=True, text=True, check=False)


def pool(**more):
    """A pool of a 4x4 slice, with arguments that replace these or are added."""
    body = {"name": "np", "cluster": "c", "location": "us-east5", "node_locations": ["us-east5-b"], "node_count": 4,
            "placement_policy": {"type": "COMPACT", "tpu_topology": "4x4"}, "node_config": {"machine_type": "ct6e-standard-4t", "spot": True}}
    for key, value in more.items():
        body[key] = body[key] | value if isinstance(body.get(key), dict) else value
    return body


def document(body, **more):
    return json.dumps({"resource": {"google_container_node_pool": {"np": body}}} | more, indent=2) + "\n"


class Import(unittest.TestCase):
    maxDiff = None

    def test_the_same_spec(self):
        """From NAME.tf.json and from provision.sh, with the manifests."""
        seen = 0
        for name, meant in EXAMPLES.items():
            if not meant.pools or meant.new_cluster:
                continue
            with self.subTest(example=name), tempfile.TemporaryDirectory() as folder:
                files = expected.compiled(expected.ROOT / "examples" / name)
                [terraform] = [file for file in files if file.endswith(".tf.json")]
                for file in (terraform, "provision.sh", "manifests.yaml", *(["queues.yaml"] if "queues.yaml" in files else [])):
                    pathlib.Path(folder, file).write_bytes(files[file])
                others = [each.name for each in pathlib.Path(folder).glob("*.yaml")]
                made = [run(folder, "import", *others, file) for file in ("provision.sh", terraform)]
                self.assertTrue(made[0].stdout)
                self.assertEqual(*(re.sub(r"#.*", "", each.stdout) for each in made))
                self.assertEqual(made[0].returncode, made[1].returncode, made[1].stderr)
                seen += 1
        self.assertGreater(seen, 12)

    def test_unread(self):
        """What no spec can say is named, and so are arguments that are not known."""
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "pool.tf.json").write_text(document(pool(node_config={"linux_node_config": {"sysctls": {"a": "1"}}})))
            pathlib.Path(folder, "manifests.yaml").write_bytes(expected.compiled(expected.ROOT / "examples/ray-fine-tune")["manifests.yaml"])
            done = run(folder, "import", "--format", "short", "manifests.yaml", "pool.tf.json")
            self.assertIn("linux_node_config", done.stderr)
            self.assertEqual(1, done.returncode)


class Lint(unittest.TestCase):
    def findings(self, text):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "pool.tf.json").write_text(text)
            return json.loads(run(folder, "lint", "--format", "json", "pool.tf.json").stdout)

    def test_good(self):
        self.assertEqual([], self.findings(document(pool())))
        for name in EXAMPLES:
            for file, text in expected.compiled(expected.ROOT / "examples" / name).items():
                if file.endswith(".tf.json"):
                    self.assertEqual([], self.findings(text.decode()), name)

    def test_mistakes(self):
        """Each is found at its value, with the code that the gcloud command has, and without a fix in gcloud's words."""
        rows = [
            ("FS3011 FS3003", "ct5p-hightpu-3t", pool(node_config={"machine_type": "ct5p-hightpu-3t"})),
            ("FS3002", "4x6", pool(placement_policy={"tpu_topology": "4x6"})),
            ("FS4001 FS5024 FS5025", "5", pool(node_count=5)),
        ]
        for codes, value, body in rows:
            with self.subTest(value=value):
                text = document(body)
                found = self.findings(text)
                self.assertTrue(found)
                self.assertLessEqual({each["code"] for each in found}, set(codes.split()), found)
                line = text.splitlines()[found[0]["line"] - 1]
                self.assertIn(value, line)
                self.assertEqual([], [fix for each in found for fix in each["fixes"]])

    def test_expressions(self):
        """A variable with a default has its value; what is not known is not judged."""
        body = pool(placement_policy={"tpu_topology": "${var.topology}"})
        self.assertEqual([], self.findings(document(body)))
        found = self.findings(document(body, variable={"topology": {"default": "4x6"}}))
        self.assertEqual(["FS3002"], [each["code"] for each in found])


if __name__ == "__main__":
    unittest.main()
