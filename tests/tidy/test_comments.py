"""Comments name rooms and files that exist, and say why in sentences, not who calls."""
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

# After one of these words, the verb of a sentence hides or is missing.
OPENER = re.compile(r"(?:What|Whether|Of|Where|That|Those|Which)\b")
MARKS = {".cpp": "//", ".hpp": "//", ".def": "//", ".js": "//", ".mjs": "//", ".cjs": "//", ".ts": "//"}


def openings(text, mark):
    """(line, comment) of each line that begins a comment; lines that go on in one do not."""
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        code, _, comment = line.partition(mark)
        is_alone = not code.strip()
        if comment.strip() and not (is_alone and inside) and not re.search("[\"'`]", code):
            yield number, comment.strip()
        inside = is_alone and bool(comment.strip())


def files_with_comments():
    """(file, text, mark) of everything in src and tools that is written by hand."""
    for folder in ("src", "tools"):
        for path in sorted((source.ROOT / folder).rglob("*")):
            if not path.is_file() or "__pycache__" in path.parts:
                continue
            try:
                yield str(path.relative_to(source.ROOT)), path.read_text(), MARKS.get(path.suffix, "# ")
            except UnicodeDecodeError:
                continue  # an image or an archive


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

    def test_comments_open_with_a_subject(self):
        for file, text, mark in files_with_comments():
            for line, comment in openings(text, mark):
                if OPENER.match(comment):
                    with self.subTest(file=file, line=line):
                        self.fail(f"{file}:{line}: `{comment}`: write a sentence with a subject and a verb")

    def test_openings_are_those_of_whole_comments(self):
        text = "// What a\n// Of b\nint c;  // Those d\n//\n// Which e\n//\n// That f\n  // g.\n  // Where h\nputs(\"// Of i\");\n// Whatever j"
        self.assertEqual([1, 3, 5, 7], [line for line, comment in openings(text, "//") if OPENER.match(comment)])

    def test_the_pattern_finds_callers(self):
        for text in ("driver calls it.", "Pure. The render_* files call it, the library too.", "Texts: lint and `import` call them."):
            self.assertEqual(1, len(CALLER.findall(text)), text)
        for text in ("as gcloud calls it.", "What kubectl calls it.", "call it before anything is printed.", "a text that it has, and calls it by the name."):
            self.assertEqual([], CALLER.findall(text), text)


if __name__ == "__main__":
    unittest.main()
