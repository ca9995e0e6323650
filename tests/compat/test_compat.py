"""What released versions gave is what this one gives, but for what CHANGELOG.md says under `### Generated output`."""
import re
import unittest

import compat

VERSIONS = sorted(path for path in compat.HERE.iterdir() if path.is_dir() and path.name[0].isdigit())


def rows_since(version):
    """The texts in backticks that begin rows of `### Generated output`, in sections of CHANGELOG.md that are newer than the version."""
    text = (compat.expected.ROOT / "CHANGELOG.md").read_text()
    newer = re.split(rf"^## {re.escape(version)}", text, maxsplit=1, flags=re.MULTILINE)[0]
    sections = re.findall(r"^### Generated output\n(.*?)(?=^##|\Z)", newer, re.MULTILINE | re.DOTALL)
    return [row for section in sections for row in re.findall(r"^- `([^`]+)`", section, re.MULTILINE)]


def is_said(difference, rows):
    return any(difference == row or difference.startswith((f"{row} ", f"{row}.")) for row in rows)


class Compatibility(unittest.TestCase):
    maxDiff = None

    def each_version(self):
        for folder in VERSIONS:
            with self.subTest(version=folder.name):
                yield folder

    def test_outputs(self):
        for folder in self.each_version():
            rows = rows_since(folder.name)
            specs = sorted((folder / "specs").glob("*.yaml"))
            self.assertGreaterEqual(len(specs), 30)
            for spec in specs:
                kept = folder / spec.stem
                before = {str(path.relative_to(kept)): path.read_text() for path in kept.rglob("*") if path.is_file()}
                after = compat.outputs(spec)
                self.assertEqual(before.keys(), after.keys(), spec.stem)
                wrong = {each for name in before for each in compat.differences(name, before[name], after[name]) if not is_said(each, rows)}
                with self.subTest(spec=spec.stem):
                    self.assertEqual(set(), wrong, "no row of CHANGELOG.md says so")

    def test_this_version_is_recorded(self):
        version = re.search(r"project\(flexslice VERSION (\d+)\.(\d+)", (compat.expected.ROOT / "CMakeLists.txt").read_text())
        if int(version[1]) > 0:
            self.assertIn(f"{version[1]}.{version[2]}", [folder.name for folder in VERSIONS], "tests/compat/record.py writes it")

    def test_numbers(self):
        known = set(compat.numbers())
        for folder in self.each_version():
            self.assertEqual([], [each for each in (folder / "numbers.txt").read_text().split() if each not in known])

    def test_members_of_json(self):
        today = set(compat.json_members())
        for folder in self.each_version():
            self.assertEqual([], [each for each in (folder / "members.txt").read_text().splitlines() if each not in today])

    def test_what_is_a_difference(self):
        job = "kind: Job\nmetadata: {name: a}\nspec: {backoffLimit: 0, parallelism: 4}\n"
        command = "gcloud container node-pools create a --disk-size=100GB --spot\n"
        for name, before, after, found in (
                ("manifests.yaml", job, job, set()),
                ("manifests.yaml", job, job.replace("0,", "1,"), {"Job spec.backoffLimit"}),
                ("manifests.yaml", job, job + "---\n" + job.replace("Job", "Service"), {"Service"}),
                ("manifests.yaml", job, job.replace("name: a", "name: b"), {"Job"}),
                ("commands.txt", command, command.replace("100", "200"), {"gcloud container node-pools create --disk-size"}),
                ("commands.txt", command, command.replace(" a ", " b "), {"gcloud container node-pools create"}),
                ("x.tf.json", '{"resource": {"t": {"n": {"a": [{"b": 1}]}}}}', '{"resource": {"t": {"n": {"a": [{"b": 2}]}}}}', {"t a.b"})):
            self.assertEqual(found, set(compat.differences(name, before, after)), after)
        self.assertTrue(is_said("Job spec.backoffLimit", ["Job spec"]))
        self.assertFalse(is_said("Job spec.backoffLimit", ["Job spec.backoff"]))


if __name__ == "__main__":
    unittest.main()
