"""Cases of files that people have, for the test of lint and for its `bless`.

    lint/FS5003-words.yaml    a file that is linted with --notes; also .md, .sh, .json, .mk, .tf
    lint/FS5030-words/        a folder that is linted as a whole
    lint/FS5020-words.sh.escaped  the same, with bytes written as \\xff
    lint/never-words.yaml     what looks odd and is right: nothing is reported without --notes
    lint/allowed.yaml         what is allowed is not reported either

Beside each: NAME.out, what lint says, and NAME.fixed, the file with its fixes applied, where there are any.
Marks are written by hand: `#~ FS5003` at the end of a line is for that line, `#~@12 FS5003` anywhere for line 12.
"""
import codecs
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import uicases

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE / "lint"
FLEXSLICE = os.environ.get("FLEXSLICE", str(HERE.parents[1] / "build/dev/flexslice"))
MARK = re.compile(r"#~(?:@(\d+))?((?: FS\d{4})+)")


class Case:
    def __init__(self, path):
        self.path = path
        self.name = path.name.removesuffix(".escaped")
        self.argument = "." if path.is_dir() else self.name
        self.notes = [] if path.name.startswith("never-") else ["--notes"]
        if path.name.startswith("FS4550"):
            self.notes.append("--placement")

    def golden(self, ending):
        return self.path.with_name(self.name + ending)

    def marks(self):
        """Sorted (file, line, code)."""
        found = []
        for file in sorted(each for each in self.path.rglob("*") if each.is_file()) if self.path.is_dir() else [self.path]:
            name = file.relative_to(self.path).as_posix() if self.path.is_dir() else file.name
            for number, line in enumerate(file.read_text().split("\n"), 1):
                for mark in MARK.finditer(line):
                    found += [(name.removesuffix(".escaped"), int(mark[1] or number), code) for code in mark[2].split()]
        return sorted(found)


class Outcome:
    def __init__(self, case):
        with tempfile.TemporaryDirectory() as directory:
            folder = pathlib.Path(directory)
            file = folder / case.name
            if case.path.is_dir():
                shutil.copytree(case.path, folder, dirs_exist_ok=True)
            else:
                text = case.path.read_bytes()
                file.write_bytes(codecs.escape_decode(text)[0] if case.path.suffix == ".escaped" else text)
            done = lint([*case.notes, "--color", "never", case.argument], folder)
            self.status, self.stdout, self.stderr = done.returncode, done.stdout.decode(), done.stderr.decode()
            self.findings = findings(case, folder)
            self.fixed = None
            if any(each["fixes"] for each in self.findings):
                lint(["--fix", *case.notes, case.argument], folder)
                self.fixed = file.read_text()
                self.fixed_findings = findings(case, folder)

    def places(self):
        return sorted((each["file"], each["line"], each["code"]) for each in self.findings)


def with_comments(case, folder):
    """Writes the case with a comment that allows each finding at its line; (file, line, code) of these."""
    allowed = set()
    for path in [case.path] if case.path.is_file() else sorted(each for each in case.path.rglob("*") if each.is_file()):
        file = folder / (path.name if case.path.is_file() else path.relative_to(case.path))
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = path.read_text().split("\n")
        for number, line in enumerate(lines, 1):
            mark = MARK.search(line)
            if mark and not mark[1] and "FS2091" not in mark[2]:
                codes = sorted(set(mark[2].split()))
                allowed |= {(file.relative_to(folder).as_posix(), number, code) for code in codes}
                lines[number - 1] = f"{line[:mark.start()]}# flexslice: allow {', '.join(codes)} - it is known"
        file.write_text("\n".join(lines))
    return allowed


def cases():
    return uicases.chosen(Case(path) for path in sorted(CASES.iterdir()) if path.suffix not in (".out", ".fixed"))


def lint(arguments, folder):
    return subprocess.run([FLEXSLICE, "lint", *arguments], cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, check=False)


def findings(case, folder):
    return json.loads(lint([*case.notes, "--format", "json", case.argument], folder).stdout)
