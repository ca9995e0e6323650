"""Cases of mistakes, for the ui test and for its `bless`.

    cases/FS3002-words.yaml           a spec; it is compiled
    cases/FS1003-words.yaml.escaped   the same, with bytes written as \\xff, and what is long as <<a*1000>>, that is `a` 1000 times
    cases/FS3201-words/               files, and `args`: the command line, one argument a line

Beside each: NAME.stderr, what the compiler says, and NAME.fixed, the spec with its fixes applied, where there are any.
A spec whose first line is `#: base` holds only the lines that matter for its mistake. It is compiled with `--defaults base.yaml`, which has the rest.
Marks are written by hand. `#~ FS3002` at the end of a line: found on this line; on a line of its own, `#~^ FS3002`: on the line above.
Marks in `args` stand for findings in the values of `--set`.
"""
import codecs
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import yaml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CASES = HERE / "cases"
BASE = HERE / "base.yaml"
FLEXSLICE = os.environ.get("FLEXSLICE", str(ROOT / "build/dev/flexslice"))
REPEATED = re.compile(rb"<<(.+?)\*(\d+)>>")
MARK = re.compile(r"#~(\^?)((?: FS\d{4})+)$")


class Case:
    def __init__(self, path):
        self.path = path
        self.name = path.name.removesuffix(".escaped").removesuffix(".yaml")
        self.is_folder = path.is_dir()
        self.spec = "spec.yaml" if self.is_folder else self.name + ".yaml"
        self.has_base = not self.is_folder and has_base(path.read_bytes())

    def golden(self, ending):
        return CASES / (self.name + ending)

    def unpack(self, folder):
        """Copies the case's files, with escapes resolved."""
        files = [path for path in self.path.rglob("*") if path.is_file()] if self.is_folder else [self.path]
        for path in files:
            target = folder / (path.relative_to(self.path) if self.is_folder else self.path.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_bytes()
            if target.name.endswith(".escaped"):
                target = target.with_name(target.name.removesuffix(".escaped"))
                text = REPEATED.sub(lambda found: found[1] * int(found[2]), codecs.escape_decode(text)[0])
            target.write_bytes(text)
        if self.has_base:
            shutil.copy(BASE, folder)

    def arguments(self):
        if not self.is_folder:
            return ["compile", *(["--defaults", BASE.name] if self.has_base else []), self.spec]
        lines = (self.path / "args").read_text().splitlines()
        return [MARK.sub("", line).rstrip() for line in lines if not line.startswith("#~")]

    def marks(self, folder):
        """Sorted (file, line, code), as written in the case's files."""
        found = []
        for path in sorted(folder.rglob("*")):
            file = str(path.relative_to(folder))
            if not path.is_file() or file.startswith("out/"):
                continue
            for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").split("\n"), 1):
                mark = MARK.search(line)
                if mark:
                    where = ("--set", 1) if file == "args" else (file, number - len(mark[1]))
                    found += [(*where, code) for code in mark[2].split()]
        return sorted(found)


def has_base(text):
    return text.startswith(b"#: base\n")


def whole(text):
    """A case's spec, as bytes, with what it leaves to the base, for readers that have no defaults."""
    if not has_base(text):
        return text
    return "---\n".join(_on_base(document) for document in re.split(r"(?m)^---\n", text.decode())).encode()


def _on_base(document):
    spec = _entries(yaml.compose(document))
    for line in re.findall(r"(?m)^\w+: .*", BASE.read_text()):
        [(key, value)] = yaml.safe_load(line).items()
        if key not in spec:
            document = document.rstrip("\n") + f"\n{line}\n"
        elif isinstance(value, dict) and isinstance(spec[key], yaml.MappingNode):
            for name in [each for each in value if each not in _entries(spec[key])]:
                pair = f"{name}: {json.dumps(value[name])}"
                document = re.sub(rf"(?m)^({key}: {{)", rf"\1{pair}, ", document)
                document = re.sub(rf"(?m)^({key}:(?: +#.*)?\n)( +)", rf"\1\2{pair}\n\2", document)
    return document


def _entries(node):
    return {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}


def chosen(found):
    """Those of the cases whose names begin as $FLEXSLICE_CASE says, so that one can be run alone; all of them where it says nothing."""
    return [case for case in found if case.name.startswith(os.environ.get("FLEXSLICE_CASE", ""))]


def cases():
    endings = (".yaml", ".escaped")
    return chosen(Case(path) for path in sorted(CASES.iterdir()) if path.is_dir() or path.name.endswith(endings))


def run(arguments, folder):
    return subprocess.run([FLEXSLICE, *arguments], cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, check=False)


def findings(arguments, folder):
    """The findings as JSON: of `check`, which puts them on stdout. Those of overlays end the run before that, on stderr. `check` has no --emit."""
    if "--emit" in arguments:
        return json.loads(run([*arguments, "--format", "json"], folder).stderr)
    done = run(["check", *arguments[1:], "--format", "json"], folder)
    return json.loads(done.stdout or done.stderr)


def places(found):
    return sorted((each["file"] or "--set", each["line"] or 1, each["code"]) for each in found)


def offset(text, line, column):
    """Of a line and a column in code points, both from 1, in decoded text."""
    begin = 0
    for _ in range(line - 1):
        begin = text.index("\n", begin) + 1
    return begin + column - 1


def apply_fixes(text, found, file):
    """The text with all fixes of its findings, each edit a replacement of what stands between two places."""
    edits = []
    for finding in found:
        for fix in finding["fixes"]:
            if fix["file"] == file:
                begin, end = offset(text, fix["line"], fix["column"]), offset(text, fix["endLine"], fix["endColumn"])
                edits.append((begin, end, fix["text"]))
    for begin, end, replacement in sorted(set(edits), reverse=True):
        text = text[:begin] + replacement + text[end:]
    return text


class Outcome:
    """What the program makes of one case."""

    def __init__(self, case):
        with tempfile.TemporaryDirectory() as directory:
            folder = pathlib.Path(directory)
            case.unpack(folder)
            self.marks = case.marks(folder)
            self.documents = 1 + (folder / case.spec).read_bytes().count(b"\n---\n")
            arguments = case.arguments()
            done = run([*arguments, "--color", "never"], folder)
            self.status, self.stderr, self.stdout = done.returncode, done.stderr, done.stdout
            self.findings = findings(arguments, folder)
            self.fixed = self.fixed_findings = self.fixed_by_program = None
            if any(each["fixes"] for each in self.findings):
                self._fix(case, folder, arguments)

    def _fix(self, case, folder, arguments):
        path = folder / case.spec
        before = path.read_bytes()
        self.fixed = apply_fixes(before.decode(), self.findings, case.spec)
        if has_fix():
            run(["check", "--fix", *arguments[1:]], folder)
            self.fixed_by_program = path.read_bytes().decode()
        path.write_text(self.fixed)
        self.fixed_findings = findings(arguments, folder)


@functools.cache
def has_fix():
    """Whether this build knows `check --fix`."""
    return b"--fix" in subprocess.run([FLEXSLICE, "check", "--help"], capture_output=True, check=False).stdout


def remove(case):
    for ending in (".stderr", ".fixed"):
        case.golden(ending).unlink(missing_ok=True)


