"""README.md does what it says: every command in it is run and its output compared. Short enough to be read, and every block has a kind."""
import re
import unittest

import readme
import yaml


class Readme(unittest.TestCase):
    maxDiff = None
    text = (readme.ROOT / "README.md").read_text()

    def test_commands(self):
        for page in readme.pages():
            with self.subTest(page=page.relative_to(readme.ROOT)):
                text = page.read_text()
                self.assertEqual(text, readme.rewritten(text), "the page differs from what its commands print: python3 tests/readme/readme.py")

    def test_every_example_has_a_page(self):
        specs = {spec.parent for spec in readme.ROOT.glob("examples/*/spec.yaml")}
        self.assertLessEqual(specs, {page.parent for page in readme.pages()})
        index = (readme.ROOT / "examples/README.md").read_text()
        for page in readme.pages()[1:]:
            if page.name == "SKILL.md":
                continue
            self.assertIn(f"]({page.parent.name}/", index)

    def test_links(self):
        for page in [*readme.pages(), readme.ROOT / "examples/README.md", readme.ROOT / "INSTALL.md"]:
            for link in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
                if "://" not in link:
                    self.assertTrue((page.parent / link).exists(), f"{page}: {link}")

    def test_skills(self):
        """In the form that assistants load: a folder of the skill's name, and what to use it for."""
        for page in readme.ROOT.glob("skills/*/SKILL.md"):
            text = page.read_text()
            self.assertLessEqual(len(text.splitlines()), 150)
            head = yaml.safe_load(text.split("---\n")[1])
            self.assertLessEqual(set(head), {"name", "description", "license", "compatibility", "metadata", "allowed-tools"})
            self.assertRegex(head["name"], r"\A[a-z0-9-]{1,64}\Z")
            self.assertEqual(page.parent.name, head["name"])
            self.assertLessEqual(len(head["description"]), 1024)

    def test_length(self):
        self.assertLessEqual(len(self.text.splitlines()), 220)

    def test_kinds(self):
        kinds = [kind for kind, _, _ in readme.blocks(self.text)]
        self.assertEqual(len(re.findall("^```(?!`)", self.text, re.MULTILINE)), 2 * len(kinds), "every block has a kind")
        # The two commands that set everything up install packages; .ci/run runs the second. The other kinds are run or written to files here.
        self.assertEqual(kinds.count("sh"), 1)
        self.assertLessEqual(set(kinds), {"sh", "console", "yaml"})


if __name__ == "__main__":
    unittest.main()
