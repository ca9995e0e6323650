"""examples/make with the real make: what has changed is made again, and nothing else."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

EXAMPLE = pathlib.Path(os.environ["FLEXSLICE_SOURCE"]) / "examples/make"
NAMES = ["out/eval.yaml", "out/train.yaml"]


class Make(unittest.TestCase):
    def setUp(self):
        if shutil.which("make") is None:
            if "CI" in os.environ:
                self.fail("make is missing")
            self.skipTest("make is missing")
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = pathlib.Path(directory.name) / "make"
        shutil.copytree(EXAMPLE, self.folder, ignore=shutil.ignore_patterns("out"))
        self.assertEqual(self.made(), NAMES)

    def make(self, *arguments):
        return subprocess.run(["make", f"FLEXSLICE={os.environ['FLEXSLICE']}", *arguments], cwd=self.folder, capture_output=True, text=True, check=False)

    def made(self):
        """The outputs whose rule ran."""
        done = self.make()
        self.assertEqual(done.returncode, 0, done.stderr)
        return sorted(word for line in done.stdout.splitlines() for word in line.split() if word.startswith("out/"))

    def edit(self, name, old, new):
        path = self.folder / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))
        later = time.time() + 2  # clocks of file systems are coarse
        os.utime(path, (later, later))

    def test_nothing_changed(self):
        self.assertEqual(self.made(), [])

    def test_one_spec_changed(self):
        self.edit("specs/train.yaml", "4x4", "4x8")
        self.assertEqual(self.made(), ["out/train.yaml"])
        self.assertIn("completions: 8", (self.folder / "out/train.yaml").read_text())

    def test_shared_settings_changed(self):
        self.edit("cluster.yaml", "us-east5-b", "us-east5-a")
        self.assertEqual(self.made(), NAMES)

    def test_a_touched_spec_settles(self):
        self.edit("specs/train.yaml", "train.py", "train.py")
        before = (self.folder / "out/train.yaml").read_bytes()
        self.assertEqual(self.made(), ["out/train.yaml"])
        self.assertEqual((self.folder / "out/train.yaml").read_bytes(), before)

    def test_shared_settings_are_gone(self):
        (self.folder / "cluster.yaml").unlink()
        done = self.make()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("cluster.yaml: no such file or directory", done.stderr)

    def test_settles_after_every_change(self):
        self.edit("specs/train.yaml", "4x4", "4x8")
        self.edit("cluster.yaml", "us-east5-b", "us-east5-a")
        os.utime(self.folder / "specs/train.yaml")
        os.utime(self.folder / "cluster.yaml")
        self.assertEqual(self.made(), NAMES)
        self.assertEqual(self.made(), [])

    def test_an_output_is_gone(self):
        (self.folder / "out/eval.yaml").unlink()
        self.assertEqual(self.made(), ["out/eval.yaml"])

    def test_a_new_spec(self):
        text = (self.folder / "specs/eval.yaml").read_text()
        (self.folder / "specs/new.yaml").write_text(text.replace("name: eval", "name: new"))
        self.assertEqual(self.made(), ["out/new.yaml"])

    def test_a_mistake_keeps_the_old_output_and_is_found_again(self):
        before = (self.folder / "out/train.yaml").read_bytes()
        self.edit("specs/train.yaml", "4x4", "4x6")
        for _ in range(2):
            self.assertEqual(self.make().returncode, 2)
            self.assertEqual((self.folder / "out/train.yaml").read_bytes(), before)

    def test_current(self):
        self.assertEqual(self.make("current").returncode, 0)
        self.edit("specs/eval.yaml", "2x2", "1x1")
        done = self.make("current")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("+        cloud.google.com/gke-tpu-topology: 1x1", done.stdout + done.stderr)

    def test_check(self):
        self.edit("specs/eval.yaml", "2x2", "2x3")
        done = self.make("check")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("specs/eval.yaml:4:13: error[FS3002]: topology 2x3 is not available for v6e", done.stdout)


if __name__ == "__main__":
    unittest.main()
