"""The expected output of every example is reproduced byte for byte: twice, and from a spec whose keys are permuted. schemas/ is current."""
import json
import os
import random
import re
import tempfile
import unittest

import yaml

import expected

# `golden-whole`, which CI runs too, compiles each example twice, and with its keys in three other orders; `golden` does so with each
# fourth, in one order.
WHOLE = bool(os.environ.get("FLEXSLICE_WHOLE"))


def again():
    return expected.examples() if WHOLE else expected.examples()[::4]


def permuted(value, generator):
    if isinstance(value, dict):
        keys = list(value)
        generator.shuffle(keys)
        # The fields of a matrix vary in the order in which they are written.
        return {key: value[key] if key == "matrix" else permuted(value[key], generator) for key in keys}
    if isinstance(value, list):
        return [permuted(item, generator) for item in value]
    return value


def stored(example):
    folder = expected.folder(example)
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class Examples(unittest.TestCase):
    maxDiff = None

    def assert_same(self, example, wanted, made):
        self.assertEqual(sorted(wanted), sorted(made), f"files of {example.name}")
        for name, text in wanted.items():
            self.assertEqual(text.decode(), made[name].decode(), f"{example.name}/{name}")

    def test_expected(self):
        self.assertTrue(expected.examples(), "there are examples")
        for number, example in enumerate(expected.examples()):
            with self.subTest(example=example.name):
                wanted = stored(example)
                made = expected.compiled(example)
                if not WHOLE and number % 3 and "commands.txt" in wanted:
                    # Four runs of bash: `golden-whole` has those of all examples.
                    del wanted["commands.txt"]
                    self.assert_same(example, wanted, expected.without_scripts(example, made))
                else:
                    self.assert_same(example, wanted, expected.stored_form(example, made))

    def test_folders(self):
        """No folder is left of an example that is gone, and users see whole outputs of two."""
        names = {example.name for example in expected.examples()}
        self.assertEqual(names - expected.SHOWN, {folder.name for folder in expected.GOLDEN.iterdir()})
        self.assertEqual(expected.SHOWN, {folder.parent.name for folder in (expected.ROOT / "examples").glob("*/expected")})

    def test_heads_of_scripts(self):
        """What is typed stands in a column of its own, whichever options the script has."""
        for example in expected.examples():
            for name, text in expected.compiled(example).items():
                usage = [line for line in text.decode().splitlines() if line.startswith("#   bash ")] if name.endswith(".sh") else []
                for line in usage:
                    self.assertRegex(line, r"^#   bash [\w.-]+( --[a-z-]+( NS)?)?  +\S", f"{example.name}/{name}")
                self.assertLessEqual(len({len(re.match(r".*  +", line)[0]) for line in usage}), 1, f"{example.name}/{name}")

    def test_second_run(self):
        for example in again():
            with self.subTest(example=example.name):
                self.assertEqual(expected.compiled(example), expected.compile_example(example))

    def test_permuted_keys(self):
        for example in expected.examples() if WHOLE else again() + expected.examples()[2::4]:
            documents = [each for each in yaml.safe_load_all((example / "spec.yaml").read_text()) if each is not None]
            for seed in range(3 if WHOLE else 1):
                generator = random.Random(seed)
                # As JSON, which has no doubt about what is a string.
                text = "\n---\n".join(json.dumps(permuted(each, generator)) for each in documents)
                with self.subTest(example=example.name, seed=seed), tempfile.TemporaryDirectory() as directory:
                    spec = os.path.join(directory, "spec.yaml")
                    with open(spec, "w") as file:
                        file.write(text)
                    made = expected.compile_example(example, spec)
                    wanted = dict(expected.compiled(example))
                    made.pop("stderr", None)  # places differ
                    wanted.pop("stderr", None)
                    self.assertEqual(wanted, made)

    def test_schemas(self):
        for name, arguments in expected.SCHEMAS.items():
            with self.subTest(name=name):
                self.assertEqual((expected.ROOT / "schemas" / name).read_bytes().decode(), expected.schema(arguments).decode())


if __name__ == "__main__":
    unittest.main()
