"""README.md does what it says: every command in it is run and its output compared. Short enough to be read, and every block has a kind."""
import re
import unittest

import readme


class Readme(unittest.TestCase):
    maxDiff = None
    text = (readme.ROOT / "README.md").read_text()

    def test_commands(self):
        self.assertEqual(self.text, readme.rewritten(self.text), "README.md differs from what its commands print: python3 tests/readme/readme.py")

    def test_length(self):
        self.assertLess(len(self.text.splitlines()), 360)

    def test_kinds(self):
        kinds = [kind for kind, _, _ in readme.blocks(self.text)]
        self.assertEqual(len(re.findall("^```(?!`)", self.text, re.MULTILINE)), 2 * len(kinds), "every block has a kind")
        # The two commands that set everything up install packages; .ci/run runs the second. The other kinds are run or written to files here.
        self.assertEqual(kinds.count("sh"), 1)
        self.assertLessEqual(set(kinds), {"sh", "console", "yaml"})


if __name__ == "__main__":
    unittest.main()
