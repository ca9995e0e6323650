"""Files that stay small and alike."""
import os
import re
import shutil
import subprocess
import unittest

import source

MOST_COLUMNS = 100
TEXT = (".cpp", ".hpp", ".def", ".py", ".yaml", ".sh", ".cmake", ".txt")


def project_files():
    """Everything that is written by hand, with its path relative to the project."""
    for folder in source.FOLDERS:
        for path in sorted((source.ROOT / folder).rglob("*")):
            relative = path.relative_to(source.ROOT)
            if path.is_file() and path.suffix in TEXT and "expected" not in relative.parts and "golden" not in relative.parts and "cases" not in relative.parts:
                yield str(relative), path.read_text()


class Files(unittest.TestCase):
    def test_headers_say_what_they_own(self):
        for file, text in source.cpp_files("src", "tools"):
            if file.endswith(".hpp"):
                self.assertRegex(text, r"^// \S", f"{file} begins with a comment")
                self.assertIn("#pragma once", text, file)

    def test_length_of_lines(self):
        for file, text in source.cpp_files("src", "tools", "tests"):
            for number, line in enumerate(text.split("\n"), 1):
                prose = file.endswith(".def") or '"' in line or "http" in line
                if not prose:
                    self.assertLessEqual(len(line), MOST_COLUMNS, f"{file}:{number}")

    def test_blanks(self):
        for file, text in project_files():
            self.assertTrue(text == "" or text.endswith("\n"), f"{file} ends with a line break")
            for number, line in enumerate(text.split("\n"), 1):
                self.assertEqual(line.rstrip(), line, f"{file}:{number} ends with blanks")
                if not file.endswith((".txt", ".cmake")):
                    self.assertNotIn("\t", line, f"{file}:{number} has a tab")

    def test_views_that_clang_14_has_not(self):
        """With the headers of g++ 12 it compiles neither views of ranges nor what gives back a subrange."""
        for file, text in source.cpp_files("src", "tools", "tests"):
            self.assertNotRegex(text, r"std::views::|std::ranges::(unique|remove|remove_if|subrange)\b", file)

    def test_formatted(self):
        if not shutil.which("clang-format"):
            if os.environ.get("CI"):
                self.fail("clang-format is missing")
            self.skipTest("clang-format is missing")
        files = [file for file, _ in source.cpp_files("src", "tools", "tests") if not file.endswith(".def")]
        done = subprocess.run(["clang-format", "--dry-run", "-Werror", *files], cwd=source.ROOT, capture_output=True, text=True, check=False)
        wrong = sorted({line.split(":")[0] for line in done.stderr.splitlines() if "-Wclang-format-violations" in line})
        # Their names are given as to a shell, so that the command can be copied.
        self.assertEqual("", f"clang-format -i {' '.join(wrong)}" if wrong else "", "files are not formatted: run this command, or build the target `format`")
        self.assertEqual(0, done.returncode, done.stderr)


if __name__ == "__main__":
    unittest.main()
