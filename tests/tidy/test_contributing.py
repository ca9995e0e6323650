"""CONTRIBUTING.md names every folder of the program, and no file that does not exist."""
import re
import unittest

import source

TEXT = (source.ROOT / "CONTRIBUTING.md").read_text()


def folders():
    """Folders that directly contain C++, relative to src; the build tools are beside it."""
    files = [file for file, _ in source.cpp_files("src", "tools")]
    return {file.removeprefix("src/").rpartition("/")[0] for file in files} - {""}


class Contributing(unittest.TestCase):
    def test_table_of_folders(self):
        table = re.search(r"\| folder \| .*\n\|[-|]+\n((?:\|.*\n)+)", TEXT)[1]
        rows = re.findall(r"^\| `([^`]+)`", table, re.M)
        self.assertEqual(sorted(set(rows)), sorted(rows), "each folder has one row")
        self.assertEqual(set(), folders() - set(rows), "folders without a row")
        for row in rows:
            self.assertTrue((source.SRC / row).is_dir() or (source.ROOT / row).is_dir(), f"{row} is a folder")

    def test_folders_of_tests_are_labels(self):
        """Each has a row, but for a step of prove.sh that is no suite."""
        labels = set(re.findall(r"^\| (\w+) \| ", re.search(r"\| label \| .*\n\|[-|]+\n((?:\|.*\n)+)", TEXT)[1], re.M))
        tests = source.ROOT / "tests"
        used = set()
        for file in [tests / "CMakeLists.txt", *tests.glob("*/CMakeLists.txt")]:
            text = file.read_text()
            for label in re.findall(r"flexslice_python_test\((?!NAME)\S+ (\w+)|LABELS (\w+)", text):
                used.add(label[0] or label[1])
                if file.parent != tests:
                    self.assertEqual(file.parent.name, (label[0] or label[1]).removesuffix("-full"), file)
        self.assertEqual(labels, {label.removesuffix("-full") for label in used})
        self.assertEqual(labels, {path.name for path in tests.iterdir() if path.is_dir() and path.name != "__pycache__"} - {"extend"})

    def test_unit_tests_are_called_like_the_folder_that_they_test(self):
        rooms = {folder.rpartition("/")[2] for folder in folders()} | {"api"}
        for path in (source.ROOT / "tests/unit").glob("*.cpp"):
            self.assertIn(path.name.split("_")[0].removesuffix(".cpp"), rooms)

    def test_glossary(self):
        """Nobody learns more words than these."""
        rows = re.search(r"\| word \| means \|\n\|[-|]+\n((?:\|.*\n)+)", TEXT)[1]
        self.assertLessEqual(len(re.findall(r"[a-z]+", " ".join(re.findall(r"^\| ([^|]+) \|", rows, re.M)))), 20)

    def test_paths_exist(self):
        for path in re.findall(r"`([\w./-]+(?:\.(?:cpp|hpp|def|py|yaml|json|sh)|/))`", re.sub(r"`build/[^`]*`", "", TEXT)):
            self.assertTrue((source.ROOT / path).exists() or any(source.SRC.rglob(path.rstrip("/"))), path)

    def test_tours(self):
        """Short, and of functions that exist."""
        tours = TEXT[TEXT.index("### A guided tour"):TEXT.index("## Building")].split("\n### ")
        self.assertEqual(3, len(tours))
        code = "".join(path.read_text() for pattern in ("*.?pp", "fields.yaml") for path in source.SRC.rglob(pattern))
        for tour in tours:
            self.assertLessEqual(len(re.findall(r"^\d\. ", tour, re.M)), 8)
            for name in re.findall(r"`(?:\w+::)?(\w+)`", tour):
                self.assertTrue(re.search(rf"\b{name}\b", code), name)


if __name__ == "__main__":
    unittest.main()
