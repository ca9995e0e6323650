"""The npm package is packed and installed without a network, and its command is the program."""
import json
import pathlib
import shutil
import tempfile
import unittest

import debian_root
import installed
from installed import EXAMPLE, FLEXSLICE, ROOT, run


class Npm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if installed.cache().get("FLEXSLICE_STATIC") != "ON":
            raise unittest.SkipTest("this build tree is not one of the static program")
        debian_root.need(shutil.which("npm"), "npm")
        cls.directory = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.directory.name)
        script, manifest = ROOT / "tools/packaging/npm/pack.cmake", installed.BUILD / "package.json"
        run(["cmake", "-D", f"BUILD={installed.BUILD}", "-D", f"PACKAGE_JSON={manifest}", "-D", f"OUT={cls.folder}", "-P", script])
        cls.version = installed.cache()["CMAKE_PROJECT_VERSION"]
        cls.tarball = cls.folder / f"flexslice-{cls.version}.tgz"
        cls.project = cls.folder / "project"
        cls.project.mkdir()
        cls.npm("install", "--no-audit", "--no-fund", cls.tarball)

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    @classmethod
    def npm(cls, *arguments, program="npm"):
        return run([program, "--offline", *arguments], cwd=cls.project)

    def test_version(self):
        said = self.npm("--no-install", "flexslice", "--version", program="npx").stdout.decode()
        self.assertEqual(f"flexslice {self.version}", said.splitlines()[0])

    def test_compile(self):
        words = ["compile", "--emit", "provision", EXAMPLE / "spec.yaml"]
        made = self.npm("--no-install", "flexslice", *words, program="npx").stdout
        self.assertEqual(run([FLEXSLICE, *words]).stdout.decode(), made.decode())

    def test_what_it_says_of_itself(self):
        said = json.loads((self.project / "node_modules/flexslice/package.json").read_text())
        self.assertEqual((["linux"], ["x64"]), (said["os"], said["cpu"]))
        self.assertNotIn("scripts", said)
        self.assertNotIn("dependencies", said)

    def test_files(self):
        there = installed.files(self.project / "node_modules/flexslice")
        self.assertLessEqual({"bin/flexslice", "INSTALL.md", "LICENSE", "README.md", "copyright", "flexslice.schema.json", "package.json"}, there)
        self.assertEqual([], installed.broken_links(self.project / "node_modules/flexslice"))

    def test_uninstall(self):
        self.npm("uninstall", "--no-audit", "--no-fund", "flexslice")
        self.assertEqual(set(), {name for name in installed.files(self.project) if "flexslice" in pathlib.Path(name).parts})
        self.npm("install", "--no-audit", "--no-fund", self.tarball)


if __name__ == "__main__":
    unittest.main()
