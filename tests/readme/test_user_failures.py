"""tests/user-failures.md names diagnostics and files that exist, and has every row."""
import re
import unittest

import readme

PAGE = (readme.ROOT / "tests/user-failures.md").read_text()
TABLE = (readme.ROOT / "src/diag/diagnostics.yaml").read_text()


class UserFailures(unittest.TestCase):
    def test_diagnostics(self):
        known = set(re.findall(r"^FS(\d+):", TABLE, re.M))
        for code in re.findall(r"FS(\d{4})", PAGE):
            self.assertIn(code, known, f"FS{code}")

    def test_files(self):
        for path in re.findall(r"`((?:tests|examples)/[^`]+)`", PAGE):
            self.assertTrue((readme.ROOT / path).exists(), path)

    def test_rows(self):
        numbers = [int(number) for number in re.findall(r"^\| (\d+) \|", PAGE, re.M)]
        self.assertEqual(list(range(1, len(numbers) + 1)), numbers)
        self.assertEqual(len(re.findall(r"^\| ", PAGE, re.M)) - 1, len(numbers), "each row has a number")


if __name__ == "__main__":
    unittest.main()
