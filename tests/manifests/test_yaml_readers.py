#!/usr/bin/python3
"""Tests yaml_readers.py and strict_yaml.py: the readers agree where they must, and kubectl reads what we say."""

import json
import os
import unittest
from unittest import mock

import strict_yaml
import yaml_readers

HOSTILE = [
    "true", "yes", "y", "N", "on", "0x10", "010", "0o17", "1e3", "1_000", "1:30", "2001-01-01", "~", "null", "", "=",
    "<<", ".inf", "-", "- a", "-1", "a: b", "a #b", "#a", "&a", "*a", "!a", "%a", "@a", "`a", "{a", "[a", "? a", "|",
    ">", "---", "...", " a", "a ", "a\t", "\ta", "a\tb", "a\n", "\na", "a\n\n", "a\n b\nc", " a\nb", "a \nb",
    "a\r\nb", "a\rb", "'", '"', "'a'", '"a"', "it's \"both\"", "\\n", "a\x85b", "a\u2028b", "a\u2029b", "a\xa0b",
    "\ufeffa", "\U0001f600", "é", "e\u0301", "$(x) ${y} `z`", "a,b", "a]b", "a}b", "x" * 3000, "a b " * 500,
    "a\0b", "a\x07b", "a\x7fb", "a\x1bb",
]  # fmt: skip

PLAIN = """
    y Y n N yes No oN true TRUE tRUE off ~ null NULL nULL 0x10 0X1f -0x1 +0x1 0b11 0B1 -0b1 0b2 0o17 0O7 -0o7
    010 08 09.5 0_1 1_000 _1 1_ 1__0 0x 0x_1 1. 1.e1 .5 -.5 +.5 .5e3 .e1 . 1e3 1E3 1e+3 1e-3 -1e3 +1e3 1e
    1e1.5 1:30 190:20:30 2001-01-01 2001-12-14t21:59:43.10-05:00 1.0 -0 -0.0 +0 0 00 -00 9223372036854775807
    9223372036854775808 18446744073709551615 -9223372036854775808 -9223372036854775809
    123456789012345678901234567890 1e18 1e19 1e21 1e308 1e400 0x1p3 0x8000000000000000 0xFFFFFFFFFFFFFFFFF inf
    nan NaN .infx <<x = << 1,5 + -- 4.5.6 1e3_0 1.5_0 .5_0 .5__0 ._5 -.5_0 0.1e-7 123456789.125
    1.7976931348623157e308 5e-324 ++1 1d 0_x1 0_0 -_1 +_1 1_.5 .1_ 0__7 0b_1 00x1 0e0 0.0
    1152921504606846976.0 -9223372036854775808.0 123456789012345678.0 100000000000000000000.0
""".split()


