"""Completions of a real bash: what `complete` calls, and what is in COMPREPLY afterwards."""
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import knowledge
from knowledge import commands, generations, models, run

# Calls the function that `complete` names, with the words as bash would cut them.
DRIVER = r"""
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
words=$(complete -p flexslice)
function=${words#*-F }
"${function%% *}"
printf '%s\n' "${COMPREPLY[@]}"
"""


def options(command):
    """Names of the options that --help shows."""
    return set(re.findall(r"(?<![\w-])--?[A-Za-z][a-zA-Z-]*", "\n".join(line[:line.find("  ", 8)] for line in run(command, "--help")[1].splitlines()
                                                                        if re.match(r"  (-.,|   ) -", line) or re.match(r"      -", line))))


class Bash(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        status, script, err = run("completion", "bash")
        assert (status, err) == (0, ""), err
        (cls.folder / "script").write_text(script)
        work = cls.folder / "work"
        (work / "specs").mkdir(parents=True)
        for name in ["train.yaml", "eval.yml", "plan.json", "notes.txt", "with blank.yaml"]:
            (work / name).touch()

    def complete(self, *words):
        done = subprocess.run(["bash", "--norc", "-c", DRIVER, "bash", self.folder / "script", "flexslice", *words], cwd=self.folder / "work",
                              capture_output=True, text=True, check=True)
        self.assertEqual("", done.stderr)
        return done.stdout.split("\n")[:-1] if done.stdout != "\n" else []

    def test_commands(self):
        self.assertEqual(sorted([*commands(), "--help", "--version"]), sorted(self.complete("")))
        self.assertEqual(["catalog"], self.complete("ca"))

    def test_every_option(self):
        for command in commands():
            with self.subTest(command=command):
                wanted = options(command)
                self.assertIn("--help", wanted)
                self.assertEqual(wanted, set(self.complete(command, "-")))

    def test_values(self):
        for words, wanted in [
            (["catalog", "--model", ""], set(models())),
            (["init", "--type", "v5"], {"v5e", "v5p"}),
            (["catalog", "--zone", "us-east5-"], {"us-east5-a", "us-east5-b"}),
            (["catalog", "--model", "=", "sp"], {"spot"}),
            (["catalog", "--model", "="], set(models())),
            (["catalog", "--type", "v5e,v6"], {"v5e,v6e"}),
            (["compile", "--emit", "manifests,pro"], {"manifests,provision"}),
            (["check", "--format", ""], {"text", "short", "json", "sarif", "github"}),
            (["check", "--color", "a"], {"auto", "always"}),
            (["check", "--deny", "warn"], {"warnings"}),
            (["compile", "--set", "tpu.m"], {"tpu.machineType="}),
            (["init", "--mode", ""], {"standard", "autopilot"}),
            (["init", "--topology", "16x"], {"16x16", "16x32"}),
            (["completion", ""], {"bash", "zsh", "fish"}),
            (["catalog", "zo"], {"zones"}),
            (["explain", "FS3002"], {"FS3002"}),
            (["explain", "ct6e"], {"ct6e-standard-1t", "ct6e-standard-4t", "ct6e-standard-8t"}),
            (["init", "--location", "us-e"], {"us-east1", "us-east5"}),
            (["init", "--name-that-is-none", ""], set()),
        ]:
            with self.subTest(words=words):
                self.assertEqual(wanted, set(self.complete(*words)))

    def test_files(self):
        specs = {"train.yaml", "eval.yml", "plan.json", "with blank.yaml", "specs"}
        for words, wanted in [
            (["compile", ""], specs),
            (["check", "t"], {"train.yaml"}),
            (["check", "--format", "short", "train.yaml", ""], specs),
            (["compile", "-o", "n"], {"notes.txt"}),
            (["compile", "--output", "=", "n"], {"notes.txt"}),
            (["compile", "--out-dir", ""], {"specs"}),
            (["compile", "--defaults", "with"], {"with blank.yaml"}),
            (["explain", "eval"], {"eval.yml"}),
        ]:
            with self.subTest(words=words):
                self.assertEqual(wanted, set(self.complete(*words)))

    def test_every_value_is_taken(self):
        """What is proposed, the program takes."""
        for generation in self.complete("catalog", "--type", ""):
            self.assertIn(generation, generations())
        for command, option in [("catalog", "--model"), ("catalog", "--zone"), ("catalog", "--machine-type"), ("init", "--topology")]:
            for value in self.complete(command, option, ""):
                with self.subTest(option=option, value=value):
                    # A topology may need another model than the first, which is another matter.
                    self.assertNotIn("unknown", run(command, option, value)[2])

    def test_unknown_shell(self):
        self.assertEqual((2, "", "flexslice: no completion for shell `bsh`; did you mean `bash`?\n"), run("completion", "bsh"))
        self.assertEqual((2, "", "flexslice: missing shell: expected one of bash, zsh, fish\n"), run("completion"))

    def test_shellcheck(self):
        done = subprocess.run([knowledge.tool("shellcheck"), "-s", "bash", self.folder / "script"], capture_output=True, text=True, check=False)
        self.assertEqual((0, ""), (done.returncode, done.stdout))


class Others(unittest.TestCase):
    """Without these shells: that nothing is missing."""

    def test_every_option(self):
        for shell in ["zsh", "fish"]:
            script = run("completion", shell)[1]
            for command in commands():
                with self.subTest(shell=shell, command=command):
                    part = script.split(f"    {command})\n")[1].split("      ;;\n")[0] if shell == "zsh" else "\n".join(
                        line for line in script.splitlines() if f"__fish_seen_subcommand_from {command}'" in line)
                    for option in options(command):
                        written = option if shell == "zsh" else f" -{'l' if option.startswith('--') else 's' if len(option) == 2 else 'o'} {option.lstrip('-')} "
                        self.assertIn(written, part)


if __name__ == "__main__":
    unittest.main()
