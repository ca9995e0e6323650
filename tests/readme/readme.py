"""Runs the `console` blocks of README.md, of the examples' README.md and of skills: every line `$ command`, in order, in one folder, with the program on PATH.

A block is its commands and their output (stdout and stderr as a terminal shows them). The files the reader is told to write are ```yaml blocks
that begin with a comment `# NAME`, the comment included, and ````markdown blocks that begin with `<!-- NAME -->`, which stays too.
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLEXSLICE = pathlib.Path(os.environ.get("FLEXSLICE", ROOT / "build/dev/flexslice")).resolve()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
PAGE = re.compile(r"^````markdown\n(<!-- (\S+) -->\n.*?)^````$", re.M | re.S)


def blocks(text):
    return [(match.group(1), match.group(2), match.span(2)) for match in BLOCK.finditer(text)]


def commands(block):
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


if not FLEXSLICE.exists():
    raise SystemExit(f"there is no {FLEXSLICE}; set FLEXSLICE to the built program")


class Place:
    """A folder like a clone of the repository, without its build."""

    def __init__(self):
        self.directory = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.directory.name)
        shutil.copytree(ROOT / "examples", self.path / "examples")
        (self.path / "bin").mkdir()
        (self.path / "bin/flexslice").symlink_to(FLEXSLICE)
        self.environment = {"PATH": f"{self.path}/bin:/usr/local/bin:/usr/bin:/bin", "HOME": str(self.path), "LC_ALL": "C.UTF-8", "TERM": "dumb"}

    def run(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.path, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=60)
        return done.stdout.decode()


def rewritten(text):
    """README.md with the output of its commands as it is now."""
    place = Place()
    out, last = [], 0
    with place.directory:
        for page in PAGE.finditer(text):
            (place.path / page.group(2)).write_text(page.group(1))
        for kind, body, (begin, end) in blocks(text):
            name = re.match(r"# (\S+\.yaml)\n", body)
            if kind == "yaml" and name:
                (place.path / name.group(1)).write_text(body)
            if kind != "console":
                continue
            made = "".join(f"$ {command}\n{place.run(command)}" for command in commands(body))
            out += [text[last:begin], made if made.endswith("\n") else made + "\n"]
            last = end
    return "".join(out) + text[last:]


def pages():
    return [ROOT / "README.md", *sorted(ROOT.glob("examples/*/README.md")), *sorted(ROOT.glob("skills/*/SKILL.md"))]


if __name__ == "__main__":
    for page in pages():
        page.write_text(rewritten(page.read_text()))
