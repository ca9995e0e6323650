"""The release build compiles each folder of src as one file. A name in an anonymous namespace is seen by the files after it there, so
it must not be the name of anything else that they may mean: it is unique in its folder, and no header declares a function of that name."""
import collections
import pathlib
import re
import unittest

SRC = pathlib.Path(__file__).resolve().parent.parent.parent / "src"
# At the first column, as clang-format leaves it: `T name(`, `T name =`, `T name[`, `class name`.
NAME = re.compile(r"^(?=\w)(?!return|using|namespace|template|static_assert|#|//|case|public|private)"
                  r"(?:(?:struct|class|enum class)\s+(?P<type>\w+)|(?:[\w:<>,*&\s\[\]]+?[\s*&])(?P<other>\w+)(?=[(={\[;]|\s=))")


def names(text):
    return {match["type"] or match["other"] for line in text.splitlines() if (match := NAME.match(line))}


def anonymous(text):
    return set().union(*(names(block) for block in re.findall(r"^namespace \{\n(.*?)^\}  // namespace\n", text, re.M | re.S)), set())


def space(text):
    """The namespace of a file, `flexslice::yaml`."""
    return max(re.findall(r"^namespace ((?:flexslice)[\w:]*) \{", text, re.M), key=len, default="flexslice")


def folders():
    found = collections.defaultdict(dict)
    for path in sorted(SRC.rglob("*.cpp")):
        folder = path.parent.relative_to(SRC).as_posix()
        if folder not in (".", "import"):
            text = path.read_text()
            found[folder][path.name] = (space(text), anonymous(text))
    return found


class Names(unittest.TestCase):
    def test_the_pattern_finds_names(self):
        self.assertEqual({"f", "g", "text", "rows", "A", "B"},
                         names("bool f(char c) {\nstd::string_view g(\nconstexpr size_t text = 1;\nconstexpr Row rows[] = {\nclass A {\n"
                               "struct B {\n  int inner(int);\n"))

    def test_names_are_unique_in_a_folder(self):
        twice = [f"{folder}: {name}" for folder, files in folders().items()
                 for name, count in collections.Counter(name for _, of in files.values() for name in of).items() if count > 1]
        self.assertEqual([], sorted(twice))

    def test_no_header_declares_them(self):
        declared = collections.defaultdict(set)
        for path in SRC.rglob("*.hpp"):
            text = path.read_text()
            for name in names(text):
                declared[name].add((space(text), path.relative_to(SRC).as_posix()))
        hidden = [f"{folder}/{file}: {name}, also in {header}" for folder, files in folders().items() for file, (inner, of) in files.items()
                  for name in of for outer, header in declared[name] if inner == outer or inner.startswith(outer + "::")]
        self.assertEqual([], sorted(hidden))


if __name__ == "__main__":
    unittest.main()
