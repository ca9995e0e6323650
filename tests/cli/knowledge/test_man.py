"""The manual page: roff without warnings, and nothing left out."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from knowledge import commands, run
from test_completion import options


class Man(unittest.TestCase):
    def setUp(self):
        status, self.page, err = run("man")
        self.assertEqual((0, ""), (status, err))

    def test_form(self):
        self.assertTrue(self.page.startswith('.\\" Made by `flexslice man`.\n.TH FLEXSLICE 1 '))
        for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "COMMON OPTIONS", "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"]:
            self.assertIn(f"\n.SH {heading}\n", self.page)
        # A line that begins with a dot is a request, and these are all that are used.
        requests = set(re.findall(r"^\.(\S+)", self.page, re.MULTILINE))
        self.assertLessEqual(requests, {'\\"', "TH", "SH", "SS", "TP", "PP", "RS", "RE", "nf", "fi"})

    def test_every_command_and_option(self):
        for command in commands():
            with self.subTest(command=command):
                part = self.page.split(f".SS flexslice {command} ")[1].split("\n.SS ")[0].split("\n.SH ")[0]
                for option in options(command):
                    self.assertIn("\\fB" + option.replace("-", "\\-") + "\\fR", part + self.page.split(".SH COMMON OPTIONS")[1])
                example = run(command, "--help")[1].splitlines()[-1].removeprefix("example: ")
                self.assertIn(example.replace("-", "\\-"), part)

    def rendered(self, command):
        with tempfile.NamedTemporaryFile("w", suffix=".1") as file:
            file.write(self.page)
            file.flush()
            done = subprocess.run([*command, file.name], capture_output=True, text=True, check=False, env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        return done.stdout

    def test_man(self):
        if shutil.which("man") is None:
            raise unittest.SkipTest("man is not installed")
        text = self.rendered(["man", "--warnings", "-l"])
        for words in ["FLEXSLICE(1)", "-o, --output FILE", "flexslice init [OPTION...] [NAME]", "-MF FILE", "It needs no network."]:
            self.assertIn(words, text)

    def test_groff(self):
        if shutil.which("groff") is None:
            raise unittest.SkipTest("groff is not installed")
        self.rendered(["groff", "-ww", "-man", "-Tutf8"])


if __name__ == "__main__":
    unittest.main()
