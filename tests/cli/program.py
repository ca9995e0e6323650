"""Runs flexslice as a user would, in a folder of the test's own."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLEXSLICE = os.environ.get("FLEXSLICE", str(ROOT / "build/dev/flexslice"))

FINE, FINDINGS, USAGE, IO = 0, 1, 2, 3
SPEC = """\
apiVersion: flexslice/v1
name: {name}
cluster: {{name: research, location: us-east5}}
tpu: {{type: v6e, topology: {topology}}}
provisioning: {{zones: [{zone}]}}
workload:
  image: us-docker.pkg.dev/acme/train/finetune:2.1
"""


def spec(name="finetune", topology="2x2", zone="us-east5-b"):
    """A good one; with topology 4x6 an error, in zone us-east5-c a warning."""
    return SPEC.format(name=name, topology=topology, zone=zone)


class Result:
    def __init__(self, done):
        self.status = done.returncode
        self.out, self.err = done.stdout.decode(), done.stderr.decode()

    def __repr__(self):
        return f"status {self.status}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = pathlib.Path(directory.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def read(self, name):
        return (self.folder / name).read_text()

    def files(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if not path.is_dir())

    def run_flexslice(self, *arguments, stdin=b"", environment=None, **options):
        environment = {**os.environ, "NO_COLOR": "", "TERM": "xterm", **(environment or {})}
        environment.pop("NO_COLOR") if not environment["NO_COLOR"] else None
        done = subprocess.run([FLEXSLICE, *arguments], cwd=self.folder, input=stdin.encode() if isinstance(stdin, str) else stdin,
                              stdout=options.get("stdout", subprocess.PIPE), stderr=subprocess.PIPE, env=environment,
                              umask=options.get("umask", -1), user=options.get("user"), check=False)
        done.stdout = done.stdout or b""
        return Result(done)

    def expect(self, status, *arguments, **options):
        result = self.run_flexslice(*arguments, **options)
        self.assertEqual(status, result.status, result)
        return result

    def fine(self, *arguments, **options):
        return self.expect(FINE, *arguments, **options)

    def usage(self, *arguments, **options):
        """Wrong usage says one thing, on stderr."""
        result = self.expect(USAGE, *arguments, **options)
        self.assertEqual("", result.out)
        self.assertRegex(result.err, r"\Aflexslice: [^\n]+\n\Z")
        return result.err
