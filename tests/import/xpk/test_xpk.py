"""What import makes of commands of xpk and gcluster means what the tools' own JobSets mean, which facts.yaml holds. Every
difference is a row of differences.yaml, and the report of import says it."""
import pathlib
import re
import tempfile
import unittest

import yaml

import container
import facts
import meaning

HERE = pathlib.Path(__file__).resolve().parent
LINES = {line["id"]: line for line in yaml.safe_load((HERE / "lines.yaml").read_text())}
DIFFERENCES = yaml.safe_load((HERE / "differences.yaml").read_text())


def one_line(text):
    return " ".join(text.split())


def import_line(line):
    """(spec, report) of the script of a line, with its placeholders filled."""
    with tempfile.TemporaryDirectory() as directory:
        script = pathlib.Path(directory) / "run.sh"
        script.write_text("#!/bin/bash\n" + line["script"])
        for name, text in line.get("files", {}).items():
            script.with_name(name).write_text(text)
        done = facts.flexslice("import", "--format", "short", script.name, cwd=directory)
    spec = done.stdout
    for placeholder, value in line.get("fill", {}).items():
        spec = spec.replace(placeholder, value)
    return spec, one_line(done.stderr)


def compiled(spec):
    """The meaning of what a spec compiles to; empty: it does not."""
    with tempfile.TemporaryDirectory() as directory:
        (pathlib.Path(directory) / "spec.yaml").write_text(spec)
        done = facts.flexslice("compile", "--format", "short", "--emit", "manifests", "--out-dir", "out", "spec.yaml", cwd=directory)
        manifests = list(pathlib.Path(directory).rglob("manifests.yaml"))
        return meaning.meaning(manifests[0].read_text()) if done.returncode == 0 else {}


def row_of(line, path, theirs, ours):
    """The first row of differences.yaml for a path and its two values."""
    for row in DIFFERENCES:
        fits = re.fullmatch(row["path"], path) and row.get("tool", line["tool"]) == line["tool"] and line["id"] in row.get("lines", [line["id"]])
        if fits and row.get("theirs", theirs) == theirs and row.get("ours", ours) == ours:
            return row
    return None


class Xpk(unittest.TestCase):
    maxDiff = None

    def test_the_lines_mean_the_same(self):
        used = []
        for name, line in LINES.items():
            with self.subTest(line=name):
                theirs = facts.of(line)
                spec, report = import_line(line)
                ours = compiled(spec) if spec else {}
                unlisted, unsaid = [], []
                for path in sorted(theirs.keys() | ours.keys()):
                    pair = theirs.get(path), ours.get(path)
                    if pair[0] == pair[1]:
                        continue
                    row = row_of(line, path, *pair)
                    if row is None:
                        unlisted.append(f"{path}: {pair[0]!r} is {pair[1]!r}")
                        continue
                    used.append(row)
                    if one_line(row["report"]) not in report:
                        unsaid.append(f"{path}: {row['report']}")
                self.assertEqual(([], []), (unlisted, unsaid), f"\n{report}\n{spec}")
        self.assertEqual([], [row for row in DIFFERENCES if row not in used], "rows that no line needs")

    def test_every_difference_has_a_reason(self):
        for row in DIFFERENCES:
            self.assertTrue(row["reason"] and row["report"], row["path"])


class Meaning(unittest.TestCase):
    """What the comparison sees, and what it does not."""

    @staticmethod
    def runs(script, **environment):
        return container.runs({"command": ["bash", "-c", script], "env": [{"name": name, "value": value} for name, value in environment.items()]})

    def test_a_wrapper_is_no_difference(self):
        plain = self.runs("export A=1 && python3 train.py 'two words'", B="2")
        self.assertEqual(plain, self.runs("date; (export A=1; python3 train.py two\\ words) & wait $!; exit $?", B="2"))

    def test_words_environment_and_status_are(self):
        plain = self.runs("python3 train.py 'two words'", B="2")
        for other in ("python3 train.py two words", "A=1 python3 train.py 'two words'", "python3 train.py 'two words'; exit 3", "python3 train.py 'two words'; python3 more.py"):
            self.assertNotEqual(plain, self.runs(other, B="2"), other)

    def test_kubernetes_replaces_variables_first(self):
        self.assertEqual(["python3", "7", "$(B)", "$"], self.runs("python3 $(A) '$(B)' '$$'", A="7")["runs[0]"])


if __name__ == "__main__":
    unittest.main()