def quoted(value):
    """A string, or a mapping of strings to strings, in YAML's double quotes (not JSON's: see yaml_readers)."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(key)}: {quoted(item)}" for key, item in value.items()) + "}"
    plain = (c if " " <= c <= "~" and c not in '"\\' else f"\\U{ord(c):08x}" for c in value)
    return f'"{"".join(plain)}"'


def wrapped(values):
    """A text with one object per value."""
    return "".join(f"---\nkind: Any\nvalue: {quoted(value)}\n" for value in values)


class Kubectl(unittest.TestCase):
    def test_gives_hostile_strings_back_exactly(self):
        self.assertEqual([o["value"] for o in yaml_readers.load_kubectl(wrapped(HOSTILE))], HOSTILE)

    def test_reads_hostile_keys(self):
        values = [{key: key} for key in HOSTILE if len(key) < 100]  # 1024 bytes are the limit for such keys
        self.assertEqual([o["value"] for o in yaml_readers.load_kubectl(wrapped(values))], values)

    def test_adds_and_removes_nothing(self):
        metadata = {"name": "x", "creationTimestamp": None}
        value = {"apiVersion": "a/v1", "kind": "A", "metadata": metadata, "status": {}, "z": []}
        self.assertEqual(yaml_readers.load_kubectl(json.dumps(value)), [value])

    def test_leaves_out_empty_documents(self):
        text = "# c\n---\n---\nkind: A\n--- # c\nkind: B\n"
        self.assertEqual(yaml_readers.load_kubectl(text), [{"kind": "A"}, {"kind": "B"}])
        self.assertEqual(yaml_readers.load_kubectl(""), [])

    def test_failure_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "document separator"):
            yaml_readers.load_kubectl("kind: A\n--- x\nkind: B\n")

    def test_missing_is_a_skip_and_in_ci_a_failure(self):
        with mock.patch.dict(os.environ, {"KUBECTL": "no-such-kubectl", "CI": ""}):
            self.assertRaises(unittest.SkipTest, yaml_readers.load_kubectl, "kind: A\n")
        with mock.patch.dict(os.environ, {"KUBECTL": "no-such-kubectl", "CI": "1"}):
            self.assertRaises(RuntimeError, yaml_readers.load_kubectl, "kind: A\n")


class Strict(unittest.TestCase):
    def test_reads_plain_scalars_as_kubectl_does(self):
        text = "kind: A\nx:\n" + "".join(f"- {scalar}\n" for scalar in PLAIN)
        theirs, ours = yaml_readers.load_kubectl(text)[0]["x"], strict_yaml.load(text)[0]["x"]
        for scalar, want, got in zip(PLAIN, theirs, ours):
            with self.subTest(scalar):
                self.assertEqual((type(got), got), (type(want), want))

    def test_reads_hostile_strings(self):
        self.assertEqual([o["value"] for o in strict_yaml.load(wrapped(HOSTILE))], HOSTILE)

    def test_reads_block_scalars_at_the_end_of_a_document(self):
        text = "kind: A\nx: |\n  a\n---\nkind: A\nx: |+\n  a\n\n---\nkind: A\nx: |-\n  a\n---\nkind: A\nx: |\n  a\n"
        self.assertEqual([o["x"] for o in strict_yaml.load(text)], ["a\n", "a\n\n", "a", "a\n"])
        self.assertEqual(list(yaml_readers.differences(text)), [])

    def test_refuses(self):
        for name, text in {
            "a key given twice": "a: 1\na: 2\n",
            "a nested key given twice": "x: [{a: 1, 'a': 2}]\n",
            "a boolean key": "y: 1\n",
            "an integer key": "1: 1\n",
            "an empty key": ": 1\n",
            "a tab as indentation": "a:\n\tb: 1\n",
            "a tab before a value": "a:\tb\n",
            "text behind a separator": "a: 1\n--- b: 2\n",
            "a separator that runs on": "a: 1\n---b\n",
            "a second document behind ...": "a: 1\n...\nb: 1\n",
            "a directive": "%YAML 1.1\n---\na: 1\n",
            "a tag": "a: !!str 1\n",
            "a tag on a list": "a: !x [1]\n",
            "infinity": "a: .inf\n",
            "not a number": "a: [.nan]\n",
            "an unclosed quote": 'a: "b\n',
            "a control character": "a: b\x07\n",
            "an unknown alias": "a: *b\n",
        }.items():
            with self.subTest(name), self.assertRaises(strict_yaml.Error):
                strict_yaml.load(text)

    def test_errors_name_the_line_of_the_file(self):
        with self.assertRaisesRegex(strict_yaml.Error, "^line 6: the key b is given twice$"):
            strict_yaml.load("# c\n---\na: 1\n---\nb: 1\nb: 2\n")


class Differences(unittest.TestCase):
    def test_none_where_all_is_quoted(self):
        expected = [{"kind": "Any", "value": value} for value in HOSTILE]
        self.assertEqual(list(yaml_readers.differences(wrapped(HOSTILE), expected)), [])

    def test_shown_where_readers_differ(self):
        found = list(yaml_readers.differences("kind: A\nx: [y, 1e3, 1:30]\n"))
        self.assertEqual(
            found,
            [
                "PyYAML: document 1['x'][0]: 'y', not True",
                "PyYAML: document 1['x'][1]: '1e3', not 1000",
                "PyYAML: document 1['x'][2]: 90, not '1:30'",
            ],
        )

    def test_shown_against_the_expected(self):
        found = list(yaml_readers.differences("kind: A\nx: on\n", [{"kind": "A", "x": "on"}]))
        self.assertEqual([line.split(":")[0] for line in found], ["PyYAML", "kubectl", "strict"])


if __name__ == "__main__":
    unittest.main()
