"""The Debian package installs, runs and is removed without a trace, in a clean Debian root. Debian's own checker has nothing to say."""
import hashlib
import pathlib
import shutil
import stat
import tempfile
import unittest

import debian_root
import installed
from debian_root import chroot
from installed import EXAMPLE, FLEXSLICE, run

# What dpkg notes of any package.
NOTED = ("var/lib/dpkg/", "var/log/", "var/cache/")


def snapshot(root):
    """Path -> what it is, of everything below the root."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if name.startswith(NOTED):
            continue
        status = path.lstat()
        content = ""
        if path.is_symlink():
            content = path.readlink()
        elif stat.S_ISREG(status.st_mode):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
        found[name] = (oct(status.st_mode), status.st_uid, status.st_gid, content)
    return found


class Deb(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        if installed.cache().get("FLEXSLICE_STATIC") != "ON":
            raise unittest.SkipTest("this build tree is not one of the static program")
        cls.directory = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.directory.name)
        run(["cpack", "-G", "DEB", "-B", cls.folder], cwd=installed.BUILD)
        cls.packages = list(cls.folder.glob("*.deb"))

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def test_one_package(self):
        version = installed.cache()["CMAKE_PROJECT_VERSION"]
        architecture = run(["dpkg", "--print-architecture"]).stdout.decode().strip()
        self.assertEqual([f"flexslice_{version}_{architecture}.deb"], [path.name for path in self.packages])
        fields = run(["dpkg-deb", "--field", self.packages[0]]).stdout.decode()
        self.assertNotIn("Depends:", fields)

    def test_lintian(self):
        debian_root.need(shutil.which("lintian"), "lintian")
        # Its speller takes the first eight letters of a constant that stands in machine code for a word.
        said = run(["lintian", "--allow-root", "--pedantic", "--display-info", "--suppress-tags", "spelling-error-in-binary", self.packages[0]],
                   check=False)
        self.assertEqual("", said.stdout.decode())

    def test_install_run_remove(self):
        with debian_root.Root() as root:
            before = snapshot(root)
            shutil.copy(self.packages[0], root / "tmp/flexslice.deb")
            chroot(root, ["dpkg", "--install", "/tmp/flexslice.deb"])
            (root / "tmp/flexslice.deb").unlink()
            with self.subTest("installed"):
                self.assertNotEqual(before, snapshot(root))
                self.assertEqual(b"", chroot(root, ["dpkg", "--verify", "flexslice"]).stdout)
                self.run_it(root)
            chroot(root, ["dpkg", "--remove", "flexslice"])
            self.assertEqual(before, snapshot(root))
            self.assertNotEqual(0, chroot(root, ["dpkg", "--status", "flexslice"], check=False).returncode, "nothing to purge")

    def run_it(self, root):
        self.assertIn(b"flexslice ", chroot(root, ["flexslice", "--version"], user=65534).stdout)
        spec = "/usr/share/doc/flexslice/examples/multi-host/spec.yaml"
        for word in ("manifests", "provision"):
            made = chroot(root, ["flexslice", "compile", "--emit", word, spec], user=65534).stdout
            self.assertEqual(run([FLEXSLICE, "compile", "--emit", word, EXAMPLE / "spec.yaml"]).stdout.decode(), made.decode())
        chroot(root, ["bash", "-n"], input=made, stdin=None)


if __name__ == "__main__":
    unittest.main()
