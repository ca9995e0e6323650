"""The npm packages, installed into an empty prefix: the launcher takes the native program, else WebAssembly, and says what is wrong in one line."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import packages

SPEC = packages.ROOT / "examples/multi-host/spec.yaml"
FLEXSLICE = os.environ["FLEXSLICE"]
needs_wasm = unittest.skipUnless(packages.HAS_WASM, "the preset web is not built")


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        packages.need("npm")
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.folder = pathlib.Path(directory.name)
        cls.main, cls.native = packages.packed()
        cls.installed = cls.folder / "installed"
        done = packages.install(cls.installed, cls.main, cls.native)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)

    def setUp(self):
        self.prefix = self.folder / self.id().rpartition(".")[2]
        shutil.copytree(self.installed, self.prefix, symlinks=True)
        self.modules = self.prefix / "lib/node_modules"
        self.program = next(self.modules.glob("flexslice-linux-*/bin/flexslice"))

    def run_installed(self, *words, preload="", **options):
        """`preload` is JavaScript that node runs first."""
        script = self.prefix / "preload.js"
        script.write_text(preload)
        environment = packages.clean_environment(self.folder, **({"NODE_OPTIONS": f"--require={script}"} if preload else {}))
        return subprocess.run([str(self.prefix / "bin/flexslice"), *map(str, words)], capture_output=True, text=True, env=environment, check=False, timeout=60, **options)

    def run_directly(self, *words, **options):
        return subprocess.run([FLEXSLICE, *map(str, words)], capture_output=True, text=True, check=False, **options)

    def assert_same(self, *words, preload="", **options):
        wanted, found = self.run_directly(*words, **options), self.run_installed(*words, preload=preload, **options)
        self.assertEqual((wanted.returncode, wanted.stdout, wanted.stderr), (found.returncode, found.stdout, found.stderr))

    def assert_says(self, words, *arguments, **options):
        done = self.run_installed("--version", *arguments, **options)
        self.assertRegex(done.stderr, r"\Aflexslice: [^\n]+\n\Z")
        self.assertIn(words, done.stderr)
        self.assertEqual((3, ""), (done.returncode, done.stdout))

    def test_native(self):
        for words in (["--version"], ["compile", SPEC], ["check", "nowhere.yaml"], ["no-such-command"]):
            self.assert_same(*words)
        self.assert_same("check", "-", input=SPEC.read_text().replace("4x4", "4x6"))

    def test_manifests(self):
        said = json.loads((self.modules / "flexslice/package.json").read_text())
        self.assertEqual({"flexslice-linux-arm64", "flexslice-linux-x64"}, set(said["optionalDependencies"]))
        self.assertEqual({said["version"]}, set(said["optionalDependencies"].values()))
        native = json.loads(next(self.modules.glob("flexslice-linux-*/package.json")).read_text())
        self.assertEqual((["linux"], said["version"], self.program.stat().st_size), (native["os"], native["version"], native["bytes"]))
        for each in (said, native):
            self.assertEqual({"type": "git", "url": packages.REPOSITORY}, each["repository"])
            self.assertNotIn("scripts", each)
            self.assertNotIn("dependencies", each)

    def test_files(self):
        names = {str(path.relative_to(self.modules / "flexslice")) for path in (self.modules / "flexslice").rglob("*")}
        self.assertLessEqual({"program/flexslice.js", "INSTALL.md", "LICENSE", "README.md", "copyright", "flexslice.schema.json", "man/flexslice.1"}, names)

    def test_a_signal_is_passed_on(self):
        self.program.write_text("#!/bin/sh\nkill -TERM $$\n")
        manifest = next(self.modules.glob("flexslice-linux-*/package.json"))
        manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "bytes": self.program.stat().st_size}))
        self.assertEqual(-15, self.run_installed("--version").returncode)

    def test_program_that_is_cut_off(self):
        size = self.program.stat().st_size
        with self.program.open("r+b") as file:
            file.truncate(1000)
        self.assert_says(f"has 1000 of {size} bytes; install it again with `npm install --global --force flexslice`")

    def test_program_that_may_not_run(self):
        self.program.chmod(0o644)
        self.assert_says("does not start (EACCES); install it again")

    def test_package_that_is_cut_off(self):
        cut = self.folder / "cut.tgz"
        cut.write_bytes(self.main.read_bytes()[:20000])
        prefix = self.folder / "empty"
        self.assertNotEqual(0, packages.install(prefix, cut).returncode)
        self.assertFalse((prefix / "bin/flexslice").exists())

    def test_old_node(self):
        """The native program needs no particular node; WebAssembly does."""
        old = "Object.defineProperty(process, 'versions', {value: {node: '16.20.2'}});"
        self.assertEqual(0, self.run_installed("--version", preload=old).returncode)
        shutil.rmtree(self.program.parents[1])
        self.assert_says("node 16.20.2 is too old: install node 18 or later", preload=old)

    @unittest.skipIf(packages.HAS_WASM, "this package has it")
    def test_package_without_webassembly(self):
        shutil.rmtree(self.program.parents[1])
        self.assert_says("install it again")

    @needs_wasm
    def test_other_platforms(self):
        for platform, cpu in (("darwin", "arm64"), ("linux", "riscv64"), ("sunos", "sparc")):
            with self.subTest(platform):
                preload = f"for (const [name, value] of [['platform', '{platform}'], ['arch', '{cpu}']]) Object.defineProperty(process, name, {{value}});"
                self.program.chmod(0o644)  # it would not start
                for words in (["--version"], ["compile", SPEC], ["check", "nowhere.yaml"], ["no-such-command"]):
                    self.assert_same(*words, preload=preload)

    @needs_wasm
    def test_without_optional_packages(self):
        """npm goes on without them, as it does on a platform that has none."""
        prefix = self.folder / "alone"
        done = packages.install(prefix, self.main)
        self.assertEqual(0, done.returncode, done.stderr)
        self.prefix = prefix
        self.assert_same("compile", SPEC)

    @needs_wasm
    def test_webassembly_that_is_cut_off(self):
        shutil.rmtree(self.program.parents[1])
        file = self.modules / "flexslice/program/program.wasm"
        file.write_bytes(file.read_bytes()[:100000])
        self.assert_says("has 100000 of")

    def test_uninstall(self):
        names = ["flexslice", self.program.parents[1].name]
        command = ["npm", "uninstall", "--global", "--prefix", str(self.prefix), *names]
        subprocess.run(command, capture_output=True, env=packages.clean_environment(self.folder), check=True)
        self.assertEqual([], [path for path in self.prefix.rglob("*flexslice*") if path.name != "preload.js"])


if __name__ == "__main__":
    unittest.main()
