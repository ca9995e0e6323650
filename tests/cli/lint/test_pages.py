"""Findings and fixes in the code blocks of pages."""
import unittest

from linting import BAD, ERROR, FINDINGS, GOOD, LintCase

FENCED, IN_LIST = "# Page\n\n```yaml\n{}```\n", "# Page\n\n- x:\n\n  ```yaml\n  {}```\n"


class Pages(LintCase):
    def test_stdin(self):
        result = self.expect(FINDINGS, "lint", "--format", "short", "--stdin-filename", "docs/page.md", "-", stdin=FENCED.format(BAD))
        self.assertIn(f"docs/page.md:23:31: error[{ERROR}]", result.out)

    def test_fix(self):
        self.write("a.md", FENCED.format(BAD))
        self.write("b.md", IN_LIST.format(BAD.replace("\n", "\n  ")))
        self.assertIn("fixed 2 findings in 2 files\n", self.fine("lint", "--fix").err)
        self.assertEqual(FENCED.format(GOOD), self.read("a.md"))
        self.assertEqual(IN_LIST.format(GOOD.replace("\n", "\n  ")), self.read("b.md"))


if __name__ == "__main__":
    unittest.main()
