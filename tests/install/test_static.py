"""The static program needs nothing of the system it runs on."""
import pathlib
import shutil
import tempfile
import unittest

import debian_root
import installed
from installed import EXAMPLE, FLEXSLICE, run


class Static(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if installed.cache().get("FLEXSLICE_STATIC") != "ON":
            raise unittest.SkipTest("this build tree is not one of the static program")

    def test_no_libraries_and_no_loader(self):
        said = run(["readelf", "--wide", "--file-header", "--program-headers", "--dynamic", FLEXSLICE]).stdout.decode()
        self.assertNotIn("NEEDED", said)
        self.assertNotIn("INTERP", said)

    def test_guarded_memory_without_relocations(self):
        said = run(["readelf", "--wide", "--file-header", "--program-headers", "--relocs", FLEXSLICE]).stdout.decode()
        self.assertRegex(said, r"Type:\s+EXEC")
        self.assertNotIn("_RELATIVE", said.replace("IRELATIV", ""))
        self.assertIn("GNU_RELRO", said)
        self.assertIn("GNU_EH_FRAME", said)
        self.assertRegex(said, r"GNU_STACK.* RW ")

    def test_runs_in_an_empty_root(self):
        spec = (EXAMPLE / "spec.yaml").read_bytes()
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            root.chmod(0o755)
            shutil.copy(FLEXSLICE, root / "flexslice")
            made = debian_root.chroot(root, ["/flexslice", "compile", "-"], user=65534, stdin=None, input=spec)
        self.assertEqual(installed.compiled(spec=spec), made.stdout.decode())


if __name__ == "__main__":
    unittest.main()
