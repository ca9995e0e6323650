"""What the tests of this folder share: many specs, a user without rights, a terminal, the memory of a run."""
import os
import pathlib
import pty
import select
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from program import FINDINGS, FINE, FLEXSLICE, IO, ROOT, USAGE, Case, spec  # noqa: E402,F401

MIB = 1 << 20
PATIENCE = 120  # seconds until a run counts as hanging, on the slowest machine
NOBODY = 65534
# Memory is measured by a small process: a child's maximum is never below the size its parent had when it forked.
MEASURE = """\
import os, sys
_, status, usage = os.wait4(os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ), 0)
os.write(int(sys.argv[1]), b"%d %d" % (os.waitstatus_to_exitcode(status), usage.ru_maxrss))
"""


def instrumented():
    """Bounds are not judged with a sanitizer or counters of lines, which need memory, nor with a script, which starts node or an emulator."""
    program = pathlib.Path(FLEXSLICE).read_bytes()
    return program.startswith(b"#!") or any(mark in program for mark in (b"__asan_init", b"__tsan_init", b".gcda"))


def stream(count, bad=()):
    return "".join("---\n" + spec(f"job-{i}", topology="4x6" if i in bad else "2x2") for i in range(count))


class Run:
    """`status`, `out`, `err`, and `memory` in KiB."""

    def __init__(self, *arguments, cwd=None, stdin=subprocess.DEVNULL):
        ours, theirs = os.pipe()
        done = subprocess.run([sys.executable, "-I", "-S", "-c", MEASURE, str(theirs), FLEXSLICE, *arguments], cwd=cwd, stdin=stdin,
                              capture_output=True, pass_fds=[theirs], timeout=PATIENCE, check=True)
        os.close(theirs)
        with os.fdopen(ours) as measured:
            self.status, self.memory = map(int, measured.read().split())
        self.out, self.err = done.stdout.decode(), done.stderr.decode()


class BatchCase(Case):
    def bounded(self, status, *arguments, memory, **options):
        """Ends with that status and took less than `memory` MiB."""
        run = Run(*arguments, cwd=self.folder, **options)
        self.assertEqual(status, run.status, run.err)
        if not instrumented():
            self.assertLess(run.memory, memory * 1024)
        return run

    def without_rights(self):
        """Options for a run by somebody to whom modes matter; the folder is theirs."""
        if os.getuid() != 0:
            return {}
        self.folder.chmod(0o755)
        for path in [self.folder, *self.folder.rglob("*")]:
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
        try:
            subprocess.run([FLEXSLICE, "--version"], user=NOBODY, cwd=self.folder, stdout=subprocess.DEVNULL, check=True)
        except OSError:
            self.skipTest("nobody but root can run this program")
        return {"user": NOBODY}


def on_terminal(arguments, cwd, stdin, out_too=False, environment=None):
    """(status, what a terminal gets) when stderr, and stdout too, is one; `stdin` gives pieces and may sleep between them."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([FLEXSLICE, *arguments], cwd=cwd, stdin=subprocess.PIPE, stdout=theirs if out_too else subprocess.DEVNULL,
                               stderr=theirs, env={**os.environ, "TERM": "xterm", **(environment or {})})
    os.close(theirs)
    seen = b""

    def drain(wait):
        nonlocal seen
        while select.select([ours], [], [], wait)[0]:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                return
            if not piece:
                return
            seen += piece

    for piece in stdin:
        process.stdin.write(piece)
        process.stdin.flush()
        drain(0)
    process.stdin.close()
    while process.poll() is None:
        drain(0.05)
    drain(0.05)
    os.close(ours)
    return process.returncode, seen.decode(errors="replace")
