"""Comments name files that exist, and callers that call."""
import functools
import re
import unittest

import source

COMMENT = re.compile(r"^[^\"\n]*?// ?(.*)$", re.M)
NAMED = re.compile(r"\b((?:\w+/)*\w+\.(?:cpp|hpp|def|py))\b")
ELSEWHERE = {"train.py", "flexslice/flexslice.hpp"}  # what people have, and what is installed


def comments():
    """(file, its comments in one text) of the project's C++."""
    for file, text in source.cpp_files("src", "tools", "tests"):
        yield file, " ".join(COMMENT.findall(text))


def exists(name):
    return any(f"/{path.relative_to(source.ROOT)}".endswith(f"/{name}")
               for folder in ("src", "tools", "tests") for path in (source.ROOT / folder).rglob(name.rpartition("/")[2]))


@functools.cache
def included(file):
    """What a file of src includes, with what that includes."""
    found, new = set(), {file}
    while new:
        found |= new
        new = {name for each in new if (source.SRC / each).exists() for quote, name in source.includes((source.SRC / each).read_text())
               if quote == '"'} - found
    return found


class Comments(unittest.TestCase):
    def test_files_exist(self):
        for file, text in comments():
            for name in set(NAMED.findall(text)) - ELSEWHERE:
                with self.subTest(file=file, name=name):
                    self.assertTrue(exists(name))

    def test_callers_call(self):
        """`a.cpp calls it`, `a.cpp and b.cpp call them`: these include the header, if by another one."""
        found = 0
        for file, text in comments():
            header = file.removeprefix("src/")
            for callers in re.findall(r"((?:(?:\w+/)*\w+\.cpp(?:, | and )?)+) calls? (?:it|them)\b", text):
                for name in NAMED.findall(callers):
                    found += 1
                    with self.subTest(file=file, caller=name):
                        self.assertTrue(any(header in included(str(path.relative_to(source.SRC)))
                                            for path in source.SRC.rglob(name.rpartition("/")[2]) if f"/{path}".endswith(f"/{name}")))
        self.assertGreater(found, 0)


if __name__ == "__main__":
    unittest.main()
