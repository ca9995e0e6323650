"""Comments name rooms and files that exist, and say why, not who calls."""
import functools
import re
import unittest

import source

FILE = re.compile(r"(?<![\w./-])((?:\w+/)*\w+\.(?:cpp|hpp|def|py)|(?:\w+/)+\w+\.(?:yaml|txt|sh))\b")
ROOM = re.compile(r"(?<![\w./-])((?:[a-z_]+/)+)(?![\w*.<{-])")
# What people have, and what is installed.
ELSEWHERE = {"train.py", "flexslice/flexslice.hpp", "a/", "build/job.yaml", "flexslice/"}
# `driver calls it`; gcloud calls something by its name in `as gcloud calls it`.
CALLER = re.compile(r"(?:^|[.:;] )(?!As |What |How )((?:(?!\b(?:as|how|what|where|than|call)\b)[^.:;])*? calls? (?:it|them|this)\b(?! by)[^.:;]*)")


def prose(text, mark):
    """The comments of a file; one after code is a sentence of its own."""
    found = ""
    for line in text.split("\n"):
        code, _, comment = line.partition(mark)
        if comment and '"' not in code:
            found += f". {comment} . " if code.strip() else f" {comment.strip()}"
        elif not code.strip():
            found += ". "
    return re.sub(r"\s+", " ", found)


def comments():
    """(file, its comments in one text) of the project's own C++ and YAML."""
    for file, text in source.cpp_files("src", "tools", "tests"):
        yield file, prose(text, "//")
    for folder in ("src", "templates"):
        for path in sorted((source.ROOT / folder).rglob("*.yaml")):
            yield str(path.relative_to(source.ROOT)), prose(path.read_text(), "# ")


@functools.cache
def paths():
    """Files and folders as comments may call them: from the project's root, from src, or from templates."""
    found = set()
    for base in (source.ROOT, source.SRC, source.ROOT / "templates"):
        for top in source.FOLDERS if base == source.ROOT else (".",):
            found |= {str(path.relative_to(base)) for path in (base / top).rglob("*")}
    return found | {*source.FOLDERS, "schemas"}


def exists(name, file):
    """A name without a folder is that of a file in the same folder, or in the one above it."""
    own = file.rpartition("/")[0]
    return name in paths() or any(f"{folder}/{name}" in paths() for folder in (own, own.rpartition("/")[0]))


class Comments(unittest.TestCase):
    def test_files_and_rooms_exist(self):
        for file, text in comments():
            for name in {*FILE.findall(text), *ROOM.findall(text)} - ELSEWHERE:
                with self.subTest(file=file, name=name):
                    self.assertTrue(exists(name.rstrip("/"), file))

    def test_no_comment_names_a_caller(self):
        for file, text in comments():
            with self.subTest(file=file):
                self.assertEqual([], CALLER.findall(re.sub(r"\.(cpp|hpp)\b", "", text)))

    def test_the_pattern_finds_callers(self):
        for text in ("driver calls it.", "Pure. The render_* files call it, the library too.", "Texts: lint and `import` call them."):
            self.assertEqual(1, len(CALLER.findall(text)), text)
        for text in ("as gcloud calls it.", "What kubectl calls it.", "call it before anything is printed.", "a text that it has, and calls it by the name."):
            self.assertEqual([], CALLER.findall(text), text)


if __name__ == "__main__":
    unittest.main()
