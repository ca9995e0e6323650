"""Completions of a real zsh and a real fish."""
import os
import pathlib
import pty
import select
import shutil
import subprocess
import tempfile
import time
import unittest

import knowledge
from knowledge import FLEXSLICE, commands, models, run


def shell(name):
    """These two are never demanded."""
    path = shutil.which(name)
    if path is None:
        raise unittest.SkipTest(f"{name} is not installed")
    return path


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/flexslice").symlink_to(FLEXSLICE)
        (self.folder / "work").mkdir()
        for name in ["train.yaml", "notes.txt"]:
            (self.folder / "work" / name).touch()
        self.environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "HOME": str(self.folder), "TERM": "xterm"}


class Fish(Folder):
    def complete(self, line):
        script = self.folder / "flexslice.fish"
        script.write_text(run("completion", "fish")[1])
        done = subprocess.run([shell("fish"), "--no-config", "-c", f"source {script}; complete -C '{line}'"], cwd=self.folder / "work",
                              env=self.environment, capture_output=True, text=True, check=False)
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        return {each.split("\t")[0] for each in done.stdout.splitlines()}

    def test_fish(self):
        self.assertEqual(set(commands()), self.complete("flexslice "))
        self.assertEqual(set(models()), self.complete("flexslice catalog --model "))
        self.assertIn("--multi-host", self.complete("flexslice catalog --m"))
        self.assertEqual({"zones"}, self.complete("flexslice catalog zo"))
        self.assertIn("train.yaml", self.complete("flexslice check t"))
        self.assertEqual({"FS3002"}, self.complete("flexslice explain FS3002"))
        self.assertEqual({"standard", "autopilot"}, self.complete("flexslice init --mode "))
        self.assertEqual({"--emit"}, self.complete("flexslice compile --em"))


class Zsh(Folder):
    """Types into an interactive shell and reads what it lists."""

    START = "PROMPT='> '; RPROMPT=; fpath=({fpath} $fpath); autoload -Uz compinit; compinit -u -D; zstyle ':completion:*' list-prompt ''; LISTMAX=1000\n"

    def setUp(self):
        super().setUp()
        path = shell("zsh")
        functions = self.folder / "functions"
        functions.mkdir()
        (functions / "_flexslice").write_text(run("completion", "zsh")[1])
        process, self.terminal = pty.fork()
        if process == 0:
            os.chdir(self.folder / "work")
            os.execve(path, [path, "-f", "-i"], self.environment)
        self.addCleanup(os.close, self.terminal)
        self.addCleanup(os.waitpid, process, 0)
        self.addCleanup(os.kill, process, 9)
        os.write(self.terminal, self.START.format(fpath=functions).encode())
        self.ready()

    def ready(self):
        """Clears the line and waits until everything typed is done; an interrupt would end a completion that still runs."""
        os.write(self.terminal, b"\x15print re''ady\n")
        self.read(b"ready")

    def read(self, end, seconds=20):
        text = b""
        until = time.monotonic() + seconds
        while end not in text:
            if not select.select([self.terminal], [], [], max(0, until - time.monotonic()))[0]:
                raise AssertionError(f"{end!r} does not come after {text!r}")
            text += os.read(self.terminal, 65536)
        return text

    def completed(self, line, wanted):
        """Types the line and Tab, and waits for the text; clears the line."""
        os.write(self.terminal, line.encode() + b"\t\t")
        shown = self.read(wanted.encode())
        self.ready()
        return shown.decode(errors="replace")

    def test_zsh(self):
        shown = self.completed("flexslice ", "Prints the manual page")
        self.assertIn("compile", shown)
        self.completed("flexslice cat", "alog")
        self.completed("flexslice catalog --multi", "-host")
        self.completed("flexslice catalog --model fl", "ex-start")
        self.completed("flexslice catalog --model=on", "-demand")
        self.completed("flexslice check tr", "ain.yaml")
        self.completed("flexslice explain ct3-", "hightpu-4t")
        self.completed("flexslice compile --emit manifests,clean", "up")


if __name__ == "__main__":
    unittest.main()
