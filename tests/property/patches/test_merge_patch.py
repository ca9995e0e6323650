"""Merge patches agree with an implementation of RFC 7386 written straight from its text: its own examples and some hundred generated cases."""
import json
import os
import random
import subprocess
import unittest

import yaml

# Appendix A of the RFC, without the two whose target or patch is no container at the top of a spec's patch.
EXAMPLES = [
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
]


def merge(target, patch):
    if not isinstance(patch, dict):
        return patch
    if not isinstance(target, dict):
        target = {}
    result = dict(target)
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merge(result.get(name), value)
    return result


def some_value(generator, depth):
    kind = generator.randrange(8 if depth else 4)
    if kind < 4:
        return generator.choice([None, True, False, 0, 17, -3, "", "text", "true", "1e3", "a: b", "two\nlines\n"])
    if kind < 7:
        return {generator.choice("abcdefg"): some_value(generator, depth - 1) for _ in range(generator.randrange(5))}
    return [some_value(generator, depth - 1) for _ in range(generator.randrange(4))]


class MergePatch(unittest.TestCase):
    def merged(self, pairs):
        text = "".join(json.dumps(pair) + "\n" for pair in pairs)
        done = subprocess.run([os.environ["FLEXSLICE_MERGE_PATCH"]], input=text.encode(), capture_output=True, check=True)
        return list(yaml.load_all(done.stdout, yaml.SafeLoader))

    def test_examples_of_the_rfc(self):
        for (target, patch, wanted), made in zip(EXAMPLES, self.merged([case[:2] for case in EXAMPLES]), strict=True):
            self.assertEqual(merge(target, patch), wanted)
            self.assertEqual(made, wanted, f"{target} with {patch}")

    def test_generated(self):
        generator = random.Random(7386)
        pairs = [[some_value(generator, 4), some_value(generator, 4)] for _ in range(800)]
        for (target, patch), made in zip(pairs, self.merged(pairs), strict=True):
            self.assertEqual(made, merge(target, patch), f"{target} with {patch}")


if __name__ == "__main__":
    unittest.main()
