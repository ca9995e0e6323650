"""Wishes of people, by wishes.yaml: the right spec has the facts of the wish, and the text about a wrong first answer names the right value."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLEXSLICE = os.environ.get("FLEXSLICE", str(ROOT / "build/dev/flexslice"))
FILE = yaml.safe_load((pathlib.Path(__file__).parent / "wishes.yaml").read_text())
ANSWERS = yaml.safe_load((pathlib.Path(__file__).parent / "answers.yaml").read_text())
NAMES = {"spec": "train.yaml", "manifests": "manifests.yaml", "provision": "provision.sh"}


def over(base, top):
    """The second mapping on top of the first."""
    merged = dict(base)
    for key, value in top.items():
        merged[key] = over(merged[key], value) if isinstance(value, dict) and isinstance(merged.get(key), dict) else value
    return {key: value for key, value in merged.items() if value is not None}


def flow(spec):
    """As an assistant writes it: each top field with its values in braces on a line."""
    return "".join(f"{key}: {yaml.safe_dump(value, default_flow_style=True, width=10000).strip().removesuffix('...').strip()}\n" for key, value in spec.items())


def run(*words, name="train.yaml", text=""):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / name).write_text(text)
        done = subprocess.run([FLEXSLICE, *words, name], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def answer(wish, kind):
    """The right answer; of a wish that cannot be had, what can."""
    spec = flow(over(FILE["base"], wish["spec"]))
    if "instead" in wish:
        spec = spec.replace(wish["instead"]["from"], wish["instead"]["to"])
    if kind == "spec":
        return spec
    status, out, err = run("compile", "--emit", kind, text=spec)
    assert status == 0, err
    return out


def judged(kind, text):
    """(whether nothing is wrong, what the messages say, without the lines of the answer that they quote)."""
    status, out, _ = run("check" if kind == "spec" else "lint", name=NAMES[kind], text=text)
    return status == 0 and not out.strip(), "\n".join(line for line in out.splitlines() if not re.match(r"\s*\d*\s*\|", line))


class Wishes(unittest.TestCase):
    def test_there_are_as_many_as_promised(self):
        self.assertEqual(24, len(FILE["wishes"]))
        self.assertEqual(4, sum("instead" in wish for wish in FILE["wishes"]))

    def test_the_right_spec_has_the_facts(self):
        for wish in FILE["wishes"]:
            if "instead" in wish:
                continue
            with self.subTest(wish["wish"]):
                spec = answer(wish, "spec")
                self.assertEqual((True, ""), judged("spec", spec))
                plan = json.loads(run("compile", "--emit", "plan", text=spec)[1])
                for path, value in wish["facts"].items():
                    found = plan
                    for key in path.split("."):
                        found = found[key]
                    self.assertEqual(value, found, path)

    def test_the_message_names_the_right_value(self):
        for wish in FILE["wishes"]:
            for wrong in wish.get("wrong", []):
                with self.subTest(wish["wish"], **wrong):
                    right = answer(wish, wrong["in"])
                    self.assertIn(wrong["from"], right)
                    self.assertEqual((True, ""), judged(wrong["in"], right))
                    fine, said = judged(wrong["in"], right.replace(wrong["from"], wrong["to"]))
                    self.assertFalse(fine)
                    for word in wrong["says"]:
                        self.assertIn(word, said)

    def test_answers_of_others(self):
        """Of who did not know the messages: each is reported, and the messages name the right value."""
        wishes = {wish["wish"]: wish for wish in FILE["wishes"]}
        self.assertEqual(list(wishes), [each["wish"] for each in ANSWERS])
        for each in ANSWERS:
            wish = wishes[each["wish"]]
            for wrong in each["wrong"]:
                with self.subTest(wish["wish"], **wrong):
                    right = answer(wish, wrong["in"])
                    self.assertIn(wrong["from"], right)
                    self.assertEqual((True, ""), judged(wrong["in"], right))
                    fine, said = judged(wrong["in"], right.replace(wrong["from"], wrong["to"]))
                    self.assertFalse(fine)
                    self.assertRegex(said, rf"(?<![\w.-]){re.escape(wrong['right'])}(?![\w-])")

    def test_what_cannot_be_had(self):
        for wish in FILE["wishes"]:
            if "instead" not in wish:
                continue
            with self.subTest(wish["wish"]):
                fine, said = judged("spec", flow(over(FILE["base"], wish["spec"])))
                self.assertFalse(fine)
                for word in wish["says"]:
                    self.assertIn(word, said)
                self.assertEqual((True, ""), judged("spec", answer(wish, "spec")))


if __name__ == "__main__":
    unittest.main()
