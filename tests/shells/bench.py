"""Runs what a generator made, with a gcloud and a kubectl that only write down what they get, and compares it with what lint says."""
import json
import os
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FLEXSLICE = os.environ.get("FLEXSLICE", str(HERE.parents[1] / "build/dev/flexslice"))
WHOLE = bool(os.environ.get("FLEXSLICE_WHOLE"))
COUNT = int(os.environ.get("FLEXSLICE_SHELLS", "200" if WHOLE else "25"))
FIRST = int(os.environ.get("FLEXSLICE_SEED", "1"))

FAKE_GCLOUD = """#!/bin/bash
{ printf '%s\\037' "$@"; echo; } >> "$RECORDED"
"""
FAKE_KUBECTL = """#!/bin/bash
grep -o 'completions: .*' >> "$RECORDED"
"""


class Sandbox:
    """A folder with the fake programs, and a folder in it for each case."""

    def __enter__(self):
        self.held = tempfile.TemporaryDirectory(prefix="shells-")
        self.folder = pathlib.Path(self.held.name)
        for name, text in (("gcloud", FAKE_GCLOUD), ("kubectl", FAKE_KUBECTL)):
            file = self.folder / "bin" / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
            file.chmod(0o755)
        return self

    def __exit__(self, *_):
        self.held.cleanup()

    def case(self, seed, files):
        folder = self.folder / f"case{seed}"
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        return folder

    def environment(self, folder):
        return {"PATH": f"{self.folder / 'bin'}:/usr/bin:/bin", "HOME": str(folder), "RECORDED": str(folder / "recorded"), "LC_ALL": "C"}

    def run(self, folder, command, environment=None):
        """What the programs got: lists of arguments, or lines of a Job."""
        subprocess.run(command, cwd=folder, env={**self.environment(folder), **(environment or {})}, stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False)
        return recorded(folder)


def recorded(folder):
    file = folder / "recorded"
    return [line.split("\037") for line in file.read_text().splitlines()] if file.exists() else []


def numbers(record):
    """The number of nodes that counts: the last one."""
    found = [each.split("=", 1)[1] for each in record if each.startswith("--num-nodes=")]
    found += [after for each, after in zip(record, record[1:]) if each == "--num-nodes"]
    return [int(each) for each in found[-1:] if each.strip().isdigit()]


def is_wrong(records, hosts):
    """A pool has as many nodes as the slice has hosts, or none; the pods of a Job may be several slices."""
    pods = [int(number) for record in records for number in re.findall(r"^completions: (\d+)$", record[0])]
    return any(number not in (0, hosts) for record in records for number in numbers(record)) or any(number % hosts for number in pods)


def lint(paths, cwd):
    """Codes by path."""
    done = subprocess.run([FLEXSLICE, "lint", "--format", "json", *map(str, paths)], cwd=cwd, capture_output=True, text=True, check=False)
    found = {}
    for each in json.loads(done.stdout or "[]"):
        found.setdefault(each["file"], []).append(each["code"])
    return found


class Tally:
    """How lint compares with what was run."""

    def __init__(self):
        self.right = self.wrong = 0
        self.false, self.missed = [], []

    def add(self, name, is_run_wrong, is_said):
        self.wrong += is_run_wrong
        self.right += not is_run_wrong
        if is_said and not is_run_wrong:
            self.false.append(name)
        if is_run_wrong and not is_said:
            self.missed.append(name)

    def __str__(self):
        return f"{self.right} right, {self.wrong} wrong, {len(self.false)} false {self.false[:9]}, {len(self.missed)} missed {self.missed[:30]}"
