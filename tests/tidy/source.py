"""The project's own files, for the tidy tests: which there are, and C++ without its comments."""
import functools
import os
import pathlib
import re

import yaml

ROOT = pathlib.Path(os.environ.get("FLEXSLICE_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
SRC = ROOT / "src"
FOLDERS = ("src", "tools", "tests", "templates", "examples")  # everything that is written by hand
CPP = (".cpp", ".hpp", ".def")
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((.*?)\)"|"((?:\\.|[^"\\\n])*)"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def cpp_files(*folders):
    """C++ files below these folders of the project, with their paths relative to it."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in CPP:
                yield str(path.relative_to(ROOT)), path.read_text()


def strings(text):
    """(line, content) of each string literal that is not in a comment."""
    for token in TOKEN.finditer(text):
        content = token[1] if token[1] is not None else token[2]
        if content is not None:
            yield text.count("\n", 0, token.start()) + 1, content


def includes(text):
    """(quote, file) of each #include."""
    return re.findall(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', text, re.M)


def catalog():
    """The documents of src/catalog/data."""
    return {path: yaml.safe_load(path.read_text()) for path in sorted((SRC / "catalog/data").rglob("*.yaml"))}


def things(kind):
    """All items of the lists called so at the top of the catalog's documents."""
    return [each for document in catalog().values() for each in document.get(kind, [])]


@functools.cache
def diagnostics():
    """The rows of diagnostics.yaml, by their codes, without those that were merged into others."""
    rows = yaml.safe_load((SRC / "diag/diagnostics.yaml").read_text())
    return {code: row for code, row in rows.items() if "now" not in row}


def kinds():
    """The words of spec/kinds.hpp, with their templates."""
    text = re.sub(r'"\s+"', "", (SRC / "spec/kinds.hpp").read_text())  # a literal over several lines
    rows = re.findall(r'\.word = "(\w+)",.*?\.templates = "([^"]+)"', text, re.S)
    return {word: templates.split() for word, templates in rows}
