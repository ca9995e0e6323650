"""The image that the Dockerfile makes has the program, its licences and nothing else, and runs as its comment says."""
import os
import pathlib
import tempfile
import unittest

import dockerfile
import installed
from installed import EXAMPLE, FLEXSLICE, ROOT, run


class Docker(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.image = cls.enterClassContext(dockerfile.built(ROOT))

    def test_files(self):
        there = {f"usr/share/doc/flexslice/{name}" for name in ("LICENSE", "copyright")} | {"usr/bin/flexslice"}
        self.assertEqual(there, installed.files(self.image.root))

    def test_runs_without_arguments(self):
        self.assertIn(b"usage: flexslice", self.image.run().stdout)

    def test_reads_stdin(self):
        spec = (EXAMPLE / "spec.yaml").read_bytes()
        made = self.image.run(["compile", "-"], input=spec, stdin=None).stdout.decode()
        self.assertEqual(installed.compiled(spec=spec), made)

    def test_writes_into_the_mounted_folder(self):
        work = self.image.path(".")
        (work / "spec.yaml").write_bytes((EXAMPLE / "spec.yaml").read_bytes())
        os.chown(work, self.image.user, self.image.user)
        self.image.run(["compile", "--out-dir", "build", "spec.yaml"])
        with tempfile.TemporaryDirectory() as out:
            run([FLEXSLICE, "compile", "--out-dir", out, EXAMPLE / "spec.yaml"])
            wanted = {name: (pathlib.Path(out) / name).read_text() for name in installed.files(out)}
        self.assertEqual(wanted, {name: (work / "build" / name).read_text() for name in installed.files(work / "build")})
        self.assertEqual({self.image.user}, {path.stat().st_uid for path in (work / "build").rglob("*")})


if __name__ == "__main__":
    unittest.main()
